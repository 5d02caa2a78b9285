// Reads CSV as RFC 4180 has it.

/** The rows of a text, each an object by the names in its first line. */
export function parse(text) {
  const [head, ...rows] = records(text);
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index]])));
}

function records(text) {
  const rows = [];
  let row = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted && char === '"' && text[at + 1] === '"') {
      cell += char;
      at += 1;
    } else if (char === '"') {
      quoted = !quoted;
    } else if (!quoted && char === ',') {
      row.push(cell);
      cell = '';
    } else if (!quoted && char === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else if (quoted || char !== '\r') {
      cell += char;
    }
  }
  return rows;
}
