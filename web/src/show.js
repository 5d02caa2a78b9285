// Draws results into the page.

import { attach } from 'keys';

/** An element with attributes and content. */
export function make(tag, content = [], attributes = {}) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...[content].flat());
  return element;
}

/** The fewest decimals at which the uncertainty is at least 2 units of the last one. */
const digits = (arm) => (arm > 0 ? Math.max(0, Math.min(6, Math.ceil(Math.log10(2 / arm)))) : 2);

/** A value with the distance to the farther end of its interval: `55.6% ±0.7`. */
function estimate({ rate, mean, interval }, exact) {
  if (mean === null) return '–';
  const scale = rate ? 100 : 1;
  const sign = rate ? '%' : '';
  const arm = interval ? Math.max(interval[1] - mean, mean - interval[0]) * scale : null;
  if (exact) return `${(mean * scale).toFixed(4)}${sign}`;
  if (arm === null) return `${(mean * scale).toFixed(2)}${sign}`;
  const places = digits(arm);
  // Rounded up, so that the interval is never narrower than it is.
  const shown = Math.ceil(arm * 10 ** places - 1e-9) / 10 ** places;
  return [`${(mean * scale).toFixed(places)}${sign} `, make('span', `±${shown.toFixed(places)}`, { class: 'arm' })];
}

const label = ({ metric, subject }) =>
  ({ win_rate: `${subject} win`, outcome_rate: subject, mutual: 'mutual', timeout: 'timeout', rounds: 'rounds' })[metric];

/** A table of all variants; `before` is the summary of the file's own numbers, if others are played. */
export function rates(summary, before) {
  const columns = [];
  for (const { rows } of summary.variants) {
    for (const row of rows) {
      const seen = ['mutual', 'timeout'].includes(row.metric) && summary.variants.every((one) => one.rows.every((other) => other.metric !== row.metric || !other.mean));
      if (!seen && !columns.some((column) => label(column) === label(row))) columns.push(row);
    }
  }
  const cell = (variant, column) => variant?.rows.find((row) => label(row) === label(column));
  const line = (variant) => {
    const old = before?.variants.find(({ name }) => name === variant.name);
    const cells = columns.map((column) => {
      const row = cell(variant, column);
      if (!row) return make('td', '–');
      const content = [estimate(row, summary.exact)].flat();
      const was = cell(old, column);
      if (was) content.push(make('br'), make('span', ['before ', ...[estimate(was, before.exact)].flat()], { class: 'before' }));
      return make('td', content);
    });
    return make('tr', [make('th', variant.name, { scope: 'row' }), ...cells]);
  };
  const heads = ['variant', ...columns.map(label)].map((text) => make('th', text, { scope: 'col' }));
  const how = summary.exact ? 'Exact.' : '± reaches to the farther end of a 95% interval.';
  return make('table', [make('caption', how), make('thead', make('tr', heads)), make('tbody', summary.variants.map(line))]);
}

/** The differences of each variant from the first. Sampled variants play on the same dice, so that little of a difference is chance. */
export function differences(summary) {
  const how = summary.exact ? '' : ', on the same dice';
  return summary.differences.map(({ variant, baseline, rows }) =>
    make('details', [
      make('summary', `${variant} against ${baseline}${how}`),
      make('ul', rows.map(({ sentence }) => make('li', sentence))),
    ], summary.differences.length < 3 ? { open: '' } : {}),
  );
}

/** What listens to the pages in each element, until another page is put there. */
const listening = new WeakMap();

/** Lets arrow keys go from mark to mark, as the script of the page does: here its document is a root within another. */
function listen(element, root) {
  listening.get(element)?.abort();
  const control = new AbortController();
  listening.set(element, control);
  const { signal } = control;
  const on = (target) => (type, act, capture = false) => target.addEventListener(type, act, { capture, signal });
  const inner = {
    body: root.firstChild,
    createElement: (name) => document.createElement(name),
    querySelectorAll: (selector) => root.querySelectorAll(selector),
    addEventListener: on(root),
    get activeElement() {
      return root.activeElement;
    },
  };
  attach(inner, { addEventListener: on(window) });
}

/** Whether a page has been placed in an element. */
export const isFilled = (element) => element.shadowRoot?.hasChildNodes() ?? false;

/** Removes the page that has been placed in an element. */
export function empty(element) {
  listening.get(element)?.abort();
  element.shadowRoot?.replaceChildren();
}

/** Puts the content of a page that the program has made into an element. */
export function place(element, html) {
  // Its style becomes the sheet of an object, which the Content-Security-Policy allows; that in the text is not.
  const within = /<style>([^]*?)<\/style>/.exec(html);
  const page = new DOMParser().parseFromString(html.replace(within[0], ''), 'text/html');
  // Landmarks have names of their own, and two of these pages may have the same.
  for (const section of page.querySelectorAll('section')) section.removeAttribute('aria-labelledby');
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  // Here the page is a box within another.
  sheet.replaceSync(`${within[1].replaceAll(':root', ':host').replaceAll(/\bbody\b/g, '.body')}\n.body{padding:0;max-width:none;overflow-wrap:anywhere}\nh2{border:0;margin-top:0}`);
  root.adoptedStyleSheets = [sheet];
  const box = make('div', [...page.querySelector('main').children], { class: 'body' });
  root.replaceChildren(box);
  listen(element, root);
}
