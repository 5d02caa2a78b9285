// The pages of `skirmish report` and `skirmish trace` in a real browser: what they promise to those who see, hear, print or
// type their way through them, and that their numbers are those of the files.
//
//   SKIRMISH   the program
//   CHROMIUM   the browser
//   SHOTS      folder for pictures of the pages, to be looked at

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { parse } from './csv.js';
import * as inside from './inside.js';

const here = dirname(fileURLToPath(import.meta.url));
const scenarios = resolve(here, '../../scenarios');
const program = process.env.SKIRMISH ?? resolve(here, '../../target/release/skirmish');
const scratch = mkdtempSync(join(tmpdir(), 'skirmish-pages-'));
const shots = process.env.SHOTS;

/** The one script that a page has. */
const keys = readFileSync(resolve(here, '../../src/output/html/templates/keys.js'), 'utf8').trimEnd();

const skirmish = (...args) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
const played = (name, ...commands) => {
  const output = join(scratch, 'results', name);
  for (const [command, file, ...options] of commands) skirmish(command, file, ...options, '--quiet', '--output', output);
  return output;
};
const scenario = (name) => join(scenarios, `${name}.toml`);

/** The pages: what is played for each, what it is made from if not from that, and figures that it must have. */
const pages = [
  {
    name: 'everything',
    folder: () =>
      join(
        played(
          'everything',
          ['run', scenario('multi-attacker'), '-n', '5k'],
          ['compare', scenario('multi-attacker'), '-n', '5k'],
          ['sweep', scenario('multi-attacker'), '-n', '2k', '--vary', 'combatants.monster.health=20..60:5', '--threshold', '50%'],
          ['sensitivity', scenario('multi-attacker'), '-n', '2k'],
        ),
        'multi-attacker',
      ),
    figures: ['How many Rounds does an encounter take?', 'Who still stands at the end of each Round?'],
  },
  {
    // Groups of a count, folded.
    name: 'groups',
    make: (file) => skirmish('report', join(here, '../report/eight.toml'), '-n', '500', '--quiet', '--output', file),
    figures: ['Who still stands at the end of each Round?', 'How much damage does each combatant deal?'],
  },
  {
    name: 'many-variants',
    folder: () => join(played('many-variants', ['run', scenario('kiting'), '-n', '100']), 'kiting'),
    figures: ['How many Rounds does an encounter take?'],
  },
  {
    name: 'grid',
    folder: () =>
      join(
        played('grid', [
          'sweep',
          scenario('multi-attacker'),
          '-n',
          '1k',
          '--vary',
          'combatants.monster.health=20..60:10',
          '--vary',
          'combatants.combatant.armor=1..5',
        ]),
        'multi-attacker',
      ),
    figures: [],
  },
  {
    name: 'names',
    // A page of the scenario itself: it has the question and the rulings, which results do not hold.
    from: [join(here, 'names.toml'), '-n', '500'],
    folder: () => join(played('names', ['run', join(here, 'names.toml'), '-n', '500'], ['compare', join(here, 'names.toml'), '-n', '500']), 'names'),
    figures: ['How many Rounds does an encounter take?'],
  },
  {
    // What has no results: exact chances of dice, and what a scenario claims.
    name: 'dice',
    folder: () => {
      const output = join(scratch, 'results', 'dice');
      mkdirSync(output, { recursive: true });
      skirmish('odds', '--pool', '1..10', '--difficulty', '3..9', '--format', 'csv', '--output', join(output, 'odds.csv'));
      return output;
    },
    make: (file) => skirmish('odds', '--pool', '1..10', '--difficulty', '3..9', '--report', file),
    figures: [],
  },
  {
    name: 'claims',
    make: (file) => skirmish('check', scenario('multi-attacker'), '--quiet', '--report', file),
    figures: [],
  },
  {
    // Single encounters: one in Marks, one whose things have no Marks and interrupt one another.
    name: 'trace-marks',
    make: (file) => skirmish('trace', scenario('party'), '--encounter', '7', '--format', 'html', '--output', file),
    figures: ['Encounter 7 of seed 1, variant base'],
  },
  {
    name: 'trace-turns',
    make: (file) => skirmish('trace', scenario('eclipse-ambush'), '--format', 'html', '--why', '--output', file),
    figures: ['Encounter 0 of seed 1, variant base'],
  },
];

const widths = [1280, 400];
const schemes = ['light', 'dark'];

let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});

after(async () => {
  await browser?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Opens a page as it comes, and keeps what it says and what it asks for. */
async function open(file, { width = 1280, scheme = 'light', script = true } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, javaScriptEnabled: script });
  const page = await context.newPage();
  const said = [];
  const asked = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('dialog', async (dialog) => {
    said.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) asked.push(request.url());
  });
  const url = pathToFileURL(file).href;
  await page.goto(url, { waitUntil: 'load' });
  return { page, said, asked, url, close: () => context.close() };
}

