/** The page as a reader uses it, with the real server behind it: what is drawn, said, kept in the address, downloaded. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { callTree, readPprof } from '@pilotlight/profile';
import { colourSlot } from '../../packages/ui/dist/flame/colour-slot.js';
import { DARK_FLAME_THEME, LIGHT_FLAME_THEME } from '../../packages/ui/dist/flame/flame-theme.js';
import { drawnColour, frameText, openPage, rowTexts, SKIPPED, startChromium, untilFrame } from './harness/chromium.mjs';
import { fileScope } from './harness/file-scope.mjs';
import { pushCollapsed, startPilotlight } from './harness/pilotlight.mjs';

const LINES = ['main;handle;query 60', 'main;handle;render 20', 'main;idle 20'];

const scope = fileScope();
let address;
let browser;
/** What the times of the profiles are counted from, in milliseconds. */
let started;
before(async () => {
  if (SKIPPED) return;
  [address, browser] = await Promise.all([startPilotlight(scope), startChromium(scope)]);
  started = Date.now();
  await pushCollapsed(address, 'shop{pod=shop-a,region=eu}', LINES, { secondsAgo: 120 });
  await pushCollapsed(address, 'shop{pod=shop-b,region=eu}', LINES, { secondsAgo: 60 });
  await pushCollapsed(address, 'deep', [`${Array.from({ length: 3_000 }, (_, i) => `frame${i}`).join(';')} 5`]);
  await pushCollapsed(address, 'hostile', [`main;${'a'.repeat(60)}! 1`, 'main;foo(bar) 3']);
});

/** A test with a page of its own, which must have done nothing wrong at its end. */
function pageTest(name, query, run, options) {
  test(name, { skip: SKIPPED }, async () => {
    const { page, faults, close } = await openPage(browser, `${address}/${query}`, options);
    try {
      await run(page).catch((error) => {
        throw faults.length === 0 ? error : new Error(faults.join('\n'), { cause: error });
      });
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
}

for (const [scheme, theme] of [
  ['light', LIGHT_FLAME_THEME],
  ['dark', DARK_FLAME_THEME],
]) {
  pageTest(
    `frames are drawn in the colours of the ${scheme} scheme, and described`,
    '?service=shop',
    async (page) => {
      await untilFrame(page, /^total total 2\.00 s \(100 % of total\) self 0 ns/);
      assert.equal(await drawnColour(page, 0.9, 0), theme.root);
      assert.equal(await drawnColour(page, 0.9, 1), theme.slots[colourSlot('main')]);
      assert.equal(await drawnColour(page, 0.75, 2), theme.slots[colourSlot('handle')]);
      assert.equal(await drawnColour(page, 0.9, 2), theme.slots[colourSlot('idle')]);
      assert.equal(await drawnColour(page, 0.9, 3), theme.background, 'idle calls nothing');
    },
    { colorScheme: scheme },
  );
}

pageTest('the first service and its most telling type are chosen, and stand in the address', '', async (page) => {
  await untilFrame(page, /^total /);
  await page.waitForURL(/service=deep&type=process_cpu/);
  assert.deepEqual(await page.locator('#service option').allTextContents(), ['deep', 'hostile', 'shop']);
});

pageTest('keys walk through the graph, zoom and find the way back', '?service=shop', async (page) => {
  await untilFrame(page, /^total /);
  await page.focus('#flame-graph');
  const press = async (key, pattern) => {
    await page.keyboard.press(key);
    await untilFrame(page, pattern);
  };
  await press('ArrowDown', /^total /);
  await press('ArrowDown', /^main /);
  await press('ArrowDown', /^handle total 1\.60 s \(80\.00 % of total\)/);
  const item = page.locator('[role=treeitem]');
  assert.equal(await item.count(), 1, 'one item, however many frames');
  assert.deepEqual(
    await item.evaluate((element) =>
      ['level', 'posinset', 'setsize', 'expanded', 'selected'].map((name) => element.getAttribute(`aria-${name}`)),
    ),
    ['3', '1', '2', 'true', 'true'],
  );
  await press('ArrowRight', /^idle total 400 ms \(20\.00 % of total\)/);
  await press('Home', /^handle /);
  await press('Enter', /^handle total 1\.60 s \(100 % of view, 80\.00 % of total\)/);
  assert.equal(await drawnColour(page, 0.95, 2), LIGHT_FLAME_THEME.slots[colourSlot('handle')]);
  assert.equal(await drawnColour(page, 0.95, 1), LIGHT_FLAME_THEME.faded, 'what is above the zoomed frame is faint');
  await press('ArrowDown', /^query total 1\.20 s \(75\.00 % of view, 60\.00 % of total\)/);
  await press('Enter', /^query .*100 % of view/);
  await press('Escape', /^query .*75\.00 % of view/);
  await press('0', /^query total 1\.20 s \(60\.00 % of total\)/);
});

pageTest(
  'a key takes the table away and brings it back, and the graph keeps the focus',
  '?service=shop',
  async (page) => {
    await untilFrame(page, /^total /);
    await page.focus('#flame-graph');
    for (const state of ['detached', 'visible', 'detached']) {
      await page.keyboard.press('t');
      await page.locator('.table').waitFor({ state });
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'flame-graph');
    }
  },
);

pageTest('a click zooms, and the browser goes back', '?service=shop', async (page) => {
  await untilFrame(page, /^total /);
  const box = await page.locator('canvas.flame-base').boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 3 * 18 + 9);
  assert.match(
    (await rowTexts(page, '[role=tooltip] tr')).join(),
    /^total 1\.20 s 60\.00 % of total 1,200,000,000 ns,self /,
  );
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('[role=tooltip]').count(), 0, 'Escape puts the tooltip away');
  await page.mouse.click(box.x + box.width * 0.3, box.y + 3 * 18 + 9);
  await untilFrame(page, /^query .*100 % of view/);
  await page.goBack();
  await untilFrame(page, /^total .*100 % of total/);
  await page.goForward();
  await untilFrame(page, /^query .*100 % of view/);
});

