/**
 * The page in a real browser: from navigation to the first graph, and from a click to the zoomed graph, at 100,000 frames. The baseline of the same run is an
 * empty answer of the same server, navigated to by the same browser: what no page can be quicker than. Needs Chromium.
 */
import { pathToFileURL } from 'node:url';
import { FIRST_LOAD_BYTES_MAX, pageSizes } from '../packages/ui/size.mjs';
import { SKIPPED, startChromium } from '../test/browser/harness/chromium.mjs';
import { startPilotlight } from '../test/browser/harness/pilotlight.mjs';

const FRAMES = 100_000;
const OPENS = 9;
const ZOOMS = 40;

const ends = [];
const owner = { after: (end) => ends.push(end) };

/** Stacks that come to so many frames of the tree, bushy and up to 60 deep, the same each time. */
function stacks(frames) {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const parent = new Int32Array(frames);
  const depth = new Int32Array(frames);
  const name = new Array(frames);
  const children = new Map();
  const lines = [];
  for (let i = 0; i < frames; i++) {
    let above =
      i === 0 ? -1 : random() < 0.6 ? Math.max(0, i - 1 - Math.floor(random() * 8)) : Math.floor(random() * i);
    while (above > 0 && depth[above] >= 60) above = parent[above];
    parent[i] = above;
    depth[i] = above === -1 ? 0 : depth[above] + 1;
    // No two children of a frame have one name, so that each stays a frame of its own.
    const nth = children.get(above) ?? 0;
    children.set(above, nth + 1);
    name[i] = `org/example/part${nth % 37}/Class${nth % 211}.method${nth % 6_000}${nth >= 6_000 ? `_${nth}` : ''}`;
    const path = [];
    for (let at = i; at !== -1; at = parent[at]) path.push(name[at]);
    lines.push(`${path.reverse().join(';')} ${1 + Math.floor(random() ** 6 * 1_000)}`);
  }
  return lines;
}

async function push(address, lines) {
  // Several uploads of one service: a single one may hold fewer stacks.
  const size = 20_000;
  for (let at = 0; at < lines.length; at += size) {
    const from = Math.floor(Date.now() / 1_000) - 300 + at / size;
    const query = new URLSearchParams({
      name: 'large',
      format: 'collapsed',
      from,
      until: from + 10,
      sampleRate: '100',
    });
    const body = lines.slice(at, at + size).join('\n');
    const response = await fetch(`${address}/ingest?${query}`, { method: 'POST', body });
    if (!response.ok) throw new Error(`the server refused the stacks: ${await response.text()}`);
  }
}

/** Milliseconds from the navigation to the picture after the event, by the browser's own clock. */
async function navigate(page, url, isShown) {
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate(async (source) => {
    const shown = new Function(`return ${source}`)();
    const picture = () => new Promise((done) => requestAnimationFrame(done));
    const deadline = performance.now() + 20_000;
    while (!shown()) {
      if (performance.now() > deadline) throw new Error('nothing was shown');
      await picture();
    }
    await picture();
    return performance.now();
  }, String(isShown));
}

/** A pixel of the first frame below the root is drawn. */
function graphIsDrawn() {
  const canvas = document.querySelector('canvas.flame-base');
  if (canvas === null || canvas.width < 400) return false;
  const [red, green, blue] = canvas.getContext('2d').getImageData(canvas.width / 2, 27, 1, 1).data;
  return !(red === 0 && green === 0 && blue === 0) && !(red === 255 && green === 255 && blue === 255);
}

/** Milliseconds from a key that zooms to the second picture after it. */
function zooms(page, count) {
  return page.evaluate(async (times) => {
    const picture = () => new Promise((done) => requestAnimationFrame(done));
    const graph = document.querySelector('#flame-graph');
    graph.focus();
    const press = (key) => graph.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const taken = [];
    for (let i = 0; i < times; i++) {
      press(i % 8 === 7 ? 'ArrowUp' : 'ArrowDown');
      await picture();
      await picture();
      const start = performance.now();
      press(i % 4 === 3 ? '0' : 'Enter');
      await picture();
      await picture();
      taken.push(performance.now() - start);
    }
    return taken;
  }, count);
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => sorted(values)[Math.min(Math.floor(values.length * share), values.length - 1)];
const median = (values) => quantile(values, 0.5);

async function main() {
  const { firstBytes } = pageSizes();
  console.log(`first load gzipped: ${(firstBytes / 1_024).toFixed(1)} KiB of ${FIRST_LOAD_BYTES_MAX / 1_024}`);
  if (SKIPPED) return console.log(SKIPPED);
  const address = await startPilotlight(owner);
  const browser = await startChromium(owner);
  await push(address, stacks(FRAMES));
  const context = await browser.newContext({ viewport: { width: 1600, height: 900 } });
  const page = await context.newPage();
  // As a link has it; without the type, the page must first ask which there are.
  const bare = `${address}/?service=large`;
  const url = `${bare}&type=process_cpu:cpu:nanoseconds:cpu:nanoseconds`;
  // The first opening fills the server's caches and the browser's: what a reader sees from the second time on.
  const first = await navigate(page, url, graphIsDrawn);
  const bareOpens = [];
  const opens = [];
  const empty = [];
  for (let i = 0; i < OPENS; i++) {
    empty.push(await navigate(page, `${address}/healthz`, () => document.body !== null));
    opens.push(await navigate(page, url, graphIsDrawn));
    bareOpens.push(await navigate(page, bare, graphIsDrawn));
  }
  const graph = median(opens);
  const base = median(empty);
  console.log(
    `navigation to first graph, ${FRAMES.toLocaleString('en-US')} frames, median of ${OPENS}: ${graph.toFixed(0)} ms`,
  );
  console.log(`  without the type in the address: ${median(bareOpens).toFixed(0)} ms`);
  console.log(
    `  first time ${first.toFixed(0)} ms; an empty answer ${base.toFixed(0)} ms, ratio ${(graph / base).toFixed(1)}`,
  );
  const taken = await zooms(page, ZOOMS);
  // Two pictures are the floor: what 33 ms are at 60 a second.
  console.log(
    `zoom to the second picture: median ${median(taken).toFixed(0)} ms, p95 ${quantile(taken, 0.95).toFixed(0)} ms (33 is the floor)`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main();
  } finally {
    for (const end of ends.reverse()) await end();
  }
}
