/** What a reader sees before there is anything to see, and when something is missing. */
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
});

test('an empty store tells how to fill it, why something is missing, and gives way to the first profile', {
  skip: SKIPPED,
}, async () => {
  const refused = await fetch(`${address}/ingest?name=broken&format=pprof`, { method: 'POST', body: 'no profile' });
  assert.equal(refused.status, 422);

  const { page, faults, close } = await openPage(browser, address, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByRole('heading', { name: 'No profiles yet' }).waitFor();
  const lines = await page.locator('.instruction pre').allTextContents();
  assert.equal(lines.length, 5);
  for (const text of lines) assert.ok(text.includes(address), text);
  const [java, node, go, python, file] = lines;
  assert.match(java, /^PYROSCOPE_AGENT_ENABLED=true \\\n(.*\n)*java -javaagent:pyroscope\.jar /);
  assert.match(node, /^PYROSCOPE_AGENT_ENABLED=true \\\n(.*\n)*node --import @pilotlight\/agent\/register app\.js$/);
  assert.match(go, /^pyroscope\.Start\(pyroscope\.Config\{\n/);
  assert.match(python, /^pyroscope\.configure\($/m);
  assert.match(file, /^curl --data-binary /);

  await page.getByRole('button', { name: 'Copy the lines for Go' }).click();
  await page.getByText('Copied').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), go);

  const rows = page.locator('.refusals tbody tr');
  await rows.first().waitFor();
  const [refusal] = await rows.allTextContents();
  assert.match(refusal, /^broken.*malformed_profile1/);

  await pushCollapsed(address, 'first', ['main;work 5']);
  await untilFrame(page, /^total total 50\.0 ms/);
  await page.getByRole('button', { name: 'Service missing?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Why is my service missing?' });
  await dialog.getByText('broken').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
  await close();
});

test('the page says so when the server is gone, and keeps what it shows', { skip: SKIPPED }, async () => {
  await pushCollapsed(address, 'first', ['main;work 5']);
  const { page, close } = await openPage(browser, `${address}/?service=first`);
  await untilFrame(page, /^total /);
  await page.route('**/querier.v1.QuerierService/*', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"code":"store_unavailable","message":"the store is away"}',
    }),
  );
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await page.getByText('The server did not answer the question: the store is away').waitFor();
  await untilFrame(page, /^total /);
  await page.unroute('**/querier.v1.QuerierService/*');
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await page.getByText('the store is away').first().waitFor({ state: 'detached' });
  await close();
});

test('the page works below a path of a proxy', { skip: SKIPPED }, async () => {
  await pushCollapsed(address, 'first', ['main;work 5']);
  const context = await browser.newContext();
  const page = await context.newPage();
  // The proxy: it takes its path off and passes the rest on.
  await page.route('**/below/**', async (route) => {
    const url = route.request().url().replace('/below/', '/');
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.goto(`${address}/below/?service=first`);
  await untilFrame(page, /^total /);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
});
