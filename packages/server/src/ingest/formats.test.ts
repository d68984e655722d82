import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Body, readBody } from './formats.js';
import { profileTypeId, profileTypes } from './profile-type.js';
import { CPU, drawnPprof } from './testing/drawn-profile.js';
import { type DrawnPart, multipartBody } from './testing/multipart-body.js';

const PPROF = drawnPprof('main;a 5\nmain;b 7');
const TEXT = Buffer.from('main;a 5\nmain;b 7\n');

function body(bytes: Uint8Array, more: Partial<Body> = {}): Body {
  return {
    format: '',
    contentType: '',
    contentEncoding: '',
    bytes,
    inflatedBytesMax: 100_000,
    withDetails: true,
    sampleRate: undefined,
    units: '',
    appName: 'shop',
    ...more,
  };
}

/** `service type total` of each profile type that was read. */
async function read(bytes: Uint8Array, more: Partial<Body> = {}): Promise<string[]> {
  const { reading, service } = await readBody(body(bytes, more));
  return reading.profiles.flatMap(({ metric, profile }) =>
    profileTypes(metric, profile).map((type, column) => {
      const total = (profile.samples.values[column] as Float64Array).reduce((sum, value) => sum + value, 0);
      return `${service} ${profileTypeId(type)} ${total}`;
    }),
  );
}

function parts(parts: readonly DrawnPart[], more: Partial<Body> = {}): [Uint8Array, Partial<Body>] {
  const { contentType, bytes } = multipartBody(parts);
  return [bytes, { contentType, ...more }];
}

const CPU_12 = ['shop process_cpu:cpu:nanoseconds:cpu:nanoseconds 12'];

test('pprof: raw, packed, named or recognised, as a part', async () => {
  assert.deepEqual(await read(PPROF, { format: 'pprof' }), CPU_12);
  assert.deepEqual(await read(PPROF), CPU_12);
  assert.deepEqual(await read(gzipSync(PPROF), { contentType: 'application/octet-stream' }), CPU_12);
  assert.deepEqual(await read(gzipSync(PPROF), { contentEncoding: 'gzip' }), CPU_12);
  // One layer for the transport, one of the file's own.
  assert.deepEqual(await read(gzipSync(gzipSync(PPROF)), { contentEncoding: ' GZIP ' }), CPU_12);
  assert.deepEqual(await read(...parts([{ name: 'profile', content: gzipSync(PPROF) }])), CPU_12);
  assert.deepEqual(await read(...parts([{ name: 'profile', content: PPROF }], { format: 'pprof' })), CPU_12);
});

test('the display names of a multipart pprof name its metric', async () => {
  const profile = drawnPprof('main 1 2', {
    types: [
      { type: 'contentions', unit: 'count' },
      { type: 'delay', unit: 'nanoseconds' },
    ],
    periodType: { type: 'contentions', unit: 'count' },
  });
  const settings = '{"contentions":{"display-name":"block_count"},"delay":{"display-name":"block_duration"}}';
  assert.deepEqual(
    await read(
      ...parts([
        { name: 'profile', content: profile },
        { name: 'sample_type_config', content: settings },
      ]),
    ),
    ['shop block:contentions:count:contentions:count 1', 'shop block:delay:nanoseconds:contentions:count 2'],
  );
});

test('the sample rate is for text: a pprof brings its own values', async () => {
  assert.deepEqual(await read(PPROF, { sampleRate: 17 }), CPU_12);
});

test('text: a number counts samples, each worth a period', async () => {
  const cpu = (total: number) => [`shop process_cpu:cpu:nanoseconds:cpu:nanoseconds ${total}`];
  for (const format of ['collapsed', 'folded', 'groups', '']) {
    assert.deepEqual(await read(TEXT, { format }), cpu(120_000_000), format);
  }
  assert.deepEqual(await read(Buffer.from('\ufeffmain;a 12\r\n', 'utf16le')), cpu(120_000_000));
  assert.deepEqual(await read(Buffer.from('\ufeffmain;a 12\r\n', 'utf16le').swap16()), cpu(120_000_000));
  assert.deepEqual(await read(TEXT, { sampleRate: 1_000 }), cpu(12_000_000));
  assert.deepEqual(await read(Buffer.from('main;a\nmain;b\n'), { format: 'lines' }), cpu(20_000_000));
  assert.deepEqual(await read(TEXT, { appName: 'shop.alloc_space' }), ['shop memory:alloc_space:bytes:: 12']);
  assert.deepEqual(await read(TEXT, { units: 'objects' }), ['shop memory:alloc_objects:count:: 12']);
});

