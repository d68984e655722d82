/** Names come from outside: whatever they hold, they are text on the page and nothing else. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPage, SKIPPED, startChromium, untilFrame } from './harness/chromium.mjs';
import { fileScope } from './harness/file-scope.mjs';
import { pushLabelled, startPilotlight } from './harness/pilotlight.mjs';

const RUN = 'window.__ran=1';
/** Each would run, load or break something in a page that took it for markup, for a script, for an address or for a style. */
const NAMES = [
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `<img src=//evil.example/x.png>`,
  `"><img src=x onerror=${RUN}>`,
  `'><img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<math><mtext></mtext><script>${RUN}</script></math>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.__ran=1</script>"></iframe>`,
  `<object data="javascript:${RUN}">`,
  `<embed src="javascript:${RUN}">`,
  `<a href="javascript:${RUN}">x</a>`,
  `javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `<body onload=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<video><source onerror=${RUN}>`,
  `<audio src=x onerror=${RUN}>`,
  `<marquee onstart=${RUN}>`,
  `<style>*{background:url(//evil.example/x)}</style>`,
  `<link rel=stylesheet href=//evil.example/x.css>`,
  `<meta http-equiv=refresh content="0;url=//evil.example">`,
  `<base href=//evil.example/>`,
  `<form action=//evil.example><button>go</button></form>`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<!--<img src="--><img src=x onerror=${RUN}>">`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `<textarea></textarea><script>${RUN}</script>`,
  `<title></title><script>${RUN}</script>`,
  `" onmouseover="${RUN}`,
  `' onfocus='${RUN}' tabindex='0`,
  `\`;${RUN};//`,
  `\${${RUN}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `';${RUN};'`,
  `\\';${RUN};//`,
  `url(javascript:${RUN})`,
  `expression(${RUN})`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;img src=x onerror=${RUN}&#62;`,
  `__proto__`,
  `constructor`,
  `toString`,
  `\u202egnp.exe`,
  `\u2028${RUN}\u2029`,
  `\ufeff<script>${RUN}</script>`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
];

const scope = fileScope();
let address;
let browser;
before(async () => {
  if (SKIPPED) return;
  [address, browser] = await Promise.all([startPilotlight(scope), startChromium(scope)]);
});

/** Lets everything that waits for a moment have it, then looks whether anything happened. */
async function nothingHappened(page, faults) {
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => globalThis.__ran), undefined);
  assert.deepEqual(faults, []);
  const foreign = await page.evaluate(() => {
    const seldom =
      'script:not([src^="./assets/"]):not([src^="/assets/"]), iframe, object, embed, img, video, audio, style, base, marquee, math';
    return [...document.querySelectorAll(seldom)].map((element) => element.outerHTML);
  });
  assert.deepEqual(foreign, [], 'no element came from a name');
}

test('function names', { skip: SKIPPED }, async () => {
  const response = await pushLabelled(
    address,
    { service_name: 'functions' },
    NAMES.map((name) => `main;${name.replaceAll(';', ',')} 10`),
  );
  assert.equal(response.status, 200);
  const { page, faults, close } = await openPage(browser, `${address}/?service=functions`);
  await untilFrame(page, /^total /);
  await page.focus('#flame-graph');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  const box = await page.locator('canvas.flame-base').boundingBox();
  let said = 0;
  for (let i = 0; i < NAMES.length; i++) {
    await page.keyboard.press('ArrowRight');
    const text = await page.locator('.flame-line-name').textContent();
    if (/[<&]/.test(text)) said++;
    await page.mouse.move(box.x + (box.width * (i + 0.5)) / NAMES.length, box.y + 45);
  }
  assert.ok(said > 20, 'names are shown as they are');
  await page.getByRole('grid').focus();
  for (const key of ['End', 'Enter', 'Home', 'Enter']) await page.keyboard.press(key);
  for (const name of NAMES.slice(0, 12)) await page.fill('#search', name);
  await nothingHappened(page, faults);
  await close();
});

test('services, label names and label values', { skip: SKIPPED }, async () => {
  let taken = 0;
  for (const name of NAMES) {
    const response = await pushLabelled(address, { service_name: name, pod: name, [name]: name }, ['main;work 1']);
    // A label the server does not take is a label nobody sees; the service and the value it must take.
    if (response.status === 200) taken++;
    else {
      const again = await pushLabelled(address, { service_name: name, pod: name }, ['main;work 1']);
      if (again.status === 200) taken++;
    }
  }
  console.log(`${taken} of ${NAMES.length} services taken by the server`);
  assert.ok(taken > NAMES.length / 2);

  for (const name of NAMES.slice(0, 6)) {
    const query = new URLSearchParams({ service: name, label: `pod=${name.replace(/^[%~]/, '')}` });
    const { page, faults, close } = await openPage(browser, `${address}/?${query}`);
    await untilFrame(page, /^total total 1 ns/);
    assert.equal(await page.locator('#service').inputValue(), name);
    await page.getByRole('button', { name: 'Add a label filter' }).click();
    await page.locator('datalist option').first().waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Service missing?' }).click();
    await page.getByRole('dialog').waitFor();
    await nothingHappened(page, faults);
    await close();
  }
});

test('an address and an error text', { skip: SKIPPED }, async () => {
  for (const name of NAMES.slice(0, 8)) {
    const query = new URLSearchParams({
      service: name,
      type: name,
      label: name,
      search: name,
      frame: `abc.${name}`,
      zoom: name,
    });
    const { page, close, faults } = await openPage(browser, `${address}/?${query}`);
    await page.locator('#search').waitFor();
    await page.waitForTimeout(300);
    // The server says no to such a type: that is no fault of the page.
    await nothingHappened(page, faults.filter((fault) => !fault.includes('status of 4')).slice());
    await close();
  }
});
