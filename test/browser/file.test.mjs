/** A file is opened in the browser, by the button and by dropping it; nothing of it is sent until it is asked for. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readCollapsed, writePprof } from '@pilotlight/profile';
import { openPage, SKIPPED, startChromium, untilFrame } from './harness/chromium.mjs';
import { fileScope } from './harness/file-scope.mjs';
import { pushCollapsed, startPilotlight } from './harness/pilotlight.mjs';

const scope = fileScope();
let address;
let browser;
before(async () => {
  if (SKIPPED) return;
  [address, browser] = await Promise.all([startPilotlight(scope), startChromium(scope)]);
  await pushCollapsed(address, 'shop', ['main;query 60']);
});

const TEXT = new TextEncoder().encode('main;work 3000000000\nmain;rest 1000000000');
const PPROF = gzipSync(
  writePprof(readCollapsed(TEXT, { sampleType: { type: 'cpu', unit: 'nanoseconds' } }).profiles[0].profile),
);
const file = (name, buffer) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(buffer) });

function pageTest(name, run) {
  test(name, { skip: SKIPPED }, async () => {
    const { page, faults, close } = await openPage(browser, `${address}/?service=shop`);
    const sent = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && !request.url().includes('querier')) sent.push(request.url());
    });
    await untilFrame(page, /^total total 600 ms/);
    await run(page, sent);
    assert.deepEqual(faults, []);
    await close();
  });
}

pageTest('a packed pprof is shown, sent only when asked, and is then found', async (page, sent) => {
  await page.setInputFiles('input[type=file]', file('mine.pb.gz', PPROF));
  await untilFrame(page, /^total total 4\.00 s/);
  await page.getByText('This file is only in your browser: nothing of it was sent.').waitFor();
  await page.focus('#flame-graph');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', '4']) await page.keyboard.press(key);
  await page.locator('#callers-flame-graph').waitFor();
  assert.deepEqual(sent, []);
  await page.getByRole('button', { name: 'Store it on the server' }).click();
  assert.equal(await page.getByRole('textbox', { name: 'Service' }).inputValue(), 'mine');
  await page.getByRole('textbox', { name: 'Service' }).fill('stored-here');
  await page.getByRole('button', { name: 'Send it to the server' }).click();
  await untilFrame(page, /^total total 4\.00 s/);
  await page.waitForURL(/service=stored-here/);
  assert.equal(sent.length, 1);
});

pageTest('a dropped file is opened; back leads to where one was', async (page) => {
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['main;dropped 7'], 'dropped.txt'));
    return data;
  });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await untilFrame(page, /^total total 7/);
  await page.goBack();
  await untilFrame(page, /^total total 600 ms/);
});

pageTest('a file that cannot be read says why, and can be closed', async (page) => {
  await page.setInputFiles('input[type=file]', file('broken.jfr', 'FLR\0nothing of use'));
  await page.getByText(/^This file cannot be shown: /).waitFor();
  await page.setInputFiles('input[type=file]', file('cut.pb.gz', PPROF.subarray(0, 20)));
  await page.getByText(/the gzip of the file is damaged/).waitFor();
  await page.getByRole('button', { name: 'Close the file' }).click();
  await untilFrame(page, /^total total 600 ms/);
});

test('the status tells services, agents and storage', { skip: SKIPPED }, async () => {
  const { page, faults, close } = await openPage(browser, `${address}/?page=status`);
  await page.getByRole('rowheader', { name: 'shop' }).first().waitFor();
  for (const name of ['Agents', 'Refused', 'Storage by service', 'Storage by table']) {
    assert.equal(await page.getByRole('heading', { name, exact: true }).count(), 1, name);
  }
  await page.getByText(/^\d+\.\d a second$/).waitFor({ timeout: 15_000 });
  await page.getByRole('button', { name: 'Status' }).click();
  await untilFrame(page, /^total /);
  assert.deepEqual(faults, []);
  await close();
});