const unfold = (page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

/** Whether a cell of a file is shown with about four digits, in per cent or as it is. */
function reads(cell, shown) {
  const [exact, number] = [Number(cell) * (shown.endsWith('%') ? 100 : 1), Number.parseFloat(shown)];
  const isAnswer = (shown === 'yes' && cell === 'true') || (shown === 'no' && cell === 'false');
  return cell === shown || isAnswer || Math.abs(exact - number) <= 0.0006 * Math.abs(exact);
}

/** Looks the cells of the file below a table up in the file that it comes from, and holds the table to them. */
function compare(table, folder, faults) {
  const of = `"${table.about}"`;
  const rows = parse(readFileSync(join(folder, table.file), 'utf8'));
  const known = new Set(Object.keys(rows[0]));
  const linked = parse(table.link);
  table.columns = table.link.split('\n')[0].split(',');
  linked.forEach((row, at) => {
    table.columns.forEach((column, index) => {
      const shown = table.rows[at][index];
      if (!reads(row[column], shown)) faults.push(`${of}: ${row[column]} is shown as ${shown}`);
    });
  });
  if (linked.length !== table.rows.length) faults.push(`${of} has ${table.rows.length} rows, its file ${linked.length}`);
  table.rows = linked.map((row) => table.columns.map((column) => row[column]));
  const strange = [...table.columns, ...Object.keys(table.fixed)].filter((column) => !known.has(column));
  if (strange.length > 0) {
    faults.push(`${of}: ${table.file} has no ${strange.join(', ')}`);
    return 0;
  }
  const left = rows.filter((row) => Object.entries(table.fixed).every(([column, value]) => row[column] === value));
  let same = 0;
  for (const cells of table.rows) {
    const found = left.findIndex((row) => table.columns.every((column, index) => row[column] === cells[index]));
    if (found < 0) {
      faults.push(`${of}: no row of ${table.file} is ${cells.join(' | ')}`);
    } else {
      left.splice(found, 1);
      same += cells.length;
    }
  }
  return same;
}

for (const { name, from, folder: play, make, figures } of pages) {
  describe(name, () => {
    const file = join(scratch, `${name}.html`);
    let folder;

    before(() => {
      folder = play?.();
      if (make !== undefined) make(file);
      else skirmish('report', ...(from ?? [folder]), '--output', file, '--quiet');
    });

    test('asks for nothing but itself, and has nothing to complain of', async () => {
      const { page, said, asked, url, close } = await open(file);
      await unfold(page);
      await page.mouse.wheel(0, 100_000);
      await page.waitForTimeout(200);
      assert.deepEqual(asked, [url]);
      assert.deepEqual(said, []);
      assert.deepEqual(await page.locator('script').allTextContents(), [`${keys}\n`]);
      await close();
    });

    for (const width of widths) {
      test(`has every chart, each with its title, whole and legible, ${width} pixels wide`, async () => {
        const { page, close } = await open(file, { width });
        const drawings = await page.evaluate(inside.charts);
        for (const { heading, faults } of drawings) assert.deepEqual(faults, [], heading);
        const charts = drawings.filter(({ first }) => first);
        const titles = charts.map(({ title }) => title);
        for (const figure of figures) assert.ok(titles.includes(figure), `"${figure}" is not among ${titles.join(' | ')}`);
        assert.ok(charts.length > 0);
        assert.equal(new Set(titles).size, titles.length, 'every chart is called something else');
        for (const { role, title, description, heading, table } of charts) {
          // Its marks can be reached one by one.
          assert.equal(role, 'group');
          assert.equal(title, heading);
          assert.ok(description.length > 10, `"${title}" is described`);
          assert.ok(table, `"${title}" has its numbers below it`);
        }
        await close();
      });
    }

    const compared = play === undefined ? () => {} : test;
    compared('has the numbers of the files in its tables, cell by cell', async () => {
      const { page, close } = await open(file);
      await unfold(page);
      const tables = await page.evaluate(inside.tables);
      const faults = [];
      let same = 0;
      for (const table of tables.filter((one) => one.file !== null)) {
        assert.ok(table.rows.length > 0, `"${table.about}" has rows`);
        same += compare(table, folder, faults);
      }
      assert.deepEqual(faults, []);
      assert.ok(same >= 20, `only ${same} cells come from files`);
      await close();
    });

    test('is worked with keys alone', async () => {
      const { page, close } = await open(file);
      const folds = page.locator('summary');
      // Folding is the browser's own: a few of them show that nothing keeps keys from it.
      for (let index = 0; index < Math.min(await folds.count(), 6); index += 1) {
        const fold = folds.nth(index);
        const unfolded = () => fold.evaluate((summary) => summary.parentElement.open);
        await fold.focus();
        assert.equal(await unfolded(), false);
        await page.keyboard.press('Enter');
        assert.equal(await unfolded(), true, 'Enter unfolds');
        await page.keyboard.press('Space');
        assert.equal(await unfolded(), false, 'Space folds');
        await page.keyboard.press('Space');
        assert.equal(await unfolded(), true, 'Space unfolds');
      }
      await unfold(page);
      const stops = await page.evaluate(inside.stops);
      assert.ok(stops.length > 0);
      const missed = new Set(stops.keys());
      // From the top of the page.
      await page.evaluate(() => {
        document.activeElement.blur();
        window.getSelection().removeAllRanges();
        document.body.setAttribute('tabindex', '-1');
        document.body.focus();
        document.body.removeAttribute('tabindex');
      });
      for (let pressed = 0; pressed < stops.length + 3 && missed.size > 0; pressed += 1) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(inside.focus);
        if (at === null) continue;
        assert.ok(at.seen, `one sees that the focus is on ${stops[at.stop]}`);
        missed.delete(at.stop);
      }
      assert.deepEqual(
        [...missed].map((stop) => stops[stop]),
        [],
      );
      await close();
    });

    test('has marks that arrow keys go to, each with what it says', async () => {
      const { page, close } = await open(file);
      await unfold(page);
      for (let index = 0; index < (await page.locator('.picture').count()); index += 1) {
        const picture = page.locator('.picture').nth(index);
        const marks = await picture.evaluate(inside.marks);
        // A timeline for which the page has no more room tells nothing but its story.
        if (marks.length === 0 && (await picture.locator('.timeline').count()) > 0) continue;
        assert.ok(marks.length > 0, 'there are marks');
        await picture.locator('[tabindex="0"]:visible').first().focus();
        for (const [key, mark] of [
          ['End', marks.at(-1)],
          ['Home', marks[0]],
        ]) {
          await page.keyboard.press(key);
          assert.equal(await page.evaluate(inside.mark), mark, `${key} goes there`);
        }
        // Each mark has the focus, and says so to eye and ear. After the last there is none.
        const heard = await page.evaluate(`(${inside.along})(${inside.mark}, ${marks.length})`);
        assert.deepEqual(heard, [...marks.slice(1), marks.at(-1)], 'arrows go to the next');
        assert.equal(await picture.locator('[tabindex="0"]:visible').count(), 1, 'all are one stop');
        await page.keyboard.press('ArrowUp');
        if (marks.length > 1) assert.notEqual(await page.evaluate(inside.mark), null, 'ArrowUp goes to another');
      }
      await close();
    });

    test('is whole without its script', async () => {
      const { page, close } = await open(file, { script: false });
      const drawings = await page.locator('.picture svg.chart').evaluateAll((all) => all.map((svg) => svg.getAttribute('role')));
      assert.ok(drawings.every((role) => role === 'img'));
      assert.equal(await page.locator('.picture:not([tabindex="0"])').count(), 0, 'what scrolls can be scrolled');
      assert.equal(await page.locator('.told').count(), 0);
      await close();
    });

    test('leads with every link to something that is there', async () => {
      const { page, close } = await open(file);
      const dead = await page.evaluate(() =>
        [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href').slice(1)).filter((id) => document.getElementById(id) === null),
      );
      assert.deepEqual(dead, []);
      const away = await page.locator('a:not([href^="#"]):not([download][href^="data:text/csv"])').count();
      assert.equal(away, 0, 'no link leaves the page');
      await close();
    });

    test('shows its tables on paper', async () => {
      const { page, close } = await open(file, { scheme: 'dark' });
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      // What was skipped while it was folded is laid out with the next picture.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      assert.deepEqual(await page.evaluate(inside.hiddenOnPaper), []);
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(paper, 'rgb(255, 255, 255)', 'paper is white');
      assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
      await close();
    });

    for (const scheme of schemes) {
      for (const width of widths) {
        // Width and contrast are checked both folded and unfolded; axe would skip what is folded.
        const unfolded = (scheme === 'light') === (width === 1280);
        test(`${scheme}, ${width} pixels wide: open to everybody, and no wider than the screen`, async () => {
          const { page, close } = await open(file, { width, scheme });
          if (shots !== undefined) {
            mkdirSync(shots, { recursive: true });
            await page.screenshot({ path: join(shots, `${name}-${scheme}-${width}.png`), fullPage: true });
          }
          if (unfolded) await unfold(page);
          const { by, wide } = await page.evaluate(inside.sideways);
          assert.equal(by, 0, `the page can be scrolled to the side: ${wide.join(' ')}`);
          assert.deepEqual(await page.evaluate(inside.faint), []);
          if (!unfolded) return close();
          await page.evaluate(axe.source);
          const found = await page.evaluate(async () => {
            const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
            // eslint-disable-next-line no-undef
            const { violations, passes } = await axe.run({ runOnly, resultTypes: ['violations'] });
            // All elements that pass would take longer on their way out of the browser than the tests take.
            return { violations, passes: passes.map(({ id }) => id) };
          });
          const told = found.violations.map(({ id, nodes }) => `${id}: ${nodes.length} times, first ${nodes[0].html.slice(0, 160)} (${nodes[0].failureSummary})`);
          assert.deepEqual(told, []);
          assert.ok(found.passes.includes('color-contrast'));
          await close();
        });
      }
    }
  });
}

test('names are text, whatever they are made of', async () => {
  const { page, said, close } = await open(join(scratch, 'names.html'));
  const text = await page.evaluate(() => document.body.textContent);
  const title = await page.title();
  assert.ok(title.includes(`<script>alert("title")</script>`), title);
  for (const name of [`<script>alert("question")</script>`, "<img src=x onerror='alert(4)'> & more", '<script>alert(2)</script>', '</title><script>alert(3)</script>', "O'Hara & <i>sons</i>"]) {
    assert.ok(text.includes(name), `the page says ${name}`);
  }
  assert.equal(await page.locator('img, iframe, object, embed, link').count(), 0);
  assert.equal(await page.locator('script').count(), 1);
  assert.deepEqual(said, []);
  await close();
});

test('a fight of eight against eight is a short page while it is folded', async () => {
  const { page, close } = await open(join(scratch, 'groups.html'));
  const high = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(high < 4000, `${high} pixels`);
  await close();
});

test('a link of the list of encounters unfolds the timeline that it leads to, with a script and without', async () => {
  for (const script of [true, false]) {
    const { page, close } = await open(join(scratch, 'groups.html'), { script });
    const link = page.locator('th a').first();
    const id = (await link.getAttribute('href')).slice(1);
    const timeline = page.locator(`#${id} svg.timeline:visible`);
    assert.equal(await timeline.count(), 0);
    await link.click();
    await timeline.first().waitFor();
    await close();
  }
});

for (const script of [true, false]) {
  test(`variants are switched off and on, ${script ? 'with' : 'without'} a script, also for print`, async () => {
    const { page, close } = await open(join(scratch, 'everything.html'), { script });
    const shown = () => page.locator('#wins svg:visible g.v1:visible').count();
    const high = async () => (await page.locator('#wins svg:visible').boundingBox()).height;
    await unfold(page);
    const before = await high();
    const all = await shown();
    assert.ok(all > 0);
    await page.locator('#v1').uncheck();
    assert.equal(await shown(), 0, 'a variant that is off is not seen');
    assert.ok((await page.locator('#wins svg:visible g.v0:visible').count()) > 0, 'the others are');
    if (script) assert.ok((await high()) < before - 30, 'the others close up');
    assert.equal(await page.locator('tr.v1:visible').count(), 0);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await shown(), 0, 'and so it is on paper');
    assert.equal(await page.locator('.switches:visible').count(), 0);
    await page.emulateMedia({ media: 'screen' });
    await page.locator('#v1').check();
    assert.equal(await shown(), all);
    assert.equal(await high(), before);
    await close();
  });
}

