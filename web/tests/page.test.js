// The playground in a real browser.
//
//   SKIRMISH   the program
//   SITE       the folder of the built page
//   SHOTS      folder for pictures of the page, to be looked at

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from '../serve.js';
import { axe, done, launch, paste, rates, root, titled, visit } from './browser.js';

const program = process.env.SKIRMISH ?? join(root, 'target/release/skirmish');
const site = process.env.SITE ?? join(root, 'web/site');
const scratch = mkdtempSync(join(tmpdir(), 'skirmish-playground-'));
const text = (name) => readFileSync(join(root, 'scenarios', name), 'utf8');

let browser;
let server;
let home;

before(async () => {
  server = await serve(site);
  home = `http://127.0.0.1:${server.address().port}/`;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  rmSync(scratch, { recursive: true, force: true });
});

const open = ({ address = home, ...looks } = {}) => visit(browser, address, looks);
const encounters = async (page) => Number(/^([\d,]+)/.exec(await page.textContent('#state'))[1].replaceAll(',', ''));

async function choose(page, name) {
  // The same may be there already: what is waited for is that it is played anew.
  await page.evaluate(() => (document.querySelector('#title').textContent = ''));
  await page.selectOption('#shipped', name);
  await titled(page, /^title = "(.*)"/m.exec(text(name))[1]);
}

async function download(page, name) {
  if (!(await page.locator('#files').evaluate((details) => details.open))) await page.locator('#files > summary').click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#downloads button', { hasText: name }).click()]);
  const place = join(scratch, name);
  await file.saveAs(place);
  return readFileSync(place, 'utf8');
}

test('a scenario that is pasted is played by itself, with its differences on the same dice', async () => {
  const { page, context, said, asked } = await open();
  await paste(page, text('multi-attacker.toml').replace(/^title = .*$/m, 'title = "Pasted"'));
  await page.waitForFunction(() => document.querySelector('#title').textContent === 'Pasted' && document.querySelectorAll('#rates tbody tr').length === 2);
  await done(page);
  const [base, simple] = await rates(page);
  assert.match(base, /^base\s+5[4-6]\.\d% ±0\.\d/);
  assert.match(simple, /^simple round\s+6[7-9]\.\d%/);
  assert.match(await page.locator('#differences').innerText(), /heroes win 13\.\d points more often/);
  assert.deepEqual(said, []);
  assert.deepEqual([...asked], [new URL(home).origin], 'nothing comes from elsewhere');
  await context.close();
});

test('a misspelt key is underlined and named, and results of a right scenario come back', async () => {
  const { page, context } = await open();
  const right = text('walled-duel.toml');
  await paste(page, right);
  await done(page);
  await page.locator('.cm-content').focus();
  // With the keys: the last letters of a line that is new.
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('healht = 1');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.locator('#problems .error').first().waitFor();
  assert.match(await page.locator('#problems').innerText(), /^line 1: error: .*healht/);
  assert.ok((await page.locator('.cm-lintRange-error').allInnerTexts()).includes('healht'));
  await page.locator('#problems button').first().click();
  assert.equal(await page.locator('.cm-content').evaluate((one) => one.getRootNode().activeElement === one), true, 'its place has the focus');
  await paste(page, right);
  await page.locator('#problems .error').first().waitFor({ state: 'detached' });
  await done(page);
  await context.close();
});

test('a scenario that another took the place of comes back by undoing', async () => {
  const { page, context } = await open();
  await paste(page, text('mirror.toml').replace(/^title = .*$/m, 'title = "My own"'));
  await titled(page, 'My own');
  await choose(page, 'multi-attacker.toml');
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+z');
  await titled(page, 'My own');
  await context.close();
});

test('a link holds the scenario', async () => {
  const { page, context } = await open();
  await paste(page, text('multi-attacker.toml').replace(/^title = .*$/m, 'title = "Shared, ünd more"'));
  await page.waitForFunction(() => document.querySelector('#title').textContent.startsWith('Shared'));
  await page.locator('#link').click();
  await page.waitForFunction(() => document.querySelector('#said').textContent !== '');
  const address = page.url();
  assert.ok(address.length < 4000, `${address.length} characters`);
  await done(page);
  const shown = await rates(page);
  const other = await open({ address });
  assert.equal(await other.page.textContent('#title'), 'Shared, ünd more');
  assert.deepEqual(await rates(other.page), shown);
  await other.context.close();
  await context.close();
});

