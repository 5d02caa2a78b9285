// What may stand at a place of a scenario, from the program's own lists: keys of the table there, words of policies, names
// and paths of the scenario itself.

import schema from '../../docs/skirmish.schema.json';

/** Comments, texts in quotes, signs, ends of lines and words. */
const TOKENS = /#[^\n]*|"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|[[\]{},=\n]|[\w.$-]+/g;

/** The parts of a dotted key: `weapons."bow 2".range` has three. */
const parts = (key) => (key.match(/"[^"]*"|'[^']*'|[^.\s"']+/g) ?? []).map((part) => part.replace(/^(["'])(.*)\1$/, '$2'));

const closed = (text) => text.length > 1 && text.endsWith(text[0]);

/** The header, if a line begins with one: `[weapons.bow]`, `[[combatants]]`. */
const header = (text) => /^\[\[?([^\]\n]*)\]?\]?/.exec(text);

/**
 * Where a text ends: the `path` of the table there, the `key` whose value is expected (none if a key is), whether it is `quoted`.
 * Nothing if it is a comment.
 */
export function place(text) {
  let table = [];
  let open = [];
  let key = '';
  let word = '';
  let fresh = true;
  // A list is a value of its key, unless tables stand in it.
  const path = () => [...table, ...open.filter(({ list }, at) => !list || open[at + 1]).flatMap((one) => one.path)];
  TOKENS.lastIndex = 0;
  for (let found = TOKENS.exec(text); found !== null; found = TOKENS.exec(text)) {
    const [token] = found;
    const last = TOKENS.lastIndex === text.length;
    const sign = token[0];
    if (sign === '#') {
      if (last) return null;
    } else if (sign === '"' || sign === "'") {
      if (last && !closed(token)) return { path: path(), key, quoted: true };
      word += token;
    } else if (sign === '[' && fresh && open.length === 0) {
      const [whole, name] = header(text.slice(found.index));
      TOKENS.lastIndex = found.index + whole.length;
      if (TOKENS.lastIndex === text.length && !whole.endsWith(']')) return { path: [], key: '', header: true };
      table = parts(name);
    } else if (sign === '[' || sign === '{') {
      open.push({ path: parts(key), list: sign === '[', key });
      if (sign === '{') key = '';
      word = '';
    } else if (sign === ']' || sign === '}') {
      open.pop();
      key = open.at(-1)?.list ? open.at(-1).key : '';
    } else if (sign === '=') {
      key = word;
    } else if (sign === ',' || sign === '\n') {
      if (!open.at(-1)?.list && (sign === ',' || open.length === 0)) key = '';
      word = '';
    } else {
      word += token;
    }
    fresh = sign === '\n' || (fresh && sign === '#');
  }
  return { path: path(), key, quoted: false };
}