pageTest('an address restores what was seen', '?service=shop', async (page) => {
  await untilFrame(page, /^total /);
  await page.focus('#flame-graph');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter', 'ArrowDown']) await page.keyboard.press(key);
  await page.fill('#search', 'quer');
  await page.getByRole('button', { name: 'Total' }).click();
  await page.waitForURL(/zoom=.*frame=.*sort=-total/);
  await untilFrame(page, /^query total 1\.20 s \(75\.00 % of view/);
  const said = await frameText(page);

  const again = await openPage(browser, page.url());
  await untilFrame(again.page, /^query total 1\.20 s \(75\.00 % of view/);
  assert.equal(await frameText(again.page), said);
  assert.equal(await again.page.inputValue('#search'), 'quer');
  assert.equal(await again.page.locator('th[aria-sort=descending]').textContent(), 'Total, s ↓');
  assert.deepEqual(again.faults, []);
  await again.close();
});

pageTest(
  'a link to a frame that is gone leads to what is nearest, and says so',
  '?service=shop&frame=abc.render',
  async (page) => {
    await untilFrame(page, /^render total 400 ms/);
    assert.match(
      await page.locator('.faults').textContent(),
      /The linked path to render is not here; its largest frame is selected/,
    );
  },
);

pageTest('a search tells its share, lights its frames and goes from one to the next', '?service=shop', async (page) => {
  await untilFrame(page, /^total /);
  const result = async (text, pattern) => {
    await page.fill('#search', text);
    await page.waitForFunction(
      ([source]) => new RegExp(source).test(document.querySelector('#search-result').textContent),
      [pattern.source],
    );
  };
  await result('QUER', /^60\.00.% of total in 1 function, 1 frame$/);
  assert.equal(await drawnColour(page, 0.3, 3), LIGHT_FLAME_THEME.match);
  assert.equal(await drawnColour(page, 0.3, 2), LIGHT_FLAME_THEME.faded);
  assert.equal(await page.locator('.table tbody tr:not(.spare)').count(), 1, 'the table shows what matches');
  await result('/^(handle|query|idle)$/', /^100.% of total in 3 functions, 3 frames$/);
  await result('/^(query|idle)$/', /^80\.00.% of total in 2 functions, 2 frames$/);
  await page.press('#search', 'Enter');
  await untilFrame(page, /^query /);
  await page.focus('#flame-graph');
  await page.keyboard.press('n');
  await untilFrame(page, /^idle /);
  await page.keyboard.press('n');
  await untilFrame(page, /^query /);
  await page.keyboard.press('Shift+N');
  await untilFrame(page, /^idle /);
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'search');
  await result('nowhere', /^No function matches\.$/);
  await page.press('#search', 'Escape');
  assert.equal(await page.inputValue('#search'), '');
});

pageTest('no pattern breaks or stops the page', '?service=hostile', async (page) => {
  await untilFrame(page, /^total /);
  const said = page.locator('#search-result');
  const type = async (text, pattern) => {
    await page.fill('#search', text);
    await page.waitForFunction(
      ([source]) => new RegExp(source).test(document.querySelector('#search-result').textContent),
      [pattern.source],
      { timeout: 10_000 },
    );
  };
  await type('foo(', /^75\.00.% of total in 1 function/);
  for (const text of ['[]', '*', '(a+)+$', '\\', '/']) await type(text, /^No function matches\.$/);
  await type('/foo(/', /^This pattern cannot be read: unterminated group\.$/);
  assert.equal(await page.getAttribute('#search', 'aria-invalid'), 'true');
  await type('x'.repeat(1_050), /longer than 1024 characters/);

  await page.fill('#search', '/(a+)+$/');
  // While the pattern runs for ever on a thread of its own, the page answers.
  await page.focus('#flame-graph');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await untilFrame(page, /^main /);
  await said.filter({ hasText: 'takes too long on these names and was stopped' }).waitFor({ timeout: 10_000 });
  await type('/^a+!$/', /^25\.00.% of total in 1 function/);
});

pageTest('the table selects in the graph, by mouse and by keys', '?service=shop', async (page) => {
  await untilFrame(page, /^total /);
  const rows = page.locator('.table tbody tr');
  assert.deepEqual(await rowTexts(page, '.table tbody tr'), [
    'query 1.20 60.00 % 1.20 60.00 %',
    'idle 0.40 20.00 % 0.40 20.00 %',
    'render 0.40 20.00 % 0.40 20.00 %',
    'handle 0.00 0 % 1.60 80.00 %',
    'main 0.00 0 % 2.00 100 %',
  ]);
  await rows.filter({ hasText: 'render' }).click();
  await untilFrame(page, /^render /);
  assert.deepEqual(await rowTexts(page, 'tr[aria-selected=true]'), ['render 0.40 20.00 % 0.40 20.00 %']);
  await page.getByRole('button', { name: 'Function' }).click();
  assert.equal((await rowTexts(page, '.table tbody tr'))[0].split(' ')[0], 'handle');
  await page.focus('[role=grid]');
  for (const key of ['Home', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await untilFrame(page, /^idle /);
});

pageTest('filters narrow what is shown', '?service=shop', async (page) => {
  await untilFrame(page, /^total total 2\.00 s/);
  await page.getByRole('button', { name: 'Add a label filter' }).click();
  const label = page.getByRole('combobox', { name: 'Label', exact: true });
  await label.locator('option', { hasText: 'region' }).waitFor({ state: 'attached' });
  assert.equal(await label.inputValue(), 'pod', 'what most people filter by comes first');
  await page.getByRole('combobox', { name: 'Value' }).fill('shop-a');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await untilFrame(page, /^total total 1\.00 s/);
  await page.waitForURL(/label=pod%3Dshop-a/);
  await page.getByRole('button', { name: 'Add a label filter' }).click();
  await page.getByRole('combobox', { name: 'Value' }).fill('shop-a');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('combobox', { name: 'Value' }).waitFor({ state: 'detached' });
  assert.equal(await page.locator('.chip').count(), 1, 'the same filter once');
  await page.getByRole('button', { name: 'Remove filter pod = shop-a' }).click();
  await untilFrame(page, /^total total 2\.00 s/);
});

test('brushing over the timeline narrows the range, the browser goes back', { skip: SKIPPED }, async () => {
  // The profiles lie 120 and 60 seconds before the start, in a range of 300 seconds that ends there.
  const { page, faults, close } = await openPage(
    browser,
    `${address}/?service=shop&from=${started - 300_000}&until=${started}`,
  );
  await untilFrame(page, /^total total 2\.00 s/);
  const plot = await page.locator('.u-over').boundingBox();
  const at = (secondsAgo) => plot.x + plot.width * (1 - secondsAgo / 300);
  await page.mouse.move(at(85), plot.y + 20);
  await page.mouse.down();
  await page.mouse.move(at(20), plot.y + 30, { steps: 4 });
  await page.mouse.up();
  await untilFrame(page, /^total total 1\.00 s/);
  const query = new URL(page.url()).searchParams;
  assert.ok(Math.abs(Number(query.get('from')) - (started - 85_000)) < 2_000);
  await page.goBack();
  await untilFrame(page, /^total total 2\.00 s/);
  assert.deepEqual(faults, []);
  await close();
});

pageTest(
  'a range without data says so, and offers wider ones',
  '?service=shop&from=1000000000000&until=1000000060000',
  async (page) => {
    await page.getByText('shop sent nothing that fits in this time range.').waitFor();
    await page.getByRole('button', { name: 'Last 24 hours' }).click();
    await untilFrame(page, /^total total 2\.00 s/);
  },
);

pageTest('a refresh brings new data and moves nothing', '?service=live&refresh=1', async (page) => {
  await pushCollapsed(address, 'live', ['main;steady 30', 'main;zzz 10'], { secondsAgo: 30 });
  await untilFrame(page, /^total total 400 ms/);
  await page.focus('#flame-graph');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await untilFrame(page, /^steady total 300 ms \(75\.00 % of total\)/);
  await pushCollapsed(address, 'live', ['main;aaa 60'], { secondsAgo: 20 });
  await untilFrame(page, /^steady total 300 ms \(30\.00 % of total\)/);
  await page.getByRole('button', { name: 'Pause' }).click();
  await pushCollapsed(address, 'live', ['main;aaa 100'], { secondsAgo: 10 });
  await page.waitForTimeout(2_500);
  assert.match(await frameText(page), /^steady total 300 ms \(30\.00 % of total\)/, 'paused');
  await page.getByRole('button', { name: 'Resume' }).click();
  await untilFrame(page, /^steady total 300 ms \(15\.00 % of total\)/);
});

pageTest('a stack of 3,000 frames is drawn to its end', '?service=deep', async (page) => {
  await untilFrame(page, /^total /);
  await page.fill('#search', 'frame2999');
  await page.press('#search', 'Enter');
  await untilFrame(page, /^frame2999 total 50\.0 ms/);
  assert.equal(await page.getAttribute('#selected-frame', 'aria-level'), '3001');
  await page.waitForFunction(() => document.querySelector('#flame-graph').scrollTop > 50_000);
  assert.equal(await drawnColour(page, 0.5, 3_000), LIGHT_FLAME_THEME.match);
});

pageTest('the profile can be downloaded as pprof', '?service=shop', async (page) => {
  await untilFrame(page, /^total /);
  await page.getByRole('button', { name: 'Download the profile' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^pprof/ }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'shop-process_cpu-cpu.pb.gz');
  const { profiles } = readPprof(gunzipSync(readFileSync(await download.path())));
  assert.equal(callTree(profiles[0].profile, 0).total[0], 2_000_000_000);
});
