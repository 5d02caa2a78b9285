// All shipped scenarios give the same bytes in the browser's engine as on the command line.
//
//   SKIRMISH   the program
//   SITE       the folder of the built page

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { json, start } from '../src/engine.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const program = process.env.SKIRMISH ?? join(root, 'target/release/skirmish');
const site = process.env.SITE ?? join(root, 'web/site');
const scratch = mkdtempSync(join(tmpdir(), 'skirmish-bytes-'));
const scenarios = readdirSync(join(root, 'scenarios')).filter((name) => name.endsWith('.toml'));
const ENCOUNTERS = 200;

let ask;
before(async () => {
  ask = await start(await WebAssembly.compile(readFileSync(join(site, 'engine.wasm'))));
});
after(() => rmSync(scratch, { recursive: true, force: true }));

const skirmish = (...args) => execFileSync(program, args, { cwd: join(root, 'scenarios'), stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
const text = (bytes) => Buffer.from(bytes).toString();
// When and how long it was played is not part of the results.
const lasting = (document) => {
  const { run, ...manifest } = document.manifest;
  return { ...document, manifest };
};

/** Plays a scenario in parts of unequal length, and returns a function that gives its results. */
function play(name, set = [], cuts = [0, 7, 90, ENCOUNTERS]) {
  const found = json(ask({ ask: 'read', name, text: readFileSync(join(root, 'scenarios', name), 'utf8'), set }));
  assert.deepEqual(found.errors, []);
  const parts = [];
  const bytes = [];
  for (let fight = 0; fight < found.fights; fight += 1) {
    // The last part first: the order does not matter.
    for (let at = cuts.length - 2; at >= 0; at -= 1) {
      const part = { fight, start: cuts[at], end: cuts[at + 1] };
      const counts = ask({ ask: 'play', ...part });
      parts.push({ ...part, length: counts.length });
      bytes.push(counts);
    }
  }
  return { found, results: (want) => text(ask({ ask: 'results', encounters: ENCOUNTERS, parts, want }, bytes)) };
}

for (const name of scenarios) {
  test(`${name}: the files of a run and of a comparison`, () => {
    const { found, results } = play(name);
    const folder = join(scratch, 'run');
    const document = text(skirmish('run', name, '-n', String(ENCOUNTERS), '--format', 'json', '-o', folder));
    const file = (file) => readFileSync(join(folder, basename(name, '.toml'), file), 'utf8');
    assert.equal(results('summaries'), file('summary.csv'));
    assert.equal(results('distributions'), file('distributions.csv'));
    assert.equal(results('examples'), file('examples.csv'));
    assert.deepEqual(lasting(JSON.parse(results('json'))), lasting(JSON.parse(document)));
    if (found.variants.length > 1) {
      skirmish('compare', name, '-n', String(ENCOUNTERS), '-o', folder);
      assert.equal(results('comparisons'), file('comparisons.csv'));
    }
  });
}

test('the page of a report, with a number that --set changes', () => {
  const set = ['combatants.monster.health=45'];
  const { results } = play('multi-attacker.toml', set);
  copyFileSync(join(root, 'scenarios/multi-attacker.toml'), join(scratch, 'multi-attacker.toml'));
  const args = ['report', 'multi-attacker.toml', '-n', String(ENCOUNTERS), '--set', set[0], '-o', 'report.html'];
  execFileSync(program, args, { cwd: scratch, stdio: 'ignore' });
  assert.equal(results('report'), readFileSync(join(scratch, 'report.html'), 'utf8'));
});

test('the number of parts does not matter', () => {
  const one = play('kiting.toml', [], [0, ENCOUNTERS]).results('json');
  assert.equal(play('kiting.toml').results('json'), one);
});

test('an encounter is drawn as trace draws it', () => {
  play('multi-attacker.toml');
  const page = text(ask({ ask: 'fight', variant: 'base', encounter: 5, why: false }));
  const drawn = text(skirmish('trace', 'multi-attacker.toml', '--encounter', '5', '--format', 'html'));
  const rows = (html) => /<div class="picture[\s\S]*?<\/figcaption>|<svg[\s\S]*<\/svg>/.exec(html)[0].replaceAll(/Encounter 5[^<]*/g, '');
  assert.ok(rows(page).length > 1000);
  assert.equal(rows(page), rows(drawn));
});

for (const name of ['multi-attacker.toml', 'chronicles-patience.toml', 'mage-initiative.toml', 'simple-initiative.toml']) {
  test(`${name}: the files of solved fights`, () => {
    const { found } = play(name);
    const folder = join(scratch, 'exact');
    const solved = (want) => text(ask({ ask: 'exact', want }));
    const file = (file) => readFileSync(join(folder, basename(name, '.toml'), file), 'utf8');
    const document = text(skirmish('run', name, '--exact', '--format', 'json', '-o', folder));
    assert.equal(solved('summaries'), file('summary.csv'));
    assert.equal(solved('distributions'), file('distributions.csv'));
    assert.equal(solved('examples'), file('examples.csv'));
    assert.deepEqual(lasting(JSON.parse(solved('json'))), lasting(JSON.parse(document)));
    if (found.variants.length > 1) {
      skirmish('compare', name, '--exact', '-o', folder);
      assert.equal(solved('comparisons'), file('comparisons.csv'));
    }
    copyFileSync(join(root, 'scenarios', name), join(scratch, name));
    execFileSync(program, ['report', name, '--exact', '-o', 'report.html'], { cwd: scratch, stdio: 'ignore' });
    assert.equal(solved('report'), readFileSync(join(scratch, 'report.html'), 'utf8'));
  });
}

const QUESTIONS = [
  ['2d10+9', '3d6+9'],
  ['4d6kh3', 'vs', '3d6'],
  ['--pool', '8', '--difficulty', '6'],
  ['--pool', '1..6', '--difficulty', '5..8'],
  ['{ pool = 6 }', '--vary', 'botch=ones-exceed,no-success'],
  ['{ skill = 55 }', '--against', '{ skill = 30 }'],
];

for (const words of QUESTIONS) {
  test(`odds ${words.join(' ')}: the page of the command line`, () => {
    execFileSync(program, ['odds', ...words, '--report', 'odds.html'], { cwd: scratch, stdio: 'ignore' });
    const page = readFileSync(join(scratch, 'odds.html'), 'utf8');
    assert.ok(page.includes(' --report odds.html'));
    // The command in the page asks for no file, and so for no page.
    const expected = page.replace(' --report odds.html', '').replace('makes the same page again', 'prints the same numbers');
    assert.notEqual(expected, page);
    assert.equal(text(ask({ ask: 'odds', words })), expected);
  });
}

test('a wrong question about dice is refused as on the command line', () => {
  const refused = (...words) => {
    try {
      return text(ask({ ask: 'odds', words }));
    } catch (error) {
      return error.message;
    }
  };
  for (const words of [['2d'], ['--pool', '8', '--difficulty', '11'], ['--pol', '8'], []]) {
    const { status, stderr } = spawnSync(program, ['odds', ...words], { encoding: 'utf8' });
    assert.equal(status, 2);
    // A terminal folds long lines.
    const folded = (message) => message.trim().replaceAll(/\s+/g, ' ');
    assert.equal(folded(stderr), `error: ${folded(refused(...words))}`);
  }
  assert.match(refused('2d6', '--format', 'csv'), /for the command line/);
});

test('errors stand where they are', () => {
  const wrong = readFileSync(join(root, 'scenarios/walled-duel.toml'), 'utf8').replace('health =', '"ä" = 1\nhealht =');
  const { errors } = json(ask({ ask: 'read', name: 'a.toml', text: wrong, set: [] }));
  const places = errors.map(({ from, to }) => wrong.slice(from, to));
  assert.ok(places.some((place) => place.includes('healht')), JSON.stringify(places));
});

test('a question that makes no sense is refused', () => {
  assert.throws(() => ask({ ask: 'play', fight: 99, start: 0, end: 1 }), /no scenario|no encounters/);
  play('walled-duel.toml');
  assert.throws(() => ask({ ask: 'play', fight: 99, start: 0, end: 1 }), /no encounters/);
  assert.throws(() => ask({ ask: 'results', encounters: 1, parts: [{ fight: 0, start: 0, end: 1, length: 3 }], want: 'json' }, [new Uint8Array(3)]));
});
