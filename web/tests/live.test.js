// A page of `report --live`, opened as a file.
//
//   SERVES   the program, built with the feature `live`

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { axe, launch, root } from './browser.js';

const program = process.env.SERVES ?? join(root, 'target/debug/skirmish');
const scratch = mkdtempSync(join(tmpdir(), 'skirmish-live-'));

let browser;

const report = (file, ...words) => {
  const place = join(scratch, file);
  execFileSync(program, ['report', join(root, 'scenarios/multi-attacker.toml'), '-n', '20k', '--quiet', '-o', place, ...words]);
  return place;
};

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(scratch, { recursive: true, force: true });
});

for (const [width, colorScheme] of [[1280, 'light'], [400, 'dark']]) {
  test(`a reader of a page drags a slider: ${width} pixels, ${colorScheme}`, async () => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, offline: true });
    const page = await context.newPage();
    const said = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) said.push(message.text());
    });
    page.on('pageerror', (error) => said.push(String(error)));
    await page.goto(pathToFileURL(report('live.html', '--live')).href);
    const live = page.locator('.live');
    await live.scrollIntoViewIfNeeded();
    const state = live.locator('[role=status]');
    await state.waitFor();
    const done = () => page.waitForFunction(() => /encounters of each variant$/.test(document.querySelector('.live [role=status]').textContent));
    await done();
    const rates = async () => (await live.locator('tbody tr').allInnerTexts())[0];
    const first = await rates();
    assert.match(first, /^base\s+5[4-6]\.\d% ±0\.\d/);
    const label = live.locator('label', { hasText: 'monster.health' });
    await page.locator(`#${await label.getAttribute('for')}`).focus();
    await page.keyboard.press('PageUp');
    await live.locator('.before').first().waitFor();
    await done();
    assert.match(await rates(), /before 5[4-6]\.\d/);
    assert.match(await live.locator('pre code').textContent(), /--set combatants\.monster\.health=\d+/);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, 'the page scrolls up and down only');
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => (await globalThis.axe.run({ resultTypes: ['violations'] })).violations);
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary}`), []);
    if (process.env.SHOTS) await live.screenshot({ path: join(process.env.SHOTS, `live-${width}-${colorScheme}.png`) });
    await live.locator('button').click();
    await live.locator('.before').first().waitFor({ state: 'detached' });
    assert.match(await state.textContent(), /encounters/);
    assert.deepEqual(said, []);
    await context.close();
  });
}

test('a page without the option holds no engine', () => {
  const [plain, live] = [report('plain.html'), report('live.html', '--live')].map((place) => readFileSync(place, 'utf8'));
  assert.ok(!plain.includes('id="engine"') && !plain.includes('wasm'));
  assert.ok(live.length > plain.length + 500_000);
});
