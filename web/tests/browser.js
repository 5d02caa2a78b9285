// What tests of the page share: a browser, and hands for the page.
//
//   CHROMIUM   the browser

import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
// The browser and the accessibility rules are those of the tests of pages.
const needed = createRequire(join(root, 'tests/browser/package.json'));
export const axe = needed('axe-core');
const { chromium } = needed('playwright-core');

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });

/** Opens the page, and keeps what it says and what it asks for. */
export async function visit(browser, address, { width = 1280, scheme = 'light' } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, acceptDownloads: true });
  const page = await context.newPage();
  const said = [];
  const asked = new Set();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  await page.goto(address);
  await done(page);
  return { page, context, said, asked };
}

/** Waits until the results of what is in the page are there. */
export const done = (page) => page.waitForFunction(() => /encounters of each variant, [\d.]+ s$|exact\.$/.test(document.querySelector('#state').textContent));

export const rates = (page) => page.locator('#rates tbody tr').allInnerTexts();

/** Waits for the results of a scenario of that title. */
export async function titled(page, title) {
  await page.waitForFunction((wanted) => document.querySelector('#title').textContent === wanted, title);
  await done(page);
}

/** Pastes a text in place of the one in the editor. */
export async function paste(page, content) {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.locator('.cm-content').evaluate((editor, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, content);
}
