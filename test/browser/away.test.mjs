/** The server, or the way to it, is gone for a while: the page says so, shows nothing under a wrong name, and finds back. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
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
  await pushCollapsed(address, 'till', ['main;count 30']);
});

test('a part of the page that did not come is asked for again', { skip: SKIPPED }, async () => {
  const { page, close } = await openPage(browser, `${address}/?service=shop`);
  await untilFrame(page, /^total /);
  await page.context().setOffline(true);
  const missing = page.getByRole('button', { name: 'Service missing?' });
  await missing.click();
  await page.getByText('This part of the page could not be loaded: the server cannot be reached').waitFor();
  await page.context().setOffline(false);
  await missing.click();
  await page.getByText('Nothing was refused since').waitFor();
  await close();
});

test('one service is never shown under the name of another', { skip: SKIPPED }, async () => {
  const { page, close } = await openPage(browser, `${address}/?service=shop`);
  await untilFrame(page, /^total total 600 ms/);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await page.getByText('The server did not answer the question: it cannot be reached').waitFor();
  await untilFrame(page, /^total total 600 ms/);
  await page.selectOption('#service', 'till');
  await page.locator('.flame').waitFor({ state: 'detached' });
  assert.equal(await page.getByText('cannot be reached').count(), 1, 'said once');
  assert.equal(await page.getByText(/sent nothing|No data/).count(), 0, 'nobody knows');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await untilFrame(page, /^total total 300 ms/);
  await close();
});

test('a refused question does not look like an empty range', { skip: SKIPPED }, async () => {
  const { page, close } = await openPage(browser, `${address}/?service=shop&label=pod%3D~(`);
  await page.getByText('The server did not answer the question').waitFor();
  assert.equal(await page.getByText('sent nothing').count(), 0);
  await close();
});
