// Asked inside a page: what can only be known where the page is laid out. Each function is sent to the
// browser on its own, so it may use nothing but its argument and the document.

/** Everything that the Tab key has to reach, by the number that is put on it. */
export function stops() {
  // Links and the like always; other things if they say so.
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex^="-"])');
  const seen = [...all].filter((element) => element.checkVisibility());
  return seen.map((element, index) => {
    element.dataset.stop = String(index);
    return element.outerHTML.slice(0, 120);
  });
}

/** The number of what has the focus, and whether one sees that it has it; nothing if nothing has it. */
export function focus() {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return {
    stop: Number(element.dataset.stop),
    seen: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0 && box.width > 0 && box.right > 0,
  };
}

/** What the marks of a picture say: bars, points and cells of a chart, deeds and falls of an encounter. */
export function marks(picture) {
  const all = [...picture.querySelectorAll('.chart rect, .chart .point, .chart .outline, .timeline g[role="img"]')].filter((mark) => mark.checkVisibility());
  return all.map((mark) => mark.querySelector(':scope > title')?.textContent ?? '').filter((title) => title !== '');
}

/** What the mark that has the focus says: to those who see it where it is shown, which is all that it says. */
export function mark() {
  const element = document.activeElement;
  const title = element?.querySelector(':scope > title')?.textContent ?? null;
  const told = document.querySelector('.told');
  const box = told.getBoundingClientRect();
  const shown = !told.hidden && box.height > 0 && box.bottom <= window.innerHeight + 1 && told.textContent === title;
  // Deeds are called what they are in short.
  const name = element?.getAttribute('aria-label') ?? '';
  const heard = element?.getAttribute('role') === 'img' && name !== '' && (element.matches('g') || name === title);
  return shown && heard ? title : null;
}

/** What `says` tells after each of a number of presses of the right arrow. Keys from outside take ten times as long. */
export function along(says, presses) {
  return Array.from({ length: presses }, () => {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
    return says();
  });
}

/** The charts: how each is called, and whatever is wrong with how it is drawn. */
export function charts() {
  const overlap = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  const shown = [...document.querySelectorAll('svg')].filter((svg) => svg.checkVisibility());
  return shown.map((svg) => {
    const faults = [];
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map((text) => ({ text: text.firstChild?.data ?? '', box: text.getBoundingClientRect() }));
    for (const { text, box } of texts) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
        faults.push(`"${text}" reaches out of the picture`);
      }
    }
    texts.forEach((one, index) => {
      for (const other of texts.slice(index + 1)) {
        if (overlap(one.box, other.box)) faults.push(`"${one.text}" and "${other.text}" lie upon each other`);
      }
    });
    const marks = [...svg.querySelectorAll('path, rect, circle, line')].filter((mark) => {
      const box = mark.getBoundingClientRect();
      return box.width > 0 || box.height > 0;
    });
    if (marks.length === 0) faults.push('nothing is drawn');
    const figure = svg.closest('figure');
    return {
      // An encounter is drawn in rows, a picture each: the first has the title.
      first: shown.find((one) => one.closest('figure') === figure) === svg,
      role: svg.getAttribute('role'),
      timeline: svg.matches('.timeline'),
      title: svg.querySelector(':scope > title')?.textContent ?? '',
      description: svg.querySelector(':scope > desc')?.textContent ?? '',
      heading: figure?.querySelector('figcaption :is(h2, h3, h4)')?.textContent ?? '',
      table: figure?.querySelector('details table') !== null,
      faults,
    };
  });
}

/** Text in charts that is hard to read, and marks that are hard to see, by the contrast that WCAG asks for. */
export function faint() {
  const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const over = (front, opacity, back) => back.map((part, index) => front[index] * opacity + part * (1 - opacity));
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const paper = numbers(getComputedStyle(document.body).backgroundColor).slice(0, 3);
  const faults = new Set();
  for (const svg of [...document.querySelectorAll('svg')].filter((one) => one.checkVisibility())) {
    const drawn = [...svg.querySelectorAll('rect, path')].map((mark) => ({ mark, style: getComputedStyle(mark), box: mark.getBoundingClientRect() }));
    for (const text of svg.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      let back = paper;
      for (const { mark, style, box: area } of drawn) {
        const before = (mark.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
        if (before && mark.tagName === 'rect' && style.fill !== 'none' && area.left <= x && x <= area.right && area.top <= y && y <= area.bottom) {
          back = over(numbers(style.fill), Number(style.fillOpacity), back);
        }
      }
      const ink = numbers(getComputedStyle(text).fill);
      const found = contrast(over(ink, 1, back), back);
      if (found < 4.5) faults.add(`"${text.firstChild?.data}" ${ink} on ${back.map(Math.round)}: ${found.toFixed(2)}`);
    }
    for (const { mark, style } of drawn) {
      if (mark.matches('.grid, .axis, .band, .halo, .want, .field, .turn')) continue;
      const colours = [
        style.fill !== 'none' && Number(style.fillOpacity) > 0.5 ? numbers(style.fill) : null,
        style.stroke !== 'none' ? numbers(style.stroke) : null,
      ].filter((colour) => colour !== null);
      const best = Math.max(...colours.map((colour) => contrast(over(colour, 1, paper), paper)));
      if (colours.length > 0 && best < 3 && !mark.matches('.cell')) faults.add(`${mark.getAttribute('class')} ${colours.join(' / ')}: ${best.toFixed(2)}`);
    }
  }
  return [...faults];
}

/** The tables: the file that each comes from, what its rows have in common there, its heads and cells, and the file below it. */
export function tables() {
  return [...document.querySelectorAll('table')].map((table) => {
    const { csv, ...fixed } = table.dataset;
    const cells = (row) => [...row.cells].map((cell) => cell.textContent);
    const column = (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return {
      file: csv ?? null,
      fixed: Object.fromEntries(Object.entries(fixed).map(([key, value]) => [column(key), value])),
      heads: cells(table.tHead.rows[0]),
      link: decodeURIComponent(table.parentElement.nextElementSibling?.querySelector('a[download]')?.href.split(/,(.*)/s)[1] ?? ''),
      rows: [...table.tBodies[0].rows].map(cells),
      about: table.closest('figure')?.querySelector('figcaption :is(h2, h3, h4)')?.textContent ?? table.closest('section')?.id ?? '',
    };
  });
}

/** Tables whose cells one would not see on paper. */
export function hiddenOnPaper() {
  return [...document.querySelectorAll('table')]
    .filter((table) => {
      if (!table.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true })) return true;
      const last = [...table.rows].at(-1).getBoundingClientRect();
      if (last.height === 0) return true;
      // What scrolls on a screen is cut off on paper.
      for (let around = table.parentElement; around !== null; around = around.parentElement) {
        const style = getComputedStyle(around);
        if (style.overflowY !== 'visible' && around.getBoundingClientRect().bottom < last.bottom - 1) return true;
      }
      return false;
    })
    .map((table) => table.closest('figure')?.querySelector('figcaption :is(h2, h3, h4)')?.textContent ?? 'a table');
}

/** How far the page can be scrolled to the side. */
export function sideways() {
  const page = document.documentElement;
  const wide = [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > page.clientWidth + 1 && element.closest('.scroll, .picture') === null)
    .map((element) => element.outerHTML.slice(0, 100));
  return { by: page.scrollWidth - page.clientWidth, wide: wide.slice(0, 3) };
}