test('what is read is kept inflated, so that packing makes no difference', async () => {
  const plain = await readBody(body(PPROF));
  const packed = await readBody(body(gzipSync(PPROF, { level: 1 })));
  const part = await readBody(body(...parts([{ name: 'profile', content: gzipSync(PPROF, { level: 9 }) }])));
  assert.deepEqual(plain.content, [PPROF]);
  for (const { content } of [packed, part])
    assert.deepEqual(
      content.map((bytes) => [...bytes]),
      [[...PPROF]],
    );
});

test('formats that are not taken are refused by name, with those that are', async () => {
  const refused: [Uint8Array, Partial<Body>, RegExp][] = [
    [PPROF, { format: 'speedscope' }, /^format=speedscope is not a format .* pprof, jfr, collapsed/],
    [PPROF, { format: 'trie' }, /^format=trie /],
    [PPROF, { format: 'x'.repeat(5_000) }, /^format=x{100} is not/],
    [PPROF, { format: 'toString' }, /^format=toString /],
    [Buffer.from('{}'), { contentType: 'application/json; charset=utf-8' }, /^content-type application\/json /],
    [PPROF, { contentType: 'binary/octet-stream+tree' }, /^content-type binary\/octet-stream\+tree /],
    [PPROF, { contentEncoding: 'br' }, /^content-encoding "br" is not known; gzip and identity are/],
    [
      PPROF,
      { contentEncoding: Array(1_000).fill('gzip').join(', ') },
      /^content-encoding "gzip, .{90,120} is not known/,
    ],
    [...parts([{ name: 'profile', content: PPROF }], { format: 'collapsed' }), /^format=collapsed as multipart /],
    [
      ...parts([
        { name: 'profile', content: PPROF },
        { name: 'prev_profile', content: PPROF },
      ]),
      /prev_profile: the client is too old/,
    ],
  ];
  for (const [bytes, more, message] of refused) {
    await assert.rejects(read(bytes, more), { code: 'unsupported_format', message });
  }
});

test('bodies that can not be read are refused with what is wrong', async () => {
  const malformed: [Uint8Array, Partial<Body>, RegExp][] = [
    [new Uint8Array(), {}, /^the body is empty$/],
    [gzipSync(''), { contentEncoding: 'gzip' }, /^the body is empty$/],
    [gzipSync(''), {}, /^the body is empty$/],
    [PPROF.subarray(0, PPROF.length / 2), { format: 'pprof' }, /^pprof: /],
    [PPROF, { format: 'jfr' }, /^no finished chunk: chunk 1, offset 0/],
    [Buffer.from('FLR\0'), {}, /^no finished chunk: .* \(68 bytes\), 4 bytes are left/],
    [gzipSync(gzipSync(PPROF)), { format: 'pprof' }, /^pprof: /],
    [gzipSync(PPROF).subarray(0, 40), {}, /^the gzip data is damaged or cut off/],
    [...parts([]), /the part "profile" is missing \(found: none\)/],
    [...parts([{ name: 'x', content: 'y' }]), /the part "profile" is missing \(found: "x"\)/],
    [...parts([{ name: 'labels', content: 'y' }], { format: 'jfr' }), /the part "jfr" is missing \(found: "labels"\)/],
    [TEXT, { contentType: 'multipart/form-data; boundary=' }, /^multipart body: /],
    [
      ...parts([
        { name: 'profile', content: PPROF },
        { name: 'sample_type_config', content: 'x' },
      ]),
      /^sample_type_config is not JSON$/,
    ],
  ];
  for (const [bytes, more, message] of malformed) {
    await assert.rejects(read(bytes, more), { code: 'malformed_profile', message }, String(message));
  }
});

test('all layers and parts inflate within one budget', async () => {
  const big = gzipSync(Buffer.alloc(99_000, 'main;a 5\n'));
  await assert.rejects(read(gzipSync(Buffer.concat([big, Buffer.alloc(2_000)])), { contentEncoding: 'gzip' }), {
    code: 'body_size_limit',
    message: 'the body inflates to more than 100000 bytes',
  });
  await assert.rejects(
    read(
      ...parts(
        [
          { name: 'jfr', content: gzipSync(Buffer.alloc(60_000)) },
          { name: 'labels', content: gzipSync(Buffer.alloc(60_000)) },
        ],
        { format: 'jfr' },
      ),
    ),
    { code: 'body_size_limit' },
  );
});

test('a type of several values keeps them apart', async () => {
  const profile = drawnPprof('main 1 5', { types: [{ type: 'samples', unit: 'count' }, CPU] });
  assert.deepEqual(await read(profile), [
    'shop process_cpu:samples:count:cpu:nanoseconds 1',
    'shop process_cpu:cpu:nanoseconds:cpu:nanoseconds 5',
  ]);
});