const damaged = (page) => page.waitForFunction(() => document.querySelector('#said').textContent.startsWith('This link is damaged'));

test('a damaged link says so, and changes nothing', async () => {
  const { page, context } = await open();
  await paste(page, text('multi-attacker.toml').replace(/^title = .*$/m, 'title = "Mine"'));
  await titled(page, 'Mine');
  const good = new URL(page.url()).hash;
  const noScenario = await page.evaluate(async () => {
    const stream = new Blob(['{"name":1}']).stream().pipeThrough(new CompressionStream('deflate-raw'));
    return `#s=${btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())))}`;
  });
  for (const hash of ['#s=%%%', '#s=', good.slice(0, -40), noScenario]) {
    const shown = [await page.locator('.cm-content').innerText(), await rates(page)];
    await page.evaluate((hash) => (location.hash = hash), hash);
    await damaged(page);
    assert.deepEqual([await page.locator('.cm-content').innerText(), await rates(page)], shown, hash);
    assert.equal(new URL(page.url()).hash, hash, 'the address is as it was given');
    await page.evaluate((hash) => (location.hash = hash), good);
    await page.waitForFunction(() => document.querySelector('#said').textContent === '');
    await titled(page, 'Mine');
    const other = await context.newPage();
    const url = new URL(page.url());
    url.hash = hash;
    await other.goto(url.href);
    await damaged(other);
    assert.equal(await other.textContent('#title'), '', hash);
    assert.equal(other.url(), url.href, hash);
    await other.close();
  }
  await context.close();
});