/** All that a part of the schema may be. */
function expand(node) {
  if (node.$ref) return expand(schema.$defs[node.$ref.split('/').at(-1)]);
  const several = [...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  return [node, ...several.flatMap(expand), ...(node.items ? expand(node.items) : [])];
}

const step = (nodes, key) =>
  nodes.flatMap((node) => {
    const next = node.properties?.[key] ?? node.additionalProperties;
    return next ? expand(next) : [];
  });

/** What the schema says of the value at a path. */
const at = (path) => path.reduce(step, expand(schema));

/** The keys of the table at a path, each with its meaning. */
function keys(path) {
  const all = new Map();
  for (const { properties } of at(path)) {
    for (const [key, node] of Object.entries(properties ?? {})) all.set(key, node.description ?? expand(node)[0].description ?? '');
  }
  return all;
}

/** The tables of a scenario: their path in the schema, the path of their values in `set`, and the keys written in them. */
function* tables(text) {
  for (const piece of `\n${text}`.split(/\n(?=[ \t]*\[)/)) {
    const found = header(piece.trimStart());
    if (found === null) continue;
    const path = parts(found[1]);
    const name = path[0] === 'combatants' ? /^\s*name\s*=\s*["'](.*?)["']/m.exec(piece)?.slice(1) : [];
    const written = [...piece.matchAll(/^[ \t]*([\w-]+)[ \t]*=/gm)].map(([, key]) => key);
    if (name) yield { path, whole: [...path, ...name], written };
  }
}

/** Tables that are no part of a fight, which a variant therefore cannot change. */
const APART = ['variants', 'builds', 'expect'];

/** A part of a path as it is written. */
const spelt = (part) => (/^[\w-]+$/.test(part) ? part : `"${part}"`);

/** The paths that `set` may have: first those whose last part starts with `begun`, and among them keys that the scenario uses. */
function* paths(text, begun) {
  for (const { path, whole, written } of tables(text)) {
    if (APART.includes(path[0])) continue;
    const meanings = keys(path);
    for (const key of new Set([...written, ...meanings.keys()])) {
      if (path[0] === 'combatants' && ['name', 'count'].includes(key)) continue;
      const label = [...whole, key].map(spelt).join('.');
      const boost = (begun && key.startsWith(begun) ? 2 : 0) + (written.includes(key) ? 1 : 0);
      yield { label, detail: 'path', info: meanings.get(key), boost: 20 * boost };
    }
  }
}

/** The names of the scenario that may be values of a key: `weapons = ["bow"]` names `[weapons.bow]`. */
function* names(text, key) {
  const table = key === 'undrawn' ? 'weapons' : key;
  for (const { path, written } of tables(text)) {
    if (path.length === 2 && path[0] === table) yield path[1];
    if (key === 'policy' && path[0] === 'policies') yield* written;
  }
}

/** The path of the value of a key; in `set` the key itself is a whole path. */
const valuePath = (path, key) => (path.at(-1) === 'set' ? parts(key).flatMap(parts) : [...path, ...parts(key)]);

/** Whether the text at a path is a line of a policy, or a condition. */
const isPolicy = (path) => path[0] === 'policies' || /^policy$|when$/.test(path.at(-1) ?? '');

const option = ({ word, kind, meaning }) => ({ label: word, detail: kind, info: meaning });

/**
 * What may stand where `text` up to `end` stops, with a word `begun` there; `words` are those of the system: of policies, and
 * rulings.
 */
export function offers(text, end, begun, words) {
  const here = place(text.slice(0, end));
  if (here === null) return [];
  const { path, key, quoted } = here;
  if (here.header) return [...keys([])].map(([word, meaning]) => option({ word, kind: 'table', meaning }));
  if (key === '' && path.at(-1) === 'set') return [...paths(text, begun)].map((one) => (quoted ? one : { ...one, apply: `'${one.label}'` }));
  if (key === '') {
    if (quoted) return [];
    const rulings = path[0] === 'rules' ? words.filter(({ kind }) => kind === 'ruling') : [];
    const known = new Set(rulings.map(({ word }) => word));
    const others = [...keys(path)].filter(([word]) => !known.has(word));
    return [...rulings, ...others.map(([word, meaning]) => ({ word, kind: 'key', meaning }))].map(option);
  }
  const whole = valuePath(path, key);
  const values = at(whole)
    .flatMap((node) => node.enum ?? (node.const === undefined ? [] : [node.const]))
    .filter((value) => (typeof value === 'string') === quoted)
    .map((value) => ({ word: String(value), kind: 'value' }));
  if (!quoted) return values.map(option);
  const named = [...names(text, whole.at(-1))].map((word) => ({ word, kind: 'name' }));
  const lines = isPolicy(whole) ? words.filter(({ kind }) => kind !== 'ruling') : [];
  return [...named, ...values, ...lines].map(option);
}

/** What the word between two places of a text means there. */
export function meanings(text, from, to, words) {
  const word = text.slice(from, to);
  const here = place(text.slice(0, from));
  if (here === null) return [];
  const { path, key, quoted } = here;
  if (quoted) {
    const kinds = isPolicy(valuePath(path, key)) ? words.filter(({ kind }) => kind !== 'ruling') : [];
    return kinds.filter((one) => one.word === word && one.meaning);
  }
  const ruling = path[0] === 'rules' ? words.find((one) => one.kind === 'ruling' && one.word === [...path.slice(1), word].join('.')) : null;
  const meaning = ruling?.meaning ?? (key === '' || here.header ? keys(path).get(word.split('.').at(-1)) : null);
  return meaning ? [{ word, kind: ruling ? 'ruling' : 'key', meaning }] : [];
}
