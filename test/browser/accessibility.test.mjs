/** axe-core finds nothing on any face of the page, in either colour scheme; and keys reach everything. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import axe from 'axe-core';
import { openPage, SKIPPED, startChromium, untilFrame } from './harness/chromium.mjs';
import { fileScope } from './harness/file-scope.mjs';
import { pushCollapsed, startPilotlight } from './harness/pilotlight.mjs';

const scope = fileScope();
let full;
let empty;
let browser;
before(async () => {
  if (SKIPPED) return;
  [full, empty, browser] = await Promise.all([startPilotlight(scope), startPilotlight(scope), startChromium(scope)]);
  const lines = Array.from({ length: 400 }, (_, i) => `main;part${i % 7};org.example.Class${i}.method ${1 + (i % 9)}`);
  await pushCollapsed(full, 'shop{pod=a}', lines);
});

const FACES = {
  'the start page': async (page) => page.getByRole('heading', { name: 'No profiles yet' }).waitFor(),
  'graph and table': async (page) => untilFrame(page, /^total /),
  'a search': async (page) => {
    await untilFrame(page, /^total /);
    await page.fill('#search', 'class1');
    await page.press('#search', 'Enter');
    await untilFrame(page, /Class1/);
  },
  'a pattern that cannot be read, a zoom': async (page) => {
    await untilFrame(page, /^total /);
    await page.focus('#flame-graph');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.fill('#search', '/(/');
  },
  'a filter and the form for one': async (page) => {
    await untilFrame(page, /^total /);
    await page.getByRole('button', { name: 'Add a label filter' }).click();
    await page.getByRole('combobox', { name: 'Value' }).fill('a');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Add a label filter' }).click();
    await page.getByRole('combobox', { name: 'Value' }).waitFor();
  },
  'the choice of a range': async (page) => {
    await untilFrame(page, /^total /);
    await page.getByRole('button', { name: 'Time range: Last hour' }).click();
  },
  'the list of keys': async (page) => {
    await untilFrame(page, /^total /);
    await page.focus('#flame-graph');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  },
  'the menu of a frame': async (page) => {
    await untilFrame(page, /^total /);
    await page.focus('#flame-graph');
    for (const key of ['ArrowDown', 'ArrowDown', 'Shift+F10']) await page.keyboard.press(key);
    await page.getByRole('menu').waitFor();
  },
  'callers and callees': async (page) => {
    await untilFrame(page, /^total /);
    await page.focus('#flame-graph');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', '4']) await page.keyboard.press(key);
    await page.getByRole('tree', { name: /^Callees of part/ }).waitFor();
  },
  'a graph upside down, without a function': async (page) => {
    await untilFrame(page, /^total /);
    await page.focus('#flame-graph');
    for (const key of ['i', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'd']) await page.keyboard.press(key);
    await page.getByRole('button', { name: /^Take back: without part/ }).waitFor();
  },
  'the formats of a download': async (page) => {
    await untilFrame(page, /^total /);
    await page.getByRole('button', { name: 'Download the profile' }).click();
    await page.getByRole('button', { name: /^speedscope/ }).waitFor();
  },
  'the status': async (page) => {
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('heading', { name: 'Storage by service' }).waitFor();
  },
  'a file, about to be stored': async (page) => {
    const buffer = Buffer.from('main;work 3\nmain;rest 1');
    await page.setInputFiles('input[type=file]', { name: 'mine.collapsed', mimeType: 'text/plain', buffer });
    await untilFrame(page, /^total /);
    await page.getByRole('button', { name: 'Store it on the server' }).click();
    await page.getByRole('textbox', { name: 'Service' }).waitFor();
  },
  'the missing service': async (page) => {
    await untilFrame(page, /^total /);
    await page.getByRole('button', { name: 'Service missing?' }).click();
    await page.getByText('Nothing was refused since').waitFor();
  },
};

for (const [colorScheme, rules] of [
  ['light', undefined],
  // What else axe looks at is the same in the dark.
  ['dark', ['color-contrast']],
]) {
  test(`axe-core finds nothing, ${colorScheme}`, { skip: SKIPPED }, async (t) => {
    for (const [face, show] of Object.entries(FACES)) {
      await t.test(face, async () => {
        const server = face === 'the start page' ? empty : full;
        const { page, faults, close } = await openPage(browser, server, { colorScheme });
        await show(page);
        await page.evaluate(axe.source);
        const { violations, passes } = await page.evaluate(
          (runOnly) => globalThis.axe.run(runOnly ? { runOnly } : {}),
          rules,
        );
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
          [],
        );
        assert.ok(passes.length > (rules === undefined ? 15 : 0), 'axe looked at the page');
        assert.deepEqual(faults, []);
        await close();
      });
    }
  });
}

test('the tab key reaches every control once, and the graph and the table are one stop each', {
  skip: SKIPPED,
}, async () => {
  const { page, close } = await openPage(browser, full);
  await untilFrame(page, /^total /);
  const stops = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const { activeElement: element } = document;
      return element === null || element === document.body
        ? ''
        : element.getAttribute('aria-label') ||
            element.labels?.[0]?.firstChild.textContent ||
            element.textContent.trim();
    });
    if (stop === '' || stops.length > 40) break;
    stops.push(/^CPU time from .* to /.test(stop) ? 'the timeline' : stop);
  }
  assert.deepEqual(stops, [
    'Skip to the flame graph',
    'Pilotlight',
    'Service',
    'Profile',
    'Add a label filter',
    'Time range: Last hour',
    'Twice the range',
    'Refresh now',
    'Automatic refresh',
    'Compare',
    'Open a file',
    'Status',
    'Service missing?',
    'Theme',
    'Keyboard shortcuts',
    'the timeline',
    'Search',
    'Upside down',
    'Graph',
    'Both',
    'Table',
    'Download the profile',
    'Flame graph, CPU time',
    'Functions',
    'Function',
    'Self, s ↓',
    'Total, s',
  ]);
  await close();
});

test('the accessibility tree says what the canvas shows', { skip: SKIPPED }, async () => {
  const { page, close } = await openPage(browser, `${full}/?service=shop`);
  await untilFrame(page, /^total /);
  await page.focus('#flame-graph');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await untilFrame(page, /^part/);
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const items = nodes.filter((node) => node.role?.value === 'treeitem' && !node.ignored);
  assert.equal(items.length, 1);
  assert.match(items[0].name.value.replace(/\s+/g, ' '), /^part\d total .* of total\) self 0 ns/);
  assert.equal(items[0].properties.find(({ name }) => name === 'level').value.value, 3);
  await close();
});
