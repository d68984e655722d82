/** A merged profile as a file: every format reads back to the same stacks, and no file name can surprise. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { callTree, fromFlamebearer, readCollapsed, readPprof } from '@pilotlight/profile';
import { EXPORT_FORMATS, ROUTES } from '@pilotlight/protocol';
import { drawnTree } from '../../packages/profile/dist/testing/tree-drawing.js';
import { ingest, request } from './api.mjs';
import { startServer } from './server-process.mjs';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const NOW = Date.now();
const HOSTILE = '<script>alert(1)</script>"&';

let server;
before(async (t) => {
  server = await startServer(t);
  for (const name of ['shop', '../../etc/pass"wd\r\nx: y']) {
    const stacks = `main;a 5\nmain;b 7\nmain;${HOSTILE} 1`;
    const { status, text } = await ingest(server.url, { name, from: NOW, until: NOW }, stacks);
    assert.equal(status, 200, text);
  }
});

const ask = (parameters) =>
  fetch(
    `${server.url}${ROUTES.export}?${new URLSearchParams({ type: CPU, query: '{service_name="shop"}', from: NOW - 60_000, until: NOW + 60_000, ...parameters })}`,
  );
const TREE = [
  'total 0/130000000',
  '. main 0/130000000',
  `. . ${HOSTILE} 10000000/10000000`,
  '. . a 50000000/50000000',
  '. . b 70000000/70000000',
];

const READERS = {
  pprof: (bytes) => callTree(readPprof(gunzipSync(bytes)).profiles[0].profile, 0),
  collapsed: (bytes) => callTree(readCollapsed(bytes).profiles[0].profile, 0),
  flamebearer: (bytes) => {
    const { flamebearer, metadata } = JSON.parse(bytes.toString());
    assert.deepEqual([metadata.format, metadata.name], ['single', 'process_cpu']);
    const { names, levels, numTicks: total, maxSelf } = flamebearer;
    return fromFlamebearer({ names, levels, total, maxSelf });
  },
  speedscope: (bytes) => {
    const { shared, profiles } = JSON.parse(bytes.toString());
    const lines = profiles[0].samples.map(
      (stack, i) => `${stack.map((frame) => shared.frames[frame].name).join(';')} ${profiles[0].weights[i]}`,
    );
    assert.equal(profiles[0].unit, 'nanoseconds');
    return callTree(readCollapsed(Buffer.from(lines.join('\n'))).profiles[0].profile, 0);
  },
};
const ENDS = {
  pprof: 'pb.gz',
  collapsed: 'collapsed.txt',
  speedscope: 'speedscope.json',
  flamebearer: 'flamebearer.json',
  svg: 'svg',
};

for (const format of EXPORT_FORMATS) {
  test(`${format}: a file with a name, the same stacks in it`, async () => {
    const answer = await ask({ format });
    assert.equal(answer.status, 200);
    const name = /^attachment; filename="([\w.-]+)"$/.exec(answer.headers.get('content-disposition'))?.[1];
    assert.match(name, new RegExp(`^shop-process_cpu-cpu-\\d{8}T\\d{6}Z\\.${ENDS[format].replaceAll('.', '\\.')}$`));
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (format === 'svg') {
      const svg = bytes.toString();
      assert.match(svg, /<title>a — 50\.0 ms, 38\.46 % of 130 ms; self 50\.0 ms<\/title>/);
      assert.match(svg, /&lt;script&gt;/);
      assert.doesNotMatch(svg, /<script/);
      assert.equal(answer.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    } else {
      const tree = READERS[format](bytes);
      // A flamebearer has its own order of siblings; the drawing is in the order of names.
      assert.deepEqual(drawnTree(tree).sort(), [...TREE].sort());
    }
  });
}

test('a service whose name is a path, a quote and a header gives a plain file name', async () => {
  const query = '{service_name=~".*etc.*"}';
  const { json } = await request(`${server.url}${ROUTES.querier}/LabelValues`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'service_name', matchers: [query] }),
  });
  const value = JSON.stringify(json.names[0]);
  for (const selector of [query, `{service_name=${value}}`]) {
    const answer = await ask({ format: 'collapsed', query: selector });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-disposition'), /^attachment; filename="[A-Za-z0-9_-]+\.collapsed\.txt"$/);
    assert.equal(answer.headers.get('x'), null);
  }
});

test('nothing to write is not a file, and an unknown format is told those there are', async () => {
  for (const format of EXPORT_FORMATS) {
    const answer = await ask({ format, query: '{service_name="nope"}' });
    assert.equal(answer.status, 404);
    assert.match((await answer.json()).message, /^no sample of process_cpu:.* matches from 2.*Z until 2.*Z$/);
  }
  for (const format of ['', 'exe', '__proto__']) {
    const answer = await ask({ format });
    assert.equal(answer.status, 400);
    assert.match(
      (await answer.json()).message,
      /is not known; there are pprof, collapsed, speedscope, flamebearer, svg$/,
    );
  }
});
