import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseMultipart } from './multipart.js';
import { multipartBody } from './testing/multipart-body.js';

async function read(contentType: string, bytes: Uint8Array): Promise<Record<string, string>> {
  const parts = await parseMultipart(contentType, bytes);
  return Object.fromEntries([...parts].map(([name, content]) => [name, Buffer.from(content).toString('latin1')]));
}

test('the parts of the Java agent and of the Go client', async () => {
  const java = multipartBody([
    { name: 'jfr', content: 'FLR\0…' },
    { name: 'labels', content: 'x', headers: '; filename="labels"\r\nContent-Type: application/x-protobuf' },
  ]);
  assert.deepEqual(Object.keys(await read(java.contentType, java.bytes)), ['jfr', 'labels']);
  const go = multipartBody([
    { name: 'profile', content: 'p', headers: '; filename="profile.pprof"\r\nContent-Type: application/octet-stream' },
    { name: 'sample_type_config', content: '{}', headers: '; filename="sample_type_config.json"' },
  ]);
  assert.deepEqual(await read(go.contentType, go.bytes), { profile: 'p', sample_type_config: '{}' });
});

test('a part without a file name counts too', async () => {
  const { contentType, bytes } = multipartBody([{ name: 'profile', content: 'p', headers: '' }]);
  assert.deepEqual(await read(contentType, bytes), { profile: 'p' });
});

test('of two parts with one name the first counts; an empty part is a part', async () => {
  const { contentType, bytes } = multipartBody([
    { name: 'jfr', content: '' },
    { name: 'jfr', content: 'second' },
  ]);
  assert.deepEqual(await read(contentType, bytes), { jfr: '' });
});

test('names of object members are names', async () => {
  const { contentType, bytes } = multipartBody([{ name: '__proto__', content: 'a' }]);
  assert.deepEqual([...(await parseMultipart(contentType, bytes)).keys()], ['__proto__']);
});

test('any bytes come out as they went in', async () => {
  const pieces = fc.constantFrom('\r\n', '--', '----drawn', '\r\n----draw', '\0', 'Content-Disposition: ', 'x');
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(
      content.filter((text) => !`\r\n${text}`.includes('\r\n------drawn')),
      content.filter((text) => !`\r\n${text}`.includes('\r\n------drawn')),
      async (first, second) => {
        const { contentType, bytes } = multipartBody([
          { name: 'a', content: Buffer.from(first, 'latin1') },
          { name: 'b', content: Buffer.from(second, 'latin1') },
        ]);
        assert.deepEqual(await read(contentType, bytes), { a: first, b: second });
      },
    ),
  );
});

test('sixteen parts are read, of 17 and of 100,000 is told what is too many', async () => {
  const body = (length: number) => multipartBody(Array.from({ length }, (_, i) => ({ name: `p${i}`, content: 'x' })));
  const sixteen = body(16);
  assert.equal((await parseMultipart(sixteen.contentType, sixteen.bytes)).size, 16);
  for (const length of [17, 100_000]) {
    const many = body(length);
    await assert.rejects(parseMultipart(many.contentType, many.bytes), {
      code: 'malformed_profile',
      message: 'multipart body: more than 16 parts',
    });
  }
});

test('a body that is cut anywhere is refused', async () => {
  const { contentType, bytes } = multipartBody([
    { name: 'jfr', content: 'FLR\0'.repeat(20) },
    { name: 'labels', content: 'x' },
  ]);
  const end = bytes.length - '--\r\n'.length;
  for (let length = 0; length < end; length++) {
    await assert.rejects(
      parseMultipart(contentType, bytes.subarray(0, length)),
      { code: 'malformed_profile', message: /^multipart body: / },
      `cut at ${length} of ${bytes.length}`,
    );
  }
});

test('a missing or wrong boundary is refused', async () => {
  const { bytes } = multipartBody([{ name: 'jfr', content: 'x' }]);
  for (const contentType of ['multipart/form-data', 'multipart/form-data; boundary=y']) {
    await assert.rejects(parseMultipart(contentType, bytes), {
      code: 'malformed_profile',
      message: /^multipart body: /,
    });
  }
});
