// The playground: writes a scenario, plays it, shows the results.

import { editor as makeEditor, know } from './editor.js';
import { json } from './engine.js';
import { files } from './files.js';
import * as link from './link.js';
import { odds } from './odds.js';
import { Played, play } from './play.js';
import { Program } from './served.js';
import { differences, make, place, rates } from './show.js';
import { sliders } from './sliders.js';
import { Engine, Stopped } from './workers.js';

const $ = (id) => document.getElementById(id);

/** The half-widths of the slider, as shares. */
const PRECISIONS = [0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/** The files that can be downloaded: button, kind of results, name. */
const FILES = [
  ['summary.csv', 'summaries', 'text/csv'],
  ['distributions.csv', 'distributions', 'text/csv'],
  ['examples.csv', 'examples', 'text/csv'],
  ['comparisons.csv', 'comparisons', 'text/csv'],
  ['results.json', 'json', 'application/json'],
  ['report.html', 'report', 'text/html'],
];

/** The scenarios to choose from, and whether `skirmish serve` is there to save them. */
const { saves, first: begin, scenarios } = await (await fetch('scenarios.json')).json();
const module = saves ? null : await WebAssembly.compileStreaming(fetch('engine.wasm'));
const engine = () => (saves ? new Program() : new Engine(module));
const desk = engine();
// A browser has six connections to a server: two are left for other questions.
const most = saves ? 4 : 16;
const players = Array.from({ length: Math.max(1, Math.min(most, navigator.hardwareConcurrency ?? 1)) }, engine);
const words = json(await desk.ask({ ask: 'words' }));

/** Numbers that sliders have changed: key and value. */
const set = new Map();
let run = 0;
let timer;
/** What the results are of: nothing while there are none. */
let shown = null;
/** The results of the file's own numbers. */
let before = null;
/** Whether the sliders are those of the scenario. */
let slid = false;

const editor = makeEditor($('editor'), () => {
  folder?.changed();
  clearTimeout(timer);
  timer = setTimeout(() => start({ fresh: true }), 500);
});

const scenario = () => ({
  name: $('name').value.trim() || 'scenario.toml',
  text: editor.text(),
  set: [...set].map(([key, value]) => `${key}=${value}`),
});
const state = (text) => {
  $('state').textContent = text;
};
const busy = (yes) => {
  $('stop').disabled = !yes;
};
const count = (number) => number.toLocaleString('en');

function problems(messages) {
  editor.underline(messages);
  const items = messages.map(({ severity, title, label, help, from }) => {
    const text = [`line ${editor.line(from)}: ${severity}: ${title}`, label, ...help].filter(Boolean).join('\n');
    const button = make('button', text, { type: 'button' });
    button.addEventListener('click', () => editor.go(from));
    return make('li', button, { class: severity });
  });
  $('problems').replaceChildren(...items);
}

/** Forgets results that the engine cannot give any more: it knows another scenario. */
function forget() {
  shown = null;
  for (const button of $('downloads').children) button.disabled = true;
}

/** Reads the scenario; nothing if it is wrong, which is shown then. */
async function read(now) {
  forget();
  const one = scenario();
  const found = json(await desk.ask({ ask: 'read', ...one }));
  if (now !== run) throw new Stopped();
  if (found.errors.length > 0) {
    problems(found.errors);
    $('rates').classList.add('old');
    const plural = found.errors.length === 1 ? 'error' : 'errors';
    const old = $('rates').hasChildNodes() ? ': results are of the scenario before' : '';
    state(`${found.errors.length} ${plural}${old}.`);
    return null;
  }
  problems(found.warnings);
  $('title').textContent = found.title;
  $('question').textContent = found.question ?? '';
  know(words[found.system]);
  return [one, found];
}

/** Shows a summary; `results` gives its files and figures. */
function show(summary, results) {
  shown = { summary, results };
  if (set.size === 0) before = summary;
  $('rates').classList.remove('old');
  $('rates').replaceChildren(rates(summary, set.size > 0 ? before : null));
  const open = new Map([...$('differences').children].map((one) => [one.firstChild.textContent, one.open]));
  $('differences').replaceChildren(...differences(summary));
  for (const one of $('differences').children) one.open = open.get(one.firstChild.textContent) ?? one.open;
  $('notes').replaceChildren(...summary.notes.map((note) => make('li', note)));
  const { run: command, compare, report } = summary.commands;
  const commands = [command, compare, report].filter(Boolean);
  $('commands').replaceChildren(...commands.map((text) => make('li', make('code', text))));
  for (const button of $('downloads').children) button.disabled = button.textContent === 'comparisons.csv' && compare === null;
}

/** Shows a page in an element; nothing if the scenario has changed meanwhile, for then another one follows. */
async function answered(answer, element) {
  const now = run;
  try {
    const html = new TextDecoder().decode(await answer);
    if (now === run) place(element, html);
  } catch (error) {
    if (now === run && $('problems').querySelector('.error') === null) state(error.message);
  }
}

async function figures() {
  if (!$('charts').open || shown === null) return;
  await answered(shown.results('figures'), $('figures'));
}

/** Shows one encounter. After an event the browser says what is wrong with its number. */
async function fight(event) {
  if (!$('fight').open || $('variant').value === '') return;
  if (!(event ? $('which').reportValidity() : $('which').checkValidity())) return;
  const question = { ask: 'fight', variant: $('variant').value, encounter: Number($('which').value), why: $('why').checked };
  await answered(desk.ask(question), $('picture'));
}

function variants(names) {
  const kept = names.includes($('variant').value) ? $('variant').value : names[0];
  $('variant').replaceChildren(...names.map((name) => make('option', name, { value: name })));
  $('variant').value = kept;
}

/** Makes the sliders, once they are looked at: to find out how far each may go takes longer than the first encounters. */
async function numbers() {
  if (slid || !$('numbers').open) return;
  slid = true;
  const found = await desk.ask({ ask: 'numbers' }).then(json, () => {
    slid = false;
    return [];
  });
  sliders($('sliders'), found, set, () => {
    $('reset').disabled = set.size === 0;
    clearTimeout(timer);
    timer = setTimeout(() => start({ fresh: false }), 60);
  });
}

/** Plays the scenario; `fresh` if its text has changed, so that its numbers are others. */
async function start({ fresh }) {
  clearTimeout(timer);
  run += 1;
  const now = run;
  const begun = performance.now();
  // A reload shows the same.
  if (!saves) history.replaceState(null, '', await link.fragment(scenario()));
  busy(true);
  state('Playing ...');
  try {
    if (fresh && set.size > 0) {
      set.clear();
      $('reset').disabled = true;
    }
    const known = await read(now);
    if (known === null) return;
    const [one, found] = known;
    if (fresh) {
      before = null;
      slid = false;
    }
    variants(found.variants);
    let first = true;
    await play({
      desk,
      players,
      scenario: one,
      fights: found.fights,
      precision: () => PRECISIONS[Number($('precision').value)],
      stopped: () => now !== run,
      show(summary, played, done) {
        const snapshot = Object.assign(new Played(), { ...played, parts: [...played.parts], bytes: [...played.bytes] });
        show(summary, (want) => snapshot.results(desk, want));
        const passed = Math.round(performance.now() - begun);
        if (first) document.body.dataset.first = String(passed);
        state(`${count(played.encounters)} encounters of each variant${done ? `, ${(passed / 1000).toFixed(1)} s` : ' ...'}`);
        if (first) {
          fight();
          numbers();
        }
        first = false;
      },
    });
    await figures();
  } catch (error) {
    if (!(error instanceof Stopped)) state(`Stopped: ${error.message}`);
  } finally {
    if (now === run) busy(false);
  }
}

async function exact() {
  run += 1;
  const now = run;
  busy(true);
  state('Solving ...');
  try {
    const known = await read(now);
    if (known === null) return;
    const summary = json(await desk.ask({ ask: 'exact', want: 'summary' }));
    if (now !== run) return;
    show(summary, (want) => desk.ask({ ask: 'exact', want }));
    state('Solved: these numbers are exact.');
    await figures();
  } catch (error) {
    if (now === run) state(error instanceof Stopped ? 'Stopped.' : error.message);
  } finally {
    if (now === run) busy(false);
  }
}

async function stop() {
  clearTimeout(timer);
  run += 1;
  busy(false);
  // A solution under way is not waited for.
  if ($('state').textContent === 'Solving ...') {
    desk.restart();
    await desk.ask({ ask: 'read', ...scenario() });
  }
  state(`${$('state').textContent.replace(/ \.\.\.$/, '')} (stopped)`);
}

async function save(name, want, type) {
  if (shown === null) return;
  const url = URL.createObjectURL(new Blob([await shown.results(want)], { type }));
  make('a', [], { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function open({ name, text, set: given }) {
  $('name').value = name;
  mark(name);
  editor.replace(text);
  set.clear();
  for (const one of given) set.set(one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1));
}

/** Shows a scenario as the chosen one of the list, if it is there. */
function mark(name) {
  $('shipped').value = name;
  if ($('shipped').value !== name) $('shipped').value = '';
}

const list = (name, text) => $('shipped').append(make('option', text, { value: name }));
list('', saves ? 'Scenarios of the folder' : 'Shipped scenarios');
for (const { name, title } of scenarios) list(name, title ? `${name}: ${title}` : name);

const folder = saves
  ? files(editor, (name) => {
      if (![...$('shipped').options].some(({ value }) => value === name)) list(name, name);
      mark(name);
    })
  : null;
$('link').hidden = saves;

async function choose(name) {
  if (folder === null) {
    open({ name, text: await (await fetch(`scenarios/${name}`)).text(), set: [] });
  } else if (folder.leave()) {
    try {
      await folder.open(name);
    } catch (error) {
      $('said').textContent = error.message;
      mark($('name').value);
      return;
    }
  }
  mark($('name').value);
  await start({ fresh: true });
}

const width = () => {
  $('width').textContent = `±${PRECISIONS[Number($('precision').value)] * 100}%`;
};
$('precision').value = '3';
width();
$('precision').addEventListener('input', width);
$('precision').addEventListener('change', () => start({ fresh: false }));
$('shipped').addEventListener('change', () => $('shipped').value && choose($('shipped').value));
$('name').addEventListener('change', () => start({ fresh: false }));
$('stop').addEventListener('click', stop);
$('exact').addEventListener('click', exact);
$('reset').addEventListener('click', () => start({ fresh: true }));
for (const id of ['variant', 'which', 'why']) $(id).addEventListener('change', fight);
$('fight').addEventListener('toggle', fight);
$('numbers').addEventListener('toggle', () => shown !== null && numbers());
$('charts').addEventListener('toggle', figures);
$('link').addEventListener('click', async () => {
  const address = new URL(await link.fragment(scenario()), location.href).href;
  history.replaceState(null, '', address);
  try {
    await navigator.clipboard.writeText(address);
    $('said').textContent = 'Link copied: it holds the whole scenario.';
  } catch {
    $('said').textContent = 'The address of this page holds the whole scenario: copy it.';
  }
});
for (const [name, want, type] of FILES) {
  const button = make('button', name, { type: 'button', disabled: '' });
  button.addEventListener('click', () => save(name, want, type));
  $('downloads').append(button);
}

async function linked() {
  const given = saves ? null : await link.scenario(location.hash);
  if (given === null) return choose(begin ?? scenarios[0]?.name);
  open(given);
  slid = false;
  $('reset').disabled = set.size === 0;
  return start({ fresh: set.size === 0 });
}
if (!saves) window.addEventListener('hashchange', linked);
odds(engine());
if (saves && scenarios.length === 0) {
  $('said').textContent = 'The folder has no scenarios: write one here, or with `skirmish new`.';
} else await linked();
if (!saves) navigator.serviceWorker?.register('offline.js').catch(() => {});
