/** The numbers on the page are those of the program: what adds up is added up, what stands at a moment is not. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPage, rowTexts, SKIPPED, startChromium, untilFrame } from './harness/chromium.mjs';
import { fileScope } from './harness/file-scope.mjs';
import { pushCollapsed, startPilotlight } from './harness/pilotlight.mjs';

const MIB = 1024 ** 2;
const SNAPSHOTS = 12;

const scope = fileScope();
let address;
let browser;
before(async () => {
  if (SKIPPED) return;
  [address, browser] = await Promise.all([startPilotlight(scope), startChromium(scope)]);
  await pushCollapsed(address, 'steady', ['main;busy 60000'], { secondsAgo: 640, seconds: 600 });
  const now = () => Math.floor(Date.now() / 1_000);
  const first = now() - (now() % 30) - 600;
  for (let i = 0; i < SNAPSHOTS; i++) {
    const lines = [`main;keep ${100 * MIB}`, `main;rest ${20 * MIB}`];
    // Two pods that never look at the same moment, but both in each of the half minutes the timeline is made of.
    await pushCollapsed(address, 'heap.inuse_space{pod=a}', lines, { secondsAgo: now() - (first + 30 * i + 5) });
    await pushCollapsed(address, 'heap.inuse_space{pod=b}', lines, { secondsAgo: now() - (first + 30 * i + 20) });
  }
});

function pageTest(name, query, run) {
  test(name, { skip: SKIPPED }, async () => {
    const { page, faults, close } = await openPage(browser, `${address}/${query}`);
    await untilFrame(page, /^total /);
    await run(page, (selector) => textOf(page, selector));
    assert.deepEqual(faults, []);
    await close();
  });
}

async function textOf(page, selector) {
  return (await page.locator(selector).first().textContent()).replace(/\s+/g, ' ').trim();
}

pageTest('ten minutes of one busy core are one core', '?service=steady&last=1h', async (page, text) => {
  await page.locator('.u-over').waitFor();
  const caption = await text('.timeline-caption');
  assert.match(caption, /mean 1\.00 cores over the 10\.0 min with data/);
  assert.match(caption, /peak 1\.00 cores/);
  assert.match(await text('.profile-total'), /^10\.0 min CPU time$/);
});

pageTest('memory in use is a mean of snapshots, and called so', '?service=heap&last=1h', async (page, text) => {
  assert.equal(await text('.profile-total'), `120 MiB Memory in use, mean of ${2 * SNAPSHOTS} snapshots`);
  await page.locator('.timeline-caption b').waitFor();
  const caption = await text('.timeline-caption');
  assert.match(caption, /mean 240 MiB 2 series together/, 'what both pods hold');
  assert.match(caption, /peak 240 MiB/);
  assert.deepEqual(await rowTexts(page, '.table tr[aria-rowindex]'), [
    'Function Mean self, MiB ↓ Mean total, MiB',
    'keep 100.00 83.33 % 100.00 83.33 %',
    'rest 20.00 16.67 % 20.00 16.67 %',
    'main 0.00 0 % 120.00 100 %',
  ]);
  const box = await page.locator('canvas.flame-base').boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 2 * 18 + 9);
  await page.locator('[role=tooltip]').waitFor();
  assert.match(await text('[role=tooltip]'), new RegExp(`Memory in use, mean of ${2 * SNAPSHOTS} snapshots`));
  assert.match((await rowTexts(page, '[role=tooltip] tr')).join(), /^total 100 MiB 83\.33 % of total 104,857,600 B/);
});

test('nothing on the page moves when one zooms', { skip: SKIPPED }, async () => {
  for (const width of [1400, 1280, 900, 380]) {
    const { page, faults, close } = await openPage(browser, `${address}/?service=heap&last=1h`, {
      viewport: { width, height: 800 },
    });
    await untilFrame(page, /^total /);
    await page.fill('#search', 'keep');
    await page.locator('#search-result', { hasText: '83.33' }).waitFor();
    const graph = page.locator('.flame');
    const before = await graph.boundingBox();
    await page.mouse.click(before.x + before.width * 0.3, before.y + 2 * 18 + 9);
    await page.getByRole('button', { name: 'Zoomed to keep' }).waitFor();
    assert.deepEqual(await graph.boundingBox(), before, `at ${width} pixels`);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(beyond <= 0, `${beyond} pixels beyond ${width}`);
    assert.deepEqual(faults, []);
    await close();
  }
});
