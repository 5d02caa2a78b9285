// `skirmish serve` in a real browser, and requests that no page of it makes.
//
//   SERVES   the program, built with the feature `serve`

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { done, launch, paste, rates, root, titled, visit } from './browser.js';

const program = process.env.SERVES ?? join(root, 'target/debug/skirmish');
const scratch = mkdtempSync(join(tmpdir(), 'skirmish-serve-'));
const file = (name) => join(scratch, name);
const duel = readFileSync(join(root, 'scenarios/walled-duel.toml'), 'utf8');
const named = (title) => duel.replace(/^title = .*$/m, `title = "${title}"`);

let browser;
let server;
let home;

/** Starts the program; returns its process and its address. */
async function serve(...words) {
  const started = spawn(program, ['serve', ...words], { cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  for await (const piece of started.stderr) {
    said += piece;
    const address = /http:\S+/.exec(said);
    if (address) return { started, address: address[0] };
  }
  throw new Error(said);
}

before(async () => {
  for (const name of ['walled-duel.toml', 'multi-attacker.toml']) copyFileSync(join(root, 'scenarios', name), file(name));
  const { started, address } = await serve('walled-duel.toml');
  server = started;
  home = address;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(scratch, { recursive: true, force: true });
});

const open = () => visit(browser, home);
const says = (page, text) => page.waitForFunction((wanted) => document.querySelector('#said').textContent.includes(wanted), text);

test('a scenario of the folder is played by the program, to the same numbers', async () => {
  const { page, context, said, asked } = await open();
  assert.equal(await page.textContent('#title'), 'The walled duel');
  await page.selectOption('#shipped', 'multi-attacker.toml');
  await titled(page, 'Three attacks against one big one');
  assert.match((await rates(page))[0], /^base\s+5[4-6]\.\d% ±0\.\d/);
  await page.locator('#picture').getByText('Encounter 0, variant base').first().waitFor();
  await page.locator('#exact').click();
  await page.waitForFunction(() => document.querySelector('#state').textContent.startsWith('Solved'));
  assert.deepEqual(said, []);
  assert.deepEqual([...asked], [new URL(home).origin], 'nothing comes from elsewhere');
  await context.close();
});

test('a text is saved, and its line ends stay', async () => {
  writeFileSync(file('lines.toml'), named('Before').replaceAll('\n', '\r\n'));
  const { page, context } = await open();
  await page.selectOption('#shipped', 'lines.toml');
  await titled(page, 'Before');
  assert.equal(await page.locator('#save').isDisabled(), true);
  await paste(page, named('After'));
  await titled(page, 'After');
  await page.keyboard.press('Control+s');
  await says(page, 'Saved lines.toml.');
  assert.equal(readFileSync(file('lines.toml'), 'utf8'), named('After').replaceAll('\n', '\r\n'));
  assert.equal(await page.locator('#save').isDisabled(), true);
  await context.close();
});

test('another name makes a new file, and none is overwritten', async () => {
  const { page, context } = await open();
  await page.fill('#name', 'multi-attacker.toml');
  await page.locator('#save').click();
  await says(page, 'there is a `multi-attacker.toml` already');
  assert.match(readFileSync(file('multi-attacker.toml'), 'utf8'), /Three attacks/);
  await page.fill('#name', '../new.toml');
  await page.locator('#save').click();
  await says(page, 'is not a name of a scenario in this folder');
  await page.fill('#name', 'new one.toml');
  await page.locator('#save').click();
  await says(page, 'Saved new one.toml.');
  assert.equal(readFileSync(file('new one.toml'), 'utf8'), duel);
  assert.equal(await page.inputValue('#shipped'), 'new one.toml');
  await context.close();
});

test('a change from outside is shown; what is written here is not lost', async () => {
  writeFileSync(file('shared.toml'), named('First'));
  const { page, context } = await open();
  await page.selectOption('#shipped', 'shared.toml');
  await titled(page, 'First');
  writeFileSync(file('shared.toml'), named('Second'));
  await titled(page, 'Second');
  assert.equal(await page.locator('#load').isVisible(), false);

  await paste(page, named('Mine'));
  await titled(page, 'Mine');
  writeFileSync(file('shared.toml'), named('Theirs'));
  await page.locator('#keep').waitFor();
  assert.equal(await page.textContent('#title'), 'Mine');
  await page.locator('#keep').click();
  await page.locator('#save').click();
  await says(page, 'Saved shared.toml.');
  assert.equal(readFileSync(file('shared.toml'), 'utf8'), named('Mine'));

  await paste(page, named('Mine again'));
  await titled(page, 'Mine again');
  writeFileSync(file('shared.toml'), named('Theirs again'));
  await page.locator('#load').click();
  await titled(page, 'Theirs again');
  assert.equal(await page.locator('#save').isDisabled(), true);

  rmSync(file('shared.toml'));
  await says(page, 'Save makes it again');
  await page.locator('#save').click();
  await says(page, 'Saved shared.toml.');
  assert.equal(readFileSync(file('shared.toml'), 'utf8'), named('Theirs again'));
  await context.close();
});

test('a file that is seen half written is read again', async () => {
  writeFileSync(file('half.toml'), named('First'));
  const { page, context } = await open();
  await page.selectOption('#shipped', 'half.toml');
  await titled(page, 'First');
  await paste(page, named('Mine'));
  await titled(page, 'Mine');
  let seen = 0;
  await page.route('**/file', (route) => {
    const isText = route.request().postDataJSON().ask === 'text';
    return isText && seen++ === 0 ? route.fulfill({ body: named('Theirs').slice(0, 100) }) : route.continue();
  });
  writeFileSync(file('half.toml'), named('Theirs'));
  await page.locator('#keep').click();
  await page.locator('#save').click();
  await says(page, 'Saved half.toml.');
  assert.equal(readFileSync(file('half.toml'), 'utf8'), named('Mine'));
  await context.close();
});

test('a file that is replaced, and is gone for a while, is watched again', async () => {
  writeFileSync(file('back.toml'), named('There'));
  const { page, context } = await open();
  await page.selectOption('#shipped', 'back.toml');
  await titled(page, 'There');
  const remove = async () => {
    rmSync(file('back.toml'));
    await says(page, 'Save makes it again');
    assert.equal(await page.locator('#save').isDisabled(), false);
  };
  await remove();
  writeFileSync(file('back.toml'), named('There'));
  await says(page, 'back.toml is back on disk.');
  assert.equal(await page.locator('#save').isDisabled(), true);

  await remove();
  writeFileSync(file('back.toml'), named('Changed'));
  await titled(page, 'Changed');
  writeFileSync(file('back.toml'), named('Changed again'));
  await titled(page, 'Changed again');

  await paste(page, named('Mine'));
  await titled(page, 'Mine');
  await remove();
  writeFileSync(file('back.toml'), named('Theirs'));
  await page.locator('#keep').click();
  await page.locator('#save').click();
  await says(page, 'Saved back.toml.');
  assert.equal(readFileSync(file('back.toml'), 'utf8'), named('Mine'));
  await context.close();
});

test('a reload opens the same file', async () => {
  const { page, context } = await open();
  await page.selectOption('#shipped', 'multi-attacker.toml');
  await titled(page, 'Three attacks against one big one');
  await page.reload();
  await done(page);
  assert.equal(await page.inputValue('#name'), 'multi-attacker.toml');
  assert.equal(await page.textContent('#title'), 'Three attacks against one big one');
  await page.fill('#name', 'a copy & more.toml');
  await page.locator('#save').click();
  await says(page, 'Saved a copy & more.toml.');
  await page.reload();
  await done(page);
  assert.equal(await page.inputValue('#name'), 'a copy & more.toml');
  rmSync(file('a copy & more.toml'));
  await page.reload();
  await done(page);
  assert.equal(await page.inputValue('#name'), 'walled-duel.toml', 'a file that is gone is not opened');
  await context.close();
});

test('new files are listed with their titles', async () => {
  const { page, context } = await open();
  writeFileSync(file('fresh.toml'), named('Fresh'));
  const option = (name) => page.locator(`#shipped option[value="${name}"]`);
  await option('fresh.toml').waitFor({ state: 'attached' });
  assert.equal(await option('fresh.toml').innerText(), 'fresh.toml: Fresh');
  assert.equal(await page.inputValue('#shipped'), 'walled-duel.toml');
  await page.fill('#name', 'saved.toml');
  await page.locator('#save').click();
  await says(page, 'Saved saved.toml.');
  assert.equal(await option('saved.toml').innerText(), 'saved.toml: The walled duel');
  rmSync(file('fresh.toml'));
  await option('fresh.toml').waitFor({ state: 'detached' });
  assert.equal(await page.inputValue('#shipped'), 'saved.toml');
  await context.close();
});

test('leaving a text that is not saved is asked for', async () => {
  const { page, context } = await open();
  await paste(page, named('Unsaved'));
  await titled(page, 'Unsaved');
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.selectOption('#shipped', 'multi-attacker.toml');
  await done(page);
  assert.equal(await page.textContent('#title'), 'Unsaved');
  page.once('dialog', (dialog) => dialog.accept());
  await page.selectOption('#shipped', 'multi-attacker.toml');
  await titled(page, 'Three attacks against one big one');
  await context.close();
});

test('a file that is no text is not opened', async () => {
  writeFileSync(file('latin.toml'), Buffer.from([0x74, 0xff]));
  const { page, context } = await open();
  await page.selectOption('#shipped', 'latin.toml');
  await says(page, '`latin.toml` is not UTF-8 text');
  assert.equal(await page.inputValue('#shipped'), await page.inputValue('#name'));
  rmSync(file('latin.toml'));
  await context.close();
});

test('an empty folder says how to begin', async () => {
  const folder = mkdtempSync(join(scratch, 'empty-'));
  const { started, address } = await serve(folder);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await says(page, 'The folder has no scenarios');
  await context.close();
  started.kill();
});

/** The status and the text that answer a request that is not one of the page. */
const answer = ({ path, method = 'GET', headers = {}, body }) =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(home);
    const asked = request({ hostname, port, path: path ?? pathname, method, headers, setHost: headers.Host === undefined }, (response) => {
      let text = '';
      response.setEncoding('latin1');
      response.on('data', (piece) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
const status = async (asked) => (await answer(asked)).status;

test('whatever was played before, a question has the same answer', async () => {
  const { origin, pathname } = new URL(home);
  const played = (name) => {
    const read = JSON.stringify({ ask: 'read', name, text: duel, set: [] });
    const body = `${read}\n${JSON.stringify({ ask: 'play', fight: 0, start: 0, end: 9 })}\n`;
    return answer({ path: `${pathname}ask`, method: 'POST', body, headers: { Origin: origin } });
  };
  const first = await played('a.toml');
  assert.equal(first.status, 200);
  for (const name of ['a.toml', ...Array.from({ length: 16 }, (_, number) => `${number}.toml`), 'a.toml']) {
    assert.deepEqual(await played(name), first, name);
  }
});

test('of eight that save at once exactly one wins', async () => {
  const { origin, pathname } = new URL(home);
  let old = named('Old');
  writeFileSync(file('eight.toml'), old);
  for (let round = 0; round < 10; round++) {
    const texts = Array.from({ length: 8 }, (_, client) => named(`${round} ${client}`));
    const save = (text) => {
      const body = JSON.stringify({ ask: 'save', name: 'eight.toml', old, new: text });
      return answer({ path: `${pathname}file`, method: 'POST', body, headers: { Origin: origin } });
    };
    const answers = await Promise.all(texts.map(save));
    const won = texts.filter((_, client) => answers[client].status === 200);
    assert.equal(won.length, 1, `round ${round}`);
    for (const { status, text } of answers) assert.ok(status === 200 || /has changed/.test(text), text);
    assert.equal(readFileSync(file('eight.toml'), 'utf8'), won[0]);
    [old] = won;
  }
  rmSync(file('eight.toml'));
});

/** Opens a connection and sends the beginning of a request; what came back, once the server has closed the connection. */
const half = (address, text, end = false) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(address);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let came = '';
    socket.on('data', (piece) => (came += piece));
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
    socket.on('close', () => resolve(came));
    socket.write(text);
    if (end) socket.end();
  });

/** The head of a request of the page with a body of 100 bytes, and ten of them. */
const begun = (address, { pathname, origin, host } = new URL(address)) =>
  `POST ${pathname}file HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Length: 100\r\n\r\n${' '.repeat(10)}`;

test('a request that is cut off is answered as one', async () => {
  assert.match(await half(home, begun(home), true), /^HTTP\/1.1 400 .*the request was cut off$/s);
});

test('half of a request ends, and hundreds of them do not keep the page out', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(scratch, 'halves-'));
  const limited = spawn('sh', ['-c', 'ulimit -n 256; exec "$0" serve "$1"', program, folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const address = await new Promise((resolve) => {
    limited.stderr.on('data', (piece) => {
      said += piece;
      const found = /http:\S+/.exec(said);
      if (found) resolve(found[0]);
    });
  });
  const page = async () => (await fetch(address, { signal: AbortSignal.timeout(5_000) })).status;
  const slow = half(address, begun(address));
  assert.equal(await page(), 200);
  const halves = Array.from({ length: 300 }, () => half(address, 'GET / HT'));
  assert.equal(await page(), 200);
  await Promise.all(halves);
  assert.match(await slow, /^HTTP\/1.1 408 /);
  limited.kill();
});

test('requests of others are refused', async () => {
  const { origin, pathname, port } = new URL(home);
  const text = JSON.stringify({ ask: 'text', name: 'walled-duel.toml' });
  const post = { path: `${pathname}file`, method: 'POST', body: text };
  assert.equal(await status({}), 200);
  assert.equal(await status({ ...post, headers: { Origin: origin } }), 200);
  assert.equal(await status({ path: '/' }), 404);
  assert.equal(await status({ path: `/${'0'.repeat(32)}/` }), 404);
  assert.equal(await status({ headers: { Host: `evil.example:${port}` } }), 421);
  assert.equal(await status(post), 403);
  assert.equal(await status({ ...post, headers: { Origin: 'http://evil.example' } }), 403);
  assert.equal(await status({ path: `${pathname}file` }), 405);
  for (const name of ['../walled-duel.toml', '/etc/hosts.toml', 'a/b.toml', '%2e%2e/a.toml', 'walled-duel.toml\u0000']) {
    const body = JSON.stringify({ ask: 'text', name });
    assert.equal(await status({ ...post, body, headers: { Origin: origin } }), 422, name);
  }
  for (const path of ['../Cargo.toml', '..%2fCargo.toml', '%', 'ask', 'nothing']) {
    assert.ok([404, 405].includes(await status({ path: pathname + path })), path);
  }
  // A question without sense is refused, and the next is answered.
  for (const body of ['', '\n', '{}', '\n{}\n', '\n{"ask":"play","fight":0,"start":0,"end":1}\n']) {
    assert.equal(await status({ ...post, path: `${pathname}ask`, body, headers: { Origin: origin } }), 422, body);
  }
  assert.equal(await status({}), 200);
});
