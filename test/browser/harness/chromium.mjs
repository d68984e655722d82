/** Chromium without a window, and pages that keep a list of everything a page of ours must not do. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PATHS = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const executablePath = PATHS.find((path) => path !== undefined && path !== '' && existsSync(path));

/** Why the tests of a file cannot run here; false when they can. With CI=true nothing is skipped. */
export const SKIPPED = executablePath === undefined && process.env.CI !== 'true' ? 'skipped: no Chromium' : false;

/** @param {{ after: (end: () => unknown) => void }} owner The browser ends with it. */
export async function startChromium(owner) {
  assert.ok(executablePath, 'no Chromium: install it, or name it in CHROMIUM_PATH');
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  owner.after(() => browser.close());
  return browser;
}

/**
 * Opens a page. `faults` fills with what must not happen: an error, a violation of the content security policy, a request to anybody but the
 * server.
 *
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
  const page = await context.newPage();
  const faults = [];
  const { origin } = new URL(url);
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (target.protocol !== 'blob:' && target.origin !== origin) faults.push(`request to ${request.url()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.stack}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  // Violations of the policy come this way too.
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy violated: ${event.violatedDirective} by ${event.blockedURI}`);
    });
  });
  await page.goto(url);
  return { page, faults, close: () => context.close() };
}

/** The text of the tree's one item, which describes the selected frame; blanks as plain ones. */
export async function frameText(page) {
  return (await page.locator('#selected-frame').textContent()).replace(/\s+/g, ' ').trim();
}

/** The cells of a table's rows, a blank between them. */
export function rowTexts(page, rows) {
  return page
    .locator(rows)
    .evaluateAll((elements) =>
      elements.map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\s+/g, ' ')).join(' ')),
    );
}

/** Waits until the tree's item says so. */
export async function untilFrame(page, pattern) {
  try {
    await page.waitForFunction(
      ([source]) => {
        const text = document.querySelector('#selected-frame')?.textContent.replace(/\s+/g, ' ');
        return text !== undefined && new RegExp(source).test(text);
      },
      [pattern.source],
      { timeout: 20_000 },
    );
  } catch (error) {
    const shown = await page.locator('body').ariaSnapshot();
    throw new Error(`the selected frame never became ${pattern}; the page shows:\n${shown}`, { cause: error });
  }
}

/** The colour drawn at a point of the graph, `#rrggbb`: a share of its width, and a level of the tree. */
export function drawnColour(page, share, level) {
  return page.evaluate(
    async ([x, row]) => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const canvas = document.querySelector('canvas.flame-base');
      const scroller = document.querySelector('#flame-graph');
      const scale = canvas.width / canvas.clientWidth;
      const y = (row * 18 + 4 - scroller.scrollTop) * scale;
      const [red, green, blue] = canvas.getContext('2d').getImageData(x * canvas.width, y, 1, 1).data;
      return `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    },
    [share, level],
  );
}
