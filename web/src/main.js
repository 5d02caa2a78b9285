// The playground: writes a scenario, plays it, shows the results.

import { editor as makeEditor, know } from './editor.js';
import { json } from './engine.js';
import { files } from './files.js';
import * as link from './link.js';
import { odds } from './odds.js';
import { ROUNDS, play, widest } from './play.js';
import { Program } from './served.js';
import { differences, empty, isFilled, make, place, rates } from './show.js';
import { sliders, written } from './sliders.js';
import { Engine, Stopped } from './workers.js';

const $ = (id) => document.getElementById(id);

/** The half-widths of the slider, as shares. */
const PRECISIONS = [0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/** The parts of the page that have numbers of the results. */
const RESULTS = ['notes', 'rates', 'differences'];

/** The milliseconds between two looks at the list of the folder. */
const RELIST = 5_000;

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
const { saves, first: begin, scenarios: initial } = await (await fetch('scenarios.json')).json();
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
/** The scenarios to choose from, and the name of the chosen one. */
let scenarios = initial;
let marked = '';
/** Whether the fights are being solved. */
let solving = false;
/** The results of the scenario that the engine knows; null while there are none. */
let shown = null;
/** The results before those, which the table shows until there are new ones. */
let kept = null;
/** The number of the encounter that is drawn. */
let drawn = 0;
/** The text that was read last without errors; null before that. */
let basis = null;
/** The numbers of a text: the text and the list. */
let listed = { text: null, list: [] };
/** The results of the file's own numbers. */
let before = null;
/** Whether the sliders are those of the scenario. */
let slid = false;

const editor = makeEditor($('editor'), () => {
  folder?.changed();
  clearTimeout(timer);
  timer = setTimeout(start, 500);
});

const scenario = () => ({
  name: $('name').value.trim() || 'scenario.toml',
  text: editor.text(),
  set: [...set].map(([key, value]) => `${key}=${value}`),
});
/** Identifies a scenario: results with another key are of another text or other numbers. */
const key = (one = scenario()) => JSON.stringify(one);
const precision = () => PRECISIONS[Number($('precision').value)];
const state = (text) => {
  $('state').textContent = text;
};
/** Sets what the button does next: "Stop", "Go on", or nothing. */
const control = (action) => {
  $('stop').textContent = action ?? 'Stop';
  $('stop').disabled = action === null;
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

/** Enables the files that the results have. */
function offer() {
  for (const button of $('downloads').children) {
    button.disabled = shown === null || (button.textContent === 'comparisons.csv' && shown.summary.commands.compare === null);
  }
}

/** Forgets results that the engine cannot give any more: it knows another scenario. */
function forget() {
  kept = shown ?? kept;
  shown = null;
  offer();
}

/** Removes everything that is of the file before: another one is opened. */
function clear() {
  forget();
  kept = null;
  basis = null;
  for (const id of ['problems', 'notes', 'rates', 'differences', 'commands', 'variant', 'sliders']) $(id).replaceChildren();
  for (const id of ['title', 'question', 'dropped', 'drawn']) $(id).textContent = '';
  for (const id of ['picture', 'figures']) empty($(id));
  figures();
}

/** Dims results of the scenario before, and says above the encounter and the charts that they are. */
function outdate() {
  for (const id of [...RESULTS, 'picture', 'figures']) $(id).classList.add('old');
  const reason = $('problems').querySelector('.error') ? 'The text has errors. ' : '';
  $('drawn').textContent = isFilled($('picture')) ? `${reason}This is encounter ${drawn} of the scenario before.` : reason.trim();
  figures();
}

/** Shows the errors of a text. */
function refuse(errors) {
  problems(errors);
  outdate();
  const plural = errors.length === 1 ? 'error' : 'errors';
  const old = $('rates').hasChildNodes() ? ': results are of the scenario before' : '';
  state(`${errors.length} ${plural}${old}.`);
  return null;
}

/** Reads the scenario; returns null if it has errors, which are shown then. */
async function read(now) {
  forget();
  const ask = async (question) => {
    const answer = json(await desk.ask(question));
    if (now !== run) throw new Stopped();
    return answer;
  };
  let one = scenario();
  const isFresh = one.text !== basis;
  if (isFresh && basis !== null && set.size > 0) {
    const { errors } = await ask({ ask: 'read', ...one, set: [] });
    if (errors.length > 0) return refuse(errors);
    compare(await ask({ ask: 'numbers' }), one.text);
    one = { ...one, set: scenario().set };
  }
  const found = await ask({ ask: 'read', ...one });
  if (found.errors.length > 0) return refuse(found.errors);
  if (isFresh) renew(one.text);
  problems(found.warnings);
  $('title').textContent = found.title;
  $('question').textContent = found.question ?? '';
  know(words[found.system]);
  variants(found.variants);
  return [one, found];
}

/** Takes a text as the one that sliders and further results are of. */
function renew(text) {
  basis = text;
  before = null;
  slid = false;
}

/** Resets the sliders whose numbers are others in a new text, and says which. */
function compare(list, text) {
  const old = listed.text === basis ? listed.list : [];
  const dropped = [];
  for (const [key, value] of set) {
    const [was, is] = [old, list].map((numbers) => numbers.find((one) => one.key === key));
    const number = is && Number(value.slice(is.dice.length));
    const isSame = was && is && was.dice === is.dice && was.value === is.value;
    if (isSame && number >= is.least && number <= is.most) continue;
    set.delete(key);
    // The text may have got the very number of the slider.
    if (!is || written(is.dice, is.value) !== value) dropped.push(was?.name ?? key);
  }
  listed = { text, list };
  renew(text);
  $('dropped').textContent = dropped.length > 0 ? `The text changes these numbers, so their sliders are reset: ${dropped.join(', ')}.` : '';
  $('reset').disabled = set.size === 0;
}

/**
 * Shows a summary. `of` is the key of its scenario, `said` the state, `results` gives its files and figures, and `played`
 * has its counts, if it is sampled.
 */
function show(summary, one) {
  shown = { summary, ...one };
  kept = null;
  state(shown.said);
  if (set.size === 0) before = summary;
  for (const id of RESULTS) $(id).classList.remove('old');
  $('rates').replaceChildren(rates(summary, set.size > 0 ? before : null));
  const open = new Map([...$('differences').children].map((one) => [one.firstChild.textContent, one.open]));
  $('differences').replaceChildren(...differences(summary));
  for (const one of $('differences').children) one.open = open.get(one.firstChild.textContent) ?? one.open;
  $('notes').replaceChildren(...summary.notes.map((note) => make('li', note)));
  const { run: command, compare, report } = summary.commands;
  const commands = [command, compare, report].filter(Boolean);
  $('commands').replaceChildren(...commands.map((text) => make('li', make('code', text))));
  offer();
}

/**
 * After an end without new results: takes back the results before if they are of this very scenario, and dims them
 * otherwise.
 */
function settle() {
  if (shown === null && kept?.of === key()) shown = kept;
  if (shown === null) return outdate();
  for (const id of RESULTS) $(id).classList.remove('old');
  offer();
  if (!isFilled($('picture')) || $('picture').classList.contains('old')) fight();
  figures();
}

/** The last question about the page of each element. */
const asked = new Map();

/**
 * Shows a page in an element; nothing if the scenario has changed meanwhile or another page was asked for, for then another
 * one follows. Returns whether it is shown.
 */
async function answered(answer, element, note) {
  const now = run;
  asked.set(element, answer);
  try {
    const html = new TextDecoder().decode(await answer);
    if (now !== run || asked.get(element) !== answer) return false;
    place(element, html);
    element.classList.remove('old');
    note.textContent = '';
    return true;
  } catch (error) {
    if (now === run && $('problems').querySelector('.error') === null) state(error.message);
    return false;
  }
}

async function figures() {
  if (!$('charts').open) return;
  if (shown !== null) {
    if (!isFilled($('figures'))) $('charted').textContent = '';
    await answered(shown.results('figures'), $('figures'), $('charted'));
  } else {
    $('charted').textContent = isFilled($('figures')) ? 'These charts are of the scenario before.' : 'There are no results yet, so there are no charts.';
  }
}

/** Shows one encounter. After an event the browser says what is wrong with its number. */
async function fight(event) {
  if (!$('fight').open || $('variant').value === '') return;
  if (!(event ? $('which').reportValidity() : $('which').checkValidity())) return;
  const encounter = Number($('which').value);
  const question = { ask: 'fight', variant: $('variant').value, encounter, why: $('why').checked };
  if (await answered(desk.ask(question), $('picture'), $('drawn'))) drawn = encounter;
}

function variants(names) {
  const kept = names.includes($('variant').value) ? $('variant').value : names[0];
  $('variant').replaceChildren(...names.map((name) => make('option', name, { value: name })));
  $('variant').value = kept;
}

/** Makes the sliders, once they are looked at: to find out how far each may go takes longer than the first encounters. */
async function numbers() {
  if (slid || !($('numbers').open || set.size > 0)) return;
  slid = true;
  const text = basis;
  if (listed.text !== text) {
    const list = await desk.ask({ ask: 'numbers' }).then(json, () => null);
    if (basis !== text) return;
    if (list === null) slid = false;
    else listed = { text, list };
  }
  sliders($('sliders'), slid ? listed.list : [], set, () => {
    $('dropped').textContent = '';
    $('reset').disabled = set.size === 0;
    clearTimeout(timer);
    timer = setTimeout(start, 60);
  });
}

/** Plays the scenario; `more` has results of it that are played further. */
async function start(more = null) {
  clearTimeout(timer);
  run += 1;
  const now = run;
  solving = false;
  $('reset').disabled = set.size === 0;
  control('Stop');
  state('Playing ...');
  try {
    // A reload shows the same.
    const remember = async () => saves || history.replaceState(null, '', await link.fragment(scenario()));
    const sliding = set.size;
    await remember();
    if (now !== run) return;
    const known = await read(now);
    if (set.size !== sliding) await remember();
    if (now !== run) return;
    if (known === null) return control(null);
    const [one, found] = known;
    const of = key(one);
    const again = more?.played && more.of === of ? more : null;
    const begun = performance.now() - (again?.passed ?? 0);
    let first = true;
    await play({
      desk,
      players,
      scenario: one,
      fights: found.fights,
      played: again?.played.copy(),
      precision,
      stopped: () => now !== run,
      show(summary, live, done) {
        const played = live.copy();
        const passed = Math.round(performance.now() - begun);
        if (first) document.body.dataset.first = String(passed);
        const said = `${count(played.encounters)} encounters of each variant${done ? `, ${(passed / 1000).toFixed(1)} s` : ' ...'}`;
        show(summary, { of, said, played, passed, results: (want) => played.results(desk, want) });
        if (first) {
          fight();
          numbers();
        }
        if (first || done) figures();
        first = false;
      },
    });
    control(null);
  } catch (error) {
    if (now !== run) return;
    settle();
    state(`Stopped: ${error.message}`);
    control('Go on');
  }
}

async function exact() {
  clearTimeout(timer);
  run += 1;
  const now = run;
  solving = true;
  control('Stop');
  state('Solving ...');
  try {
    const known = await read(now);
    if (known !== null) {
      const summary = json(await desk.ask({ ask: 'exact', want: 'summary' }));
      if (now !== run) return;
      const said = 'Solved: these numbers are exact.';
      show(summary, { of: key(known[0]), said, results: (want) => desk.ask({ ask: 'exact', want }) });
      figures();
    }
  } catch (error) {
    if (now !== run) return;
    settle();
    state(error.message);
  }
  solving = false;
  control(null);
}

/** Whether results are as precise as is asked for. */
const isEnough = ({ summary, played }) => !played || played.encounters >= ROUNDS.at(-1) || widest(summary) <= precision();

async function stop() {
  clearTimeout(timer);
  run += 1;
  const now = run;
  control('Go on');
  // A solution under way is not waited for.
  if (solving) desk.restart();
  solving = false;
  if (shown?.of === key()) {
    state(`${shown.said.replace(/ \.\.\.$/, '')} (stopped)`);
    return settle();
  }
  try {
    if ((await read(now)) === null) return control(null);
  } catch (error) {
    if (now !== run) return;
    outdate();
    state(`Stopped: ${error.message}`);
    return;
  }
  settle();
  if (shown !== null) {
    state(`Stopped. ${shown.said.replace(/ \.\.\.$/, '')}`);
    if (isEnough(shown)) control(null);
  } else state($('rates').hasChildNodes() ? 'Stopped: results are of the scenario before.' : 'Stopped: there are no results yet.');
}

async function save(name, want, type) {
  if (shown === null) return;
  const url = URL.createObjectURL(new Blob([await shown.results(want)], { type }));
  make('a', [], { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function open({ name, text, set: given }) {
  clear();
  $('name').value = name;
  mark(name);
  editor.replace(text);
  set.clear();
  for (const one of given) set.set(one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1));
}

/** Shows a scenario as the chosen one of the list, if it is there. */
function mark(name) {
  marked = name;
  $('shipped').value = name;
  if ($('shipped').value !== name) $('shipped').value = '';
}

/** Lists the scenarios to choose from. */
function list(all) {
  const options = all.map(({ name, title }) => make('option', title ? `${name}: ${title}` : name, { value: name }));
  $('shipped').replaceChildren(make('option', saves ? 'Scenarios of the folder' : 'Shipped scenarios', { value: '' }), ...options);
  mark(marked);
}

/** Lists the scenarios that are in the folder now. */
async function relist() {
  try {
    const now = (await (await fetch('scenarios.json')).json()).scenarios;
    if (JSON.stringify(now) === JSON.stringify(scenarios)) return;
    scenarios = now;
    list(scenarios);
  } catch {
    // The next look at the file says that the program has ended.
  }
}

list(scenarios);

/** Takes a file of the folder as the open one: a reload opens it again. */
function opened(name) {
  history.replaceState(null, '', `#${new URLSearchParams({ file: name })}`);
  mark(name);
}

const folder = saves
  ? files(editor, async (name) => {
      await relist();
      opened(name);
    })
  : null;
$('link').hidden = saves;
if (saves) {
  window.addEventListener('focus', relist);
  setInterval(() => document.hidden || relist(), RELIST);
}

async function choose(name) {
  if (folder === null) {
    open({ name, text: await (await fetch(`scenarios/${name}`)).text(), set: [] });
  } else {
    try {
      if (!folder.leave()) return mark(marked);
      await folder.open(name);
    } catch (error) {
      $('said').textContent = error.message;
      return mark(marked);
    }
    clear();
    set.clear();
    opened(name);
  }
  await start();
}

const width = () => {
  $('width').textContent = `±${PRECISIONS[Number($('precision').value)] * 100}%`;
};
$('precision').value = '3';
width();
$('precision').addEventListener('input', width);
$('precision').addEventListener('change', () => start());
$('shipped').addEventListener('change', () => $('shipped').value && choose($('shipped').value));
$('name').addEventListener('change', () => start());
$('stop').addEventListener('click', () => ($('stop').textContent === 'Stop' ? stop() : start(shown)));
$('exact').addEventListener('click', exact);
$('reset').addEventListener('click', () => {
  set.clear();
  slid = false;
  $('dropped').textContent = '';
  start();
});
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
  if (saves) {
    const name = new URLSearchParams(location.hash.slice(1)).get('file');
    return choose(scenarios.some((one) => one.name === name) ? name : (begin ?? scenarios[0].name));
  }
  let given;
  try {
    given = await link.scenario(location.hash);
  } catch (error) {
    $('said').textContent = error.message;
    return;
  }
  $('said').textContent = '';
  if (given === null) return choose(begin);
  open(given);
  return start();
}
if (!saves) window.addEventListener('hashchange', linked);
odds(engine());
if (saves && scenarios.length === 0) {
  $('said').textContent = 'The folder has no scenarios: write one here, or with `skirmish new`.';
} else await linked();
if (!saves) navigator.serviceWorker?.register('offline.js').catch(() => {});
