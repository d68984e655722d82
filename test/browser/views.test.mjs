/** What else can be seen of a profile: turned over, around one function, without some; by mouse and by keys. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { drawnColour, frameText, openPage, rowTexts, SKIPPED, startChromium, untilFrame } from './harness/chromium.mjs';
import { fileScope } from './harness/file-scope.mjs';
import { pushCollapsed, startPilotlight } from './harness/pilotlight.mjs';

const scope = fileScope();
let address;
let browser;
before(async () => {
  if (SKIPPED) return;
  [address, browser] = await Promise.all([startPilotlight(scope), startChromium(scope)]);
  await pushCollapsed(address, 'shop', ['main;handle;query 60', 'main;handle;render 20', 'main;job;query 20']);
});

function pageTest(name, run, options) {
  test(name, { skip: SKIPPED }, async () => {
    const { page, faults, close } = await openPage(browser, `${address}/?service=shop`, options);
    await untilFrame(page, /^total /);
    await run(page);
    assert.deepEqual(faults, []);
    await close();
  });
}

const textOf = async (place) => (await place.textContent()).replace(/\s+/g, ' ').trim();

const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

pageTest('the graph turned over stands on its root, and arrows lead where they point', async (page) => {
  const faded = await drawnColour(page, 0.5, 0);
  await page.focus('#flame-graph');
  await press(page, 'i', 'ArrowUp', 'ArrowUp');
  await untilFrame(page, /^main /);
  await page.waitForURL(/orientation=flame/);
  const [last, first] = await page.evaluate(() => {
    const canvas = document.querySelector('canvas.flame-base');
    const pixel = (y) => [...canvas.getContext('2d').getImageData(canvas.width / 2, y, 1, 1).data].join();
    return [pixel(canvas.height - 5), pixel(5)];
  });
  assert.notEqual(last, first);
  const hex = (pixel) =>
    `#${pixel
      .split(',', 3)
      .map((value) => Number(value).toString(16).padStart(2, '0'))
      .join('')}`;
  assert.equal(hex(last), faded, 'the root lies at the bottom');
  await press(page, 'ArrowDown');
  await untilFrame(page, /^total /);
  assert.equal(await page.getByRole('button', { name: 'Upside down' }).getAttribute('aria-pressed'), 'true');
});

pageTest('one function between its callers and its callees, from the table too, and back', async (page) => {
  await page.focus('#flame-graph');
  await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown');
  await untilFrame(page, /^handle /);
  await press(page, '4');
  const callers = page.locator('#callers-selected-frame');
  const callees = page.locator('#callees-selected-frame');
  await callees.filter({ hasText: 'handle' }).waitFor();
  assert.match(await textOf(callees), /total 800 ms \(100 % of this function\)/);
  await page.locator('.table tbody tr', { hasText: 'query' }).click();
  await callers.filter({ hasText: 'query' }).waitFor();
  assert.match(await textOf(callers), /total 800 ms/);
  await page.focus('#callers-flame-graph');
  await press(page, 'ArrowUp', 'ArrowUp');
  await callers.filter({ hasText: 'handle' }).waitFor();
  assert.match(await textOf(callers), /total 600 ms \(75\.00 % of this function\)/);
  await page.waitForURL(/sandwich=query/);
  await press(page, 'Escape');
  await untilFrame(page, /./);
  assert.equal(await page.locator('#callers-flame-graph').count(), 0);
  await page.waitForFunction(() => document.activeElement?.id === 'flame-graph');
  await page.goBack();
  await callers.filter({ hasText: 'query' }).waitFor();
});

pageTest('functions are taken out and the rest adds up; each change is taken back', async (page) => {
  await page.focus('#flame-graph');
  await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'm');
  await page.getByRole('button', { name: 'Take back: merged handle' }).waitFor();
  assert.deepEqual(
    (await rowTexts(page, '.table tbody tr')).map((row) => row.split(' ').slice(0, 2).join(' ')),
    ['query 0.80', 'render 0.20', 'job 0.00', 'main 0.00'],
  );
  await page.locator('.table tbody tr', { hasText: 'job' }).click();
  await untilFrame(page, /^job /);
  await page.focus('#flame-graph');
  await press(page, 'd');
  await page.waitForURL(/transform=merge\.handle&transform=drop\.job/);
  await press(page, '0', 'Escape');
  await page.locator('.table tbody tr', { hasText: 'job' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Take back: without job' }).click();
  await page.getByRole('button', { name: 'Show the whole profile' }).click();
  await page.locator('.table tbody tr', { hasText: 'handle' }).waitFor();
});

pageTest('the menu of a frame, by the right button and by keys', async (page) => {
  const box = await page.locator('.flame-window').boundingBox();
  await page.mouse.click(box.x + box.width * 0.3, box.y + 2 * 18 + 5, { button: 'right' });
  const menu = page.getByRole('menu', { name: 'What to do with handle' });
  await menu.waitFor();
  assert.match(await frameText(page), /^handle /);
  await press(page, 'End');
  assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), 'Search for this name');
  await press(page, 'Enter');
  assert.equal(await page.inputValue('#search'), 'handle');
  await page.focus('#flame-graph');
  await press(page, 'Shift+F10');
  await menu.waitFor();
  await press(page, 'ArrowUp', 'Home', 'ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Show callers and callees 4');
  await press(page, 'Escape');
  await menu.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'flame-graph');
  await press(page, 'ContextMenu', 'Enter');
  await page.getByRole('button', { name: /^Zoomed to handle/ }).waitFor();
});

pageTest(
  'the theme follows the system until one is chosen, which is remembered',
  async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('light');
    const light = await background();
    assert.notEqual(light, dark);
    await page.reload();
    await untilFrame(page, /^total /);
    assert.equal(await background(), light);
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('system');
    assert.equal(await background(), dark);
  },
  { colorScheme: 'dark' },
);

pageTest('a stretch of the timeline is marked by keys, and there is a way back', async (page) => {
  const timeline = page.getByRole('slider');
  await page.locator('.u-over').waitFor();
  await timeline.focus();
  await press(page, 'End', 'ArrowLeft');
  assert.match(await timeline.getAttribute('aria-valuetext'), /^\d{4}-/);
  await press(page, 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft');
  assert.match(await timeline.getAttribute('aria-valuetext'), /–.*: Enter zooms to it$/);
  await press(page, 'Enter');
  await page.waitForURL(/from=\d+&until=\d+/);
  const query = new URL(page.url()).searchParams;
  assert.equal(Number(query.get('until')) - Number(query.get('from')), 120_000);
  await page.getByRole('button', { name: 'Back to Last hour' }).click();
  await page.waitForURL((url) => !url.searchParams.has('from'));
});