test('downloads are the bytes of the commands beside them', async () => {
  const { page, context } = await open();
  await choose(page, 'multi-attacker.toml');
  const files = {};
  for (const name of ['summary.csv', 'comparisons.csv', 'report.html']) files[name] = await download(page, name);
  const commands = await page.locator('#commands code').allTextContents();
  assert.equal(commands.length, 3);
  // As they stand there, where the file is.
  copyFileSync(join(root, 'scenarios/multi-attacker.toml'), join(scratch, 'multi-attacker.toml'));
  const env = { ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` };
  for (const command of commands) execFileSync('sh', ['-c', command], { cwd: scratch, env, stdio: 'ignore' });
  for (const name of ['summary.csv', 'comparisons.csv']) {
    assert.equal(files[name], readFileSync(join(scratch, 'results/multi-attacker', name), 'utf8'), name);
  }
  assert.equal(files['report.html'], readFileSync(join(scratch, 'report.html'), 'utf8'), 'report.html');
  await context.close();
});

test('a slider plays with another number, and shows the numbers of before', async () => {
  const { page, context } = await open();
  await choose(page, 'multi-attacker.toml');
  await page.locator('#numbers > summary').click();
  const slider = page.locator('#sliders label', { hasText: 'monster.health' });
  await page.locator(`#${await slider.getAttribute('for')}`).focus();
  await page.keyboard.press('PageUp');
  await page.waitForFunction(() => document.querySelector('#rates .before') !== null);
  await done(page);
  const [base] = await rates(page);
  assert.match(base, /before 5[4-6]\.\d/);
  const difference = page.locator('#differences details').first();
  assert.match(await difference.innerText(), /^base against the numbers of the file, on the same dice/);
  assert.match(await difference.innerText(), /heroes win \d+\.\d+ points less often \(/);
  assert.match(await page.locator('#commands code').first().textContent(), /--set combatants\.monster\.health=\d+/);
  const address = page.url();
  const other = await open({ address });
  assert.equal((await rates(other.page))[0].split('%')[0], base.split('%')[0], 'a link holds the number, too');
  assert.equal(await other.page.locator('#differences details').count(), 2);
  await other.context.close();
  await page.locator('#reset').click();
  await page.waitForFunction(() => document.querySelector('#rates .before') === null);
  await context.close();
});

test('a slider keeps its number while the text is edited, as long as the number in the text is the same', async () => {
  const { page, context } = await open();
  await choose(page, 'multi-attacker.toml');
  await page.locator('#numbers > summary').click();
  const health = page.locator('#sliders label', { hasText: 'monster.health' });
  const slider = async () => page.locator(`#${await health.getAttribute('for')}`).inputValue();
  await page.locator(`#${await health.getAttribute('for')}`).focus();
  await page.keyboard.press('PageUp');
  await page.waitForFunction(() => document.querySelector('#rates .before') !== null);
  await done(page);
  const moved = await slider();
  const set = `--set combatants.monster.health=${moved}`;
  const edited = async (content) => {
    await page.evaluate(() => (document.querySelector('#title').textContent = ''));
    await paste(page, content);
  };
  const title = 'Three attacks against one big one';
  const original = text('multi-attacker.toml');

  await edited(`# A comment.\n${original}`);
  await titled(page, title);
  assert.ok((await page.textContent('#commands')).includes(set), 'after a comment');
  assert.equal(await slider(), moved);
  await edited(`wrong = 1\n${original}`);
  await page.locator('#problems .error').first().waitFor();
  assert.equal(await slider(), moved);
  await edited(original);
  await titled(page, title);
  assert.ok((await page.textContent('#commands')).includes(set), 'after an error');
  assert.equal(await page.locator('#dropped').textContent(), '');

  await edited(original.replace('health = 30', 'health = 31'));
  await titled(page, title);
  assert.match(await page.locator('#dropped').textContent(), /sliders are reset: monster\.health\.$/);
  assert.ok(!(await page.textContent('#commands')).includes('--set'));
  await page.waitForFunction(() => {
    const label = [...document.querySelectorAll('#sliders label')].find((one) => one.textContent.includes('monster.health'));
    return document.getElementById(label?.htmlFor)?.value === '31';
  });
  assert.equal(await page.locator('#reset').isDisabled(), true);
  await context.close();
});

test('a slider of dice changes what is added to them', async () => {
  const { page, context } = await open();
  await paste(page, text('multi-attacker.toml').replace(/^title = .*$/m, 'title = "Dice"'));
  await page.waitForFunction(() => document.querySelector('#title').textContent === 'Dice');
  await done(page);
  await page.locator('#numbers > summary').click();
  const sliders = page.locator('#sliders');
  const dice = sliders.locator('output', { hasText: /^\d+d\d+/ }).first();
  const before = await dice.innerText();
  await page.locator(`#${await dice.getAttribute('for')}`).focus();
  await page.keyboard.press('ArrowRight');
  const after = await dice.innerText();
  const added = (text) => Number(/^\d+d\d+([+-]\d+)?$/.exec(text)[1] ?? 0);
  assert.equal(added(after), added(before) + 1);
  await page.waitForFunction((text) => document.querySelector('#commands code').textContent.includes(text), after);
  await done(page);
  assert.equal(await page.locator('#problems .error').count(), 0);
  await context.close();
});

test('an encounter can be read', async () => {
  const { page, context } = await open();
  await page.locator('#which').fill('3');
  await page.keyboard.press('Enter');
  const picture = page.locator('#picture');
  await picture.getByText('Encounter 3, variant base').first().waitFor();
  assert.ok((await picture.locator('svg .block').count()) > 2);
  assert.ok((await picture.locator('svg .arrow').count()) > 4);
  await picture.locator('summary').first().click();
  assert.match(await picture.locator('table').first().innerText(), /monster/);
  await context.close();
});

test('while the text has errors, the encounter that is drawn is named', async () => {
  const { page, context } = await open();
  await page.locator('#picture').getByText('Encounter 0, variant base').first().waitFor();
  const right = text('multi-attacker.toml');
  await paste(page, `wrong = 1\n${right}`);
  await page.locator('#problems .error').first().waitFor();
  await page.locator('#which').fill('5');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#drawn').innerText(), 'The text has errors. This is encounter 0 of the scenario before.');
  assert.match(await page.locator('#picture').getAttribute('class'), /\bold\b/);
  await paste(page, right);
  await page.locator('#picture').getByText('Encounter 5, variant base').first().waitFor();
  assert.equal(await page.locator('#drawn').textContent(), '');
  assert.doesNotMatch(await page.locator('#picture').getAttribute('class'), /\bold\b/);
  await context.close();
});

/** Presses a button as soon as an element has a text, and waits for that; returns what the page shows then. */
const pressAt = (page, [id, wanted, button]) =>
  page.evaluate(
    ([id, wanted, button]) =>
      new Promise((seen) => {
        const element = document.getElementById(id);
        const observer = new MutationObserver(() => {
          if (!element.textContent.startsWith(wanted)) return;
          observer.disconnect();
          const shown = Object.fromEntries(['rates', 'differences', 'notes'].map((one) => [one, document.getElementById(one).textContent]));
          document.getElementById(button).click();
          seen(shown);
        });
        observer.observe(element, { childList: true, characterData: true, subtree: true });
      }),
    [id, wanted, button],
  );

test('results of a file are gone when the title is that of another one', async () => {
  const { page, context } = await open();
  await choose(page, 'multi-attacker.toml');
  await page.locator('#charts > summary').click();
  await page.locator('#figures svg:visible').first().waitFor();
  const title = 'The walled duel';
  const [shown] = await Promise.all([pressAt(page, ['title', title, 'stop']), page.selectOption('#shipped', 'walled-duel.toml')]);
  assert.deepEqual(shown, { rates: '', differences: '', notes: '' });
  await page.waitForFunction(() => document.querySelector('#state').textContent === 'Stopped: there are no results yet.');
  assert.equal(await page.textContent('#title'), title);
  assert.equal(await page.textContent('#rates'), '');
  assert.equal(await page.locator('#figures svg').count(), 0);
  assert.equal(await page.locator('#charted').innerText(), 'There are no results yet, so there are no charts.');
  assert.equal(await page.locator('#stop').innerText(), 'Go on');
  await page.locator('#stop').click();
  await done(page);
  await page.locator('#figures svg:visible').first().waitFor();
  assert.equal(await page.locator('#charted').textContent(), '');
  await context.close();
});

test('after Stop, Go on plays on from there, to the same numbers', async () => {
  const { page, context } = await open();
  await choose(page, 'multi-attacker.toml');
  const all = await rates(page);
  const total = await encounters(page);
  await choose(page, 'walled-duel.toml');
  await Promise.all([pressAt(page, ['state', '1,000 encounters', 'stop']), paste(page, text('multi-attacker.toml'))]);
  await page.waitForFunction(() => document.querySelector('#state').textContent === '1,000 encounters of each variant (stopped)');
  const go = page.getByRole('button', { name: 'Go on' });
  const [shown] = await Promise.all([
    page.evaluate(
      () =>
        new Promise((seen) => {
          const state = document.getElementById('state');
          const observer = new MutationObserver(() => {
            if (!/^\d/.test(state.textContent)) return;
            observer.disconnect();
            seen(state.textContent);
          });
          observer.observe(state, { childList: true, characterData: true, subtree: true });
        }),
    ),
    go.click(),
  ]);
  assert.match(shown, /^4,000 encounters/, 'nothing is played again');
  await done(page);
  assert.equal(await encounters(page), total);
  assert.deepEqual(await rates(page), all);
  assert.equal(await page.locator('#stop').innerText(), 'Stop');
  assert.equal(await page.locator('#stop').isDisabled(), true);
  await context.close();
});

test('a solution that is stopped gives the results of before back', async () => {
  const { page, context } = await open();
  await choose(page, 'multi-attacker.toml');
  const state = await page.textContent('#state');
  const solveAndStop = () =>
    page.evaluate(() => {
      document.getElementById('exact').click();
      document.getElementById('stop').click();
    });
  await solveAndStop();
  await page.waitForFunction((text) => document.querySelector('#state').textContent === text, `Stopped. ${state}`);
  assert.equal(await page.locator('#rates.old').count(), 0);
  assert.match(await download(page, 'summary.csv'), /^scenario,/);
  await page.locator('#charts > summary').click();
  await page.locator('#figures svg:visible').first().waitFor();

  // There are none of another text.
  await paste(page, text('multi-attacker.toml').replace('health = 30', 'health = 31'));
  await solveAndStop();
  await page.waitForFunction(() => document.querySelector('#state').textContent === 'Stopped: results are of the scenario before.');
  for (const id of ['rates', 'differences', 'figures', 'picture']) assert.equal(await page.locator(`#${id}.old`).count(), 1, id);
  assert.equal(await page.locator('#charted').innerText(), 'These charts are of the scenario before.');
  assert.equal(await page.locator('#downloads button:enabled').count(), 0);
  await page.getByRole('button', { name: 'Go on' }).click();
  await done(page);
  await page.waitForFunction(() => document.querySelector('.old') === null);
  await context.close();
});

test('a small fight is solved', async () => {
  const { page, context } = await open();
  await choose(page, 'multi-attacker.toml');
  await page.locator('#exact').click();
  await page.waitForFunction(() => document.querySelector('#state').textContent.startsWith('Solved'));
  assert.match((await rates(page))[0], /^base\s+5[45]\.\d{4}%/);
  const files = {};
  for (const name of ['distributions.csv', 'comparisons.csv']) files[name] = await download(page, name);
  for (const command of ['run', 'compare']) {
    execFileSync(program, [command, 'multi-attacker.toml', '--exact', '-o', join(scratch, 'solved')], { cwd: join(root, 'scenarios'), stdio: 'ignore' });
  }
  for (const [name, content] of Object.entries(files)) {
    assert.equal(content, readFileSync(join(scratch, 'solved/multi-attacker', name), 'utf8'), name);
  }
  await context.close();
});

test('a precision that is narrower plays more, and Stop ends it', async () => {
  const { page, context } = await open();
  const few = await encounters(page);
  await page.locator('#precision').focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => /^(\d{2,3},\d{3}|\d+,\d{3},\d{3}).*\.\.\.$/.test(document.querySelector('#state').textContent));
  await page.locator('#stop').click();
  await page.waitForFunction(() => document.querySelector('#state').textContent.endsWith('(stopped)'));
  await page.waitForTimeout(500);
  const stopped = await encounters(page);
  await page.waitForTimeout(500);
  assert.equal(await encounters(page), stopped);
  assert.ok(few >= 20_000, `${few}`);
  await context.close();
});

test('the charts are those of a report, and keys go from mark to mark', async () => {
  const { page, context, said } = await open();
  await choose(page, 'multi-attacker.toml');
  await page.locator('#charts > summary').click();
  // The table above says who wins, so that its figure is folded.
  await page.locator('#figures').getByText('Who wins, and how often?').first().click();
  const charts = page.locator('#figures svg.chart:visible');
  assert.ok((await charts.count()) >= 3);
  const told = page.locator('#figures .told');
  assert.equal(await told.isVisible(), false);
  const [first, second] = await charts.first().locator('[tabindex][aria-label]').all();
  await first.focus();
  assert.equal(await told.innerText(), await first.getAttribute('aria-label'));
  await page.keyboard.press('ArrowRight');
  assert.equal(await second.evaluate((mark) => mark.getRootNode().activeElement === mark), true, 'the next mark has the focus');
  assert.equal(await told.innerText(), await second.getAttribute('aria-label'));
  await page.keyboard.press('Escape');
  assert.equal(await told.isVisible(), false);
  // A chart is one stop of the Tab key.
  assert.equal(await charts.first().locator('[tabindex="0"]').count(), 1);
  assert.deepEqual(said, []);
  await context.close();
});

test('questions about dice are answered with curves over each other', async () => {
  const { page, context, said } = await open();
  await page.locator('#odds > summary').click();
  const answer = page.locator('#odds-answer');
  await answer.getByText('On average: 2d10+9 20.00, 3d6+9 19.50').first().waitFor();
  assert.ok((await answer.locator('svg.chart').count()) >= 2);
  await page.locator('#dice').fill('skirmish odds --pool 8 --difficulty 11');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#refusal').textContent.includes('11'));
  assert.equal(await answer.isVisible(), false);
  await page.locator('#dice').fill('--pool 8 --difficulty 6');
  await page.keyboard.press('Enter');
  await answer.getByText('{ pool = 8').first().waitFor();
  assert.equal(await page.locator('#refusal').textContent(), '');
  assert.deepEqual(said, []);
  await context.close();
});

test('what is completed is what may stand there', async () => {
  const { page, context } = await open();
  const offered = page.locator('.cm-tooltip-autocomplete .cm-completionLabel');
  /** What is offered behind a text at the end of the scenario. */
  const offers = async (text) => {
    await paste(page, `${duel}\n${text.slice(0, -1)}`);
    await page.keyboard.press('Control+End');
    await page.keyboard.type(text.at(-1));
    await offered.first().waitFor();
    const all = await offered.allInnerTexts();
    await page.keyboard.press('Escape');
    return all;
  };
  const duel = text('walled-duel.toml');
  assert.deepEqual(await offers('[[combatants]]\ninitiativ'), ['initiative', 'initiative_modifier']);
  assert.deepEqual((await offers('[weapons.bow]\ncheck = { bo')).slice(0, 1), ['bonus']);
  assert.equal((await offers('[[variants]]\nname = "a"\nset = { "archer.he'))[0], 'combatants.archer.health');
  assert.match((await offers('[[variants]]\nname = "a"\nset = { he'))[0], /^combatants\.\w+\.health$/);
  assert.equal((await offers('[[variants]]\nname = "a"\nset = { longbow.da'))[0], 'weapons.longbow.damage');
  assert.equal((await offers('[[combatants]]\nweapons = ["ax'))[0], 'axe');
  assert.equal((await offers('[[combatants]]\npolicy = ["attack", "adv'))[0], 'advance');
  // A key that no combatant has yet, and values within a list and within `set`.
  assert.equal((await offers('[[variants]]\nname = "a"\nset = { "archer.regen'))[0], 'combatants.archer.regeneration');
  assert.equal((await offers('[rules.initiative]\nties = ["wit'))[0], 'wits');
  assert.equal((await offers('[[variants]]\nname = "a"\nset = { "rules.round" = "sim'))[0], 'simple');
  assert.equal((await offers('[[variants]]\nname = "a"\nset = { "archer.policy" = ["adv'))[0], 'advance');
  assert.equal((await offers('[[combatants]]\nsize = 1\n[rules]\ncheck = "p'))[0], 'percentile');
  // The whole path, with its quotes.
  await paste(page, `${duel}\n[[variants]]\nname = "a"\nset = { longbow.rang`);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('e');
  // Keys take nothing that has come up only just now.
  await offered.first().click();
  assert.match(await page.locator('.cm-content').innerText(), /set = \{ 'weapons\.longbow\.range'/);
  await context.close();
});

test('an explanation is that of the table of its key', async () => {
  const { page, context } = await open();
  await paste(page, text('walled-duel.toml'));
  await done(page);
  await page.locator('.cm-line', { hasText: 'damage' }).first().hover({ position: { x: 20, y: 8 } });
  const about = page.locator('.cm-tooltip .about');
  await about.waitFor();
  assert.match(await about.innerText(), /^damage \(key\): [^/]*$/);
  await context.close();
});

test('the page opens without a network after the first visit', async () => {
  const { page, context } = await open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  await page.goto(home);
  await done(page);
  await choose(page, 'multi-attacker.toml');
  assert.equal((await rates(page)).length, 2);
  await context.close();
});

test('the server of this machine gives 404 for what is not in the folder', async () => {
  const status = async (path) => (await fetch(home + path)).status;
  assert.equal(await status(''), 200);
  for (const path of ['%', '%zz', 'nothing.js', '%2e%2e%2fpackage.json', '..%5cpackage.json']) assert.equal(await status(path), 404, path);
});

test('everything is reached with keys alone', async () => {
  const { page, context } = await open();
  const missed = new Set(['shipped', 'name', 'link', 'exact', 'precision', 'variant', 'which', 'why', 'rates']);
  for (let pressed = 0; pressed < 60 && missed.size > 0; pressed += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => document.activeElement.id);
    // Tab leaves the editor as it leaves any other field.
    missed.delete(at);
  }
  assert.deepEqual([...missed], []);
  await context.close();
});

test('long names do not make the page wider than its window', async () => {
  const { page, context } = await open({ width: 400 });
  const long = (word) => word.padEnd(64, 'x');
  let content = text('multi-attacker.toml').replace(/^title = .*$/m, `title = "${long('Title')}"`);
  for (const name of ['simple round', 'heroes', 'monsters', 'monster']) content = content.replaceAll(`"${name}"`, `"${long(name.replace(' ', '-'))}"`);
  await paste(page, content);
  await titled(page, long('Title'));
  for (const id of ['numbers', 'charts', 'files']) await page.locator(`#${id} > summary`).click();
  await page.locator('#figures svg:visible').first().waitFor();
  await page.locator('#sliders input').first().waitFor();
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400);
  await context.close();
});

for (const width of [1280, 400]) {
  for (const scheme of ['light', 'dark']) {
    test(`nothing is cut off or hard to read: ${width} pixels, ${scheme}`, async () => {
      const { page, context } = await open({ width, scheme });
      await choose(page, 'multi-attacker.toml');
      const show = (id) => page.locator(`#${id} > summary`).click();
      for (const id of ['numbers', 'charts', 'files']) await show(id);
      await page.locator('#figures svg:visible').first().waitFor();
      // Figures that appear above it would push it away under the click.
      await show('odds');
      await page.locator('#odds-answer svg:visible').first().waitFor();
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, 'the page scrolls up and down only');
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => (await globalThis.axe.run({ resultTypes: ['violations'] })).violations);
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary}`), []);
      if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `playground-${width}-${scheme}.png`), fullPage: true });
      await context.close();
    });
  }
}
