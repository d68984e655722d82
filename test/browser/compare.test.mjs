/** Two times, and two sets of labels, compared in the page with the real server behind it: by mouse, by keys, by link. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import axe from 'axe-core';
import { DARK_DIFF_THEME, LIGHT_DIFF_THEME, stepColour } from '../../packages/ui/dist/compare/diff-theme.js';
import { drawnColour, frameText, openPage, rowTexts, SKIPPED, startChromium, untilFrame } from './harness/chromium.mjs';
import { fileScope } from './harness/file-scope.mjs';
import { pushCollapsed, startPilotlight } from './harness/pilotlight.mjs';

/** A count is 10 ms: 1.00 s in all, then 2.00 s. By hand: query 60 % → 30 %, render 20 % → 20 %, idle 20 % → 0, cache 0 → 50 %. */
const BEFORE = ['main;handle;query 60', 'main;handle;render 20', 'main;idle 20'];
const AFTER = ['main;handle;query 60', 'main;handle;render 40', 'main;handle;cache 100'];
/** As wide as the larger share: query 60, render 20, idle 20, cache 50. Names in order: cache, query, render below handle, then idle. */
const WIDTH = 150;

const scope = fileScope();
let address;
let browser;
before(async () => {
  if (SKIPPED) return;
  [address, browser] = await Promise.all([startPilotlight(scope), startChromium(scope)]);
  await pushCollapsed(address, 'shop{pod=a}', BEFORE, { secondsAgo: 90 * 60 });
  await pushCollapsed(address, 'shop{pod=b}', AFTER, { secondsAgo: 30 * 60 });
  await pushCollapsed(address, 'till', ['main;sell 10'], { secondsAgo: 30 * 60 });
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

const COMPARED = /^total total A 100 % B 100 % no change self A 0 % B 0 % no change/;
const TABLE_ROWS = '[role=grid] tbody tr';

pageTest(
  'by mouse: from one profile to the comparison and back, with the numbers of both',
  '?service=shop',
  async (page) => {
    await untilFrame(page, /^total total 2\.00 s/);
    await page.getByRole('button', { name: 'Compare' }).click();
    await untilFrame(page, COMPARED);
    assert.match(page.url(), /&compare=before$/);
    assert.deepEqual((await rowTexts(page, TABLE_ROWS)).sort(), [
      'cache – 50.00 +50.00 – 50.00 +50.00',
      'handle – – 0 80.00 100 +20.00',
      'idle 20.00 – −20.00 20.00 – −20.00',
      'main – – 0 100 100 0',
      'query 60.00 30.00 −30.00 60.00 30.00 −30.00',
      'render 20.00 20.00 0 20.00 20.00 0',
    ]);
    const box = await page.locator('canvas.flame-base').boundingBox();
    const over = (share, level) => page.mouse.move(box.x + box.width * share, box.y + level * 18 + 9);
    await over(100 / WIDTH, 3);
    await page.getByRole('tooltip').waitFor();
    assert.deepEqual(await rowTexts(page, '[role=tooltip] tr'), [
      ' A B change',
      'total 60.00 % 30.00 % −30.00 points ×0.500',
      ' 600 ms 600 ms no change ',
      'self 60.00 % 30.00 % −30.00 points ×0.500',
      ' 600 ms 600 ms no change ',
    ]);
    await page.mouse.click(box.x + (box.width * 20) / WIDTH, box.y + 3 * 18 + 9);
    await untilFrame(page, /^cache total A 0 % B 50\.00 % \+50\.00 points \(new\)/);
    await page.goBack();
    await untilFrame(page, COMPARED);
    await page.goBack();
    await untilFrame(page, /^total total 2\.00 s/);
  },
);

pageTest('by keys: everything can be reached, walked in and changed', '?service=shop', async (page) => {
  await untilFrame(page, /^total total 2\.00 s/);
  const press = async (key, pattern) => {
    await page.keyboard.press(key);
    await untilFrame(page, pattern);
  };
  await page.getByRole('button', { name: 'Compare' }).focus();
  await press('Enter', COMPARED);
  await page.focus('#flame-graph');
  await press('ArrowDown', /^total /);
  await press('ArrowDown', /^main total A 100 % B 100 % no change/);
  await press('ArrowDown', /^handle total A 80\.00 % B 100 % \+20\.00 points \(×1\.25\) self A 0 % B 0 % no change/);
  await press('ArrowRight', /^idle total A 20\.00 % B 0 % −20\.00 points \(gone\)/);
  const item = page.locator('[role=treeitem]');
  assert.equal(await item.count(), 1, 'one item, however many frames');
  assert.deepEqual(
    await item.evaluate((element) =>
      ['level', 'posinset', 'setsize'].map((name) => element.getAttribute(`aria-${name}`)),
    ),
    ['3', '2', '2'],
  );
  await press('ArrowLeft', /^handle /);
  // The widest of its children: 60 % before, 30 % now.
  await press('ArrowDown', /^query /);
  await press('Enter', /^query /);
  await press('Escape', /^query /);

  await page.getByRole('button', { name: 'Absolute' }).focus();
  await page.keyboard.press('Enter');
  await untilFrame(page, /^query total A 600 ms B 600 ms no change/);
  await page.getByRole('button', { name: 'Total change' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/compare\.by=value&compare\.sort=-total\.change/);
  assert.equal(await page.locator('th[aria-sort=descending]').textContent(), 'Total change ↓');
  assert.deepEqual(await rowTexts(page, TABLE_ROWS), [
    'handle – – 0 0.80 2.00 +1.20',
    'cache – 1.00 +1.00 – 1.00 +1.00',
    'main – – 0 1.00 2.00 +1.00',
    'render 0.20 0.40 +0.20 0.20 0.40 +0.20',
    'query 0.60 0.60 0 0.60 0.60 0',
    'idle 0.20 – −0.20 0.20 – −0.20',
  ]);
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort=ascending]').waitFor();
  await page.focus('[role=grid]');
  await page.keyboard.press('Home');
  await press('Enter', /^idle total A 200 ms B 0 ns −200 ms \(gone\)/);
});

for (const [scheme, theme] of [
  ['light', LIGHT_DIFF_THEME],
  ['dark', DARK_DIFF_THEME],
]) {
  pageTest(
    `frames are filled by what changed, ${scheme}, and the legend says how`,
    '?service=shop&compare=before&panes=graph',
    async (page) => {
      await untilFrame(page, COMPARED);
      // Beside the lines of the hatch and the label.
      const at = (share, level) => drawnColour(page, share / WIDTH, level);
      assert.equal(await at(149, 1), stepColour(theme, 0), 'main took all before, and now');
      assert.equal(await at(129, 2), stepColour(theme, 2), 'handle took a quarter more');
      assert.equal(await at(109, 3), stepColour(theme, -3), 'query took half');
      assert.equal(await at(129, 3), stepColour(theme, 0), 'render took as much');
      await page.getByRole('button', { name: 'Absolute' }).click();
      await untilFrame(page, /^total total A 1\.00 s B 2\.00 s \+1\.00 s \(×2\.00\)/);
      assert.deepEqual(await page.locator('.diff-legend li').allTextContents(), [
        '− gone',
        '− halved',
        '−20 %',
        '−5 %',
        'same',
        '+5 %',
        '+25 %',
        '+ doubled',
        '+ new',
      ]);
    },
    { colorScheme: scheme },
  );
}

pageTest('a search says how much of both sides it found', '?service=shop&compare=before&search=e', async (page) => {
  await untilFrame(page, COMPARED);
  const result = page.locator('#search-result');
  assert.equal(
    (await result.textContent()).replace(/\s+/g, ' '),
    '100 % of A, 100 % of B (no change) in 5 functions, 5 frames',
  );
  await page.fill('#search', '/^(query|idle)$/');
  await page.waitForFunction(() => document.querySelector('#search-result')?.textContent.includes('2 functions'));
  assert.equal(
    (await result.textContent()).replace(/\s+/g, ' '),
    '80.00 % of A, 30.00 % of B (−50.00 points) in 2 functions, 2 frames',
  );
  await page.press('#search', 'Enter');
  await untilFrame(page, /^query /);
});

pageTest(
  'two sets of labels at the same time; swapped; a link restores all of it',
  '?service=shop&last=2h',
  async (page) => {
    await untilFrame(page, /^total total 3\.00 s/);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Time range of A' }).click();
    await page.getByRole('button', { name: 'The same time as B' }).click();
    await page.getByText('A and B ask for the same profiles').waitFor();
    for (const [side, pod] of [
      ['A', 'a'],
      ['B', 'b'],
    ]) {
      await page.getByRole('button', { name: `Add a label filter of ${side}` }).click();
      await page.getByRole('combobox', { name: 'Value' }).fill(pod);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    }
    await page.locator(`${TABLE_ROWS}:has-text("cache")`).waitFor();
    const names = async () => (await rowTexts(page, TABLE_ROWS)).map((row) => row.split(' ')[0]);
    assert.deepEqual((await names()).slice(0, 1), ['cache'], 'what grew most comes first');
    await page.getByRole('button', { name: 'Swap sides' }).click();
    await untilFrame(page, /^total /);
    await page.waitForFunction(() => document.querySelector('[role=grid] tbody tr')?.textContent.startsWith('query'));
    await page.waitForURL(/label=pod%3Db.*|compare\.label=pod%3Db/);
    await page.focus('#flame-graph');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Self', exact: true }).click();
    await untilFrame(page, /^handle total A 100 % B 80\.00 %/);
    await page.waitForURL(/frame=.*compare\.of=self/);

    const said = await frameText(page);
    const rows = await rowTexts(page, TABLE_ROWS);
    const again = await openPage(browser, page.url());
    await untilFrame(again.page, /^handle total A 100 % B 80\.00 %/);
    assert.equal(await frameText(again.page), said);
    assert.deepEqual(await rowTexts(again.page, TABLE_ROWS), rows);
    assert.equal(
      await again.page.getByRole('button', { name: 'Self', exact: true }).getAttribute('aria-pressed'),
      'true',
    );
    assert.deepEqual(again.faults, []);
    await again.close();
  },
);

pageTest(
  'a stretch marked in a timeline becomes the range of its side, and of no other',
  '?service=shop&compare=before',
  async (page) => {
    await untilFrame(page, COMPARED);
    const plot = page.locator('section[aria-label^="A,"] .u-over');
    await plot.waitFor();
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/compare=\d+-\d+/);
    assert.doesNotMatch(page.url(), /from=/);
    await page.getByText('A is empty: shop sent nothing between').waitFor();
    await page.goBack();
    await untilFrame(page, COMPARED);
  },
);

// 1.00 s in the hour before, 2.00 s in this one: 3.00 s in the two hours of A, whatever else is asked.
pageTest(
  'sides of unequal length compare by rate',
  '?service=shop&last=1h&compare=last-2h&compare.by=rate',
  async (page) => {
    await untilFrame(page, /^total total A 0\.0004 cores B 0\.0006 cores \+0\.0001 cores \(×1\.33\)/);
    assert.equal(await page.getByRole('button', { name: 'Cores' }).getAttribute('aria-pressed'), 'true');
  },
);

pageTest(
  'the same by keys: a stretch of a timeline, there and back, the menu of a frame',
  '?service=shop',
  async (page) => {
    await untilFrame(page, /^total total 2\.00 s/);
    await page.focus('#flame-graph');
    await page.keyboard.press('6');
    await untilFrame(page, COMPARED);
    const left = page.getByRole('slider', { name: /^A and what is around it/ });
    await left.focus();
    for (const key of ['Home', 'Shift+PageDown', 'Shift+ArrowLeft']) await page.keyboard.press(key);
    assert.match(await left.getAttribute('aria-valuetext'), /: Enter chooses it$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/compare=\d+-\d+/);
    await page.goBack();
    await untilFrame(page, COMPARED);

    await page.focus('#flame-graph');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Shift+F10']) await page.keyboard.press(key);
    const menu = page.getByRole('menu', { name: 'What to do with handle' });
    await menu.waitFor();
    assert.deepEqual(
      (await menu.getByRole('menuitem').allTextContents()).map((text) => text.trim()),
      [
        'Zoom to this frame Enter',
        'Copy the full name Ctrl + C',
        'Copy a link to this frame y',
        'Search for this name',
      ],
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('6');
    await untilFrame(page, /^handle total 2\.00 s/);
  },
);

pageTest(
  'another service takes the labels of both sides away',
  '?service=shop&compare=0s-before&compare.label=pod%3Da',
  async (page) => {
    await page.getByRole('button', { name: 'Remove filter pod = a of A' }).waitFor();
    await page.selectOption('#service', 'till');
    await page.getByText('A and B ask for the same profiles').waitFor();
    assert.match(page.url(), /compare=0s-before$/);
  },
);

for (const [name, query, said] of [
  ['one side empty', '?service=shop&compare=1d-before', /A is empty: shop sent nothing between/],
  [
    'both sides empty',
    '?service=shop&compare=1d-before&label=pod%3Dz',
    /B is empty: shop sent nothing that fits its filters/,
  ],
  ['a service that is missing on one side', '?service=till&compare=before', /A is empty: till sent nothing between/],
  ['further back than profiles are kept', '?service=shop&compare=30d-before', /this server keeps profiles for 7\sdays/],
  ['the same on both sides', '?service=shop&compare=0s-before', /A and B ask for the same profiles/],
  [
    'unequal lengths by value',
    `?service=shop&last=1h&compare=last-2h&compare.by=value`,
    /A is 2\.00\sh long and B 1\.00\sh: absolute values grow with time/,
  ],
]) {
  pageTest(`${name}: the page says so`, query, async (page) => {
    await page.locator('.notice').filter({ hasText: said }).waitFor();
    // With nothing to compare with, no frame is new, and none is gone.
    if (/missing|one side/.test(name)) {
      assert.equal(await drawnColour(page, 0.99, 1), stepColour(LIGHT_DIFF_THEME, 0));
    }
  });
}

const FACES = {
  wide: {},
  dark: { colorScheme: 'dark' },
  narrow: { viewport: { width: 400, height: 900 } },
};

for (const [face, options] of Object.entries(FACES)) {
  pageTest(
    `axe-core finds nothing, ${face}`,
    '?service=shop&compare=before&search=query',
    async (page) => {
      await untilFrame(page, COMPARED);
      await page.locator('.u-over').nth(1).waitFor();
      await page.evaluate(axe.source);
      const { violations, passes } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      );
      assert.ok(passes.length > 15, 'axe looked at the page');
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(isWider, false, 'nothing reaches beyond the page');
    },
    options,
  );
}