test('tables of numbers are put in order by size and by name', async () => {
  const { page, close } = await open(join(scratch, 'many-variants.html'));
  const column = (at) => page.locator(`.rates tbody tr > :nth-child(${at})`).allTextContents();
  const sorted = async (at, name) => {
    await page.getByRole('button', { name }).first().click();
    return column(at);
  };
  const written = await column(1);
  const names = await sorted(1, 'variant');
  assert.deepEqual(names, written.toSorted((one, other) => one.localeCompare(other)));
  const rising = (await sorted(2, 'wins of')).map(Number.parseFloat);
  assert.deepEqual(rising, rising.toSorted((one, other) => one - other));
  const falling = (await sorted(2, 'wins of')).map(Number.parseFloat);
  assert.deepEqual(falling, rising.toReversed());
  assert.equal(await page.locator('.rates th[aria-sort=descending]').count(), 1);
  await close();
});

test('a page of nine variants is short on a phone', async () => {
  const { page, close } = await open(join(scratch, 'many-variants.html'), { width: 400 });
  const high = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(high < 7000, `${high} pixels`);
  await close();
});

test('the story of an encounter is folded, and stands to the left', async () => {
  const { page, close } = await open(join(scratch, 'trace-marks.html'));
  assert.equal(await page.locator('details[open]').count(), 0);
  await unfold(page);
  const sides = await page.locator('details td, details th').evaluateAll((cells) => [...new Set(cells.map((cell) => getComputedStyle(cell).textAlign))]);
  assert.deepEqual(sides, ['left']);
  await close();
});
