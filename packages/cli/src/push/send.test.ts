import assert from 'node:assert/strict';
import { test } from 'node:test';
import { post } from './send.js';

const URL_ANY = new URL('http://localhost/ingest');

/** A server that gives these answers in turn, and the waits in between. */
function scripted(...answers: [status: number, body?: string, headers?: Record<string, string>][]) {
  const waits: number[] = [];
  let calls = 0;
  return {
    waits,
    get calls() {
      return calls;
    },
    sender: {
      fetch: async () => {
        const [status, body = '', headers = {}] = answers[calls++] as (typeof answers)[number];
        return new Response(body, { status, headers });
      },
      wait: async (millis: number) => void waits.push(millis),
    },
  };
}

test('a busy server is asked again, after the time it names or 1, 2, 4 … seconds', async () => {
  const server = scripted([503], [429, '', { 'retry-after': '7' }], [503], [200]);
  await post(URL_ANY, Buffer.from('x'), {}, server.sender);
  assert.deepEqual(server.waits, [1_000, 7_000, 4_000]);
});

test('the fifth busy answer is the last', async () => {
  const busy: [number, string] = [503, '{"code":"store_full","message":"the log is full"}'];
  const server = scripted(busy, busy, busy, busy, busy);
  await assert.rejects(post(URL_ANY, Buffer.from('x'), {}, server.sender), {
    code: 'store_full',
    message: 'the log is full',
  });
  assert.equal(server.calls, 5);
  assert.equal(server.waits.length, 4);
});

test('a refusal is not repeated', async () => {
  const server = scripted([422, '{"code":"malformed_profile","message":"byte 7: no field 15"}']);
  await assert.rejects(post(URL_ANY, Buffer.from('x'), {}, server.sender), {
    code: 'malformed_profile',
    message: 'byte 7: no field 15',
  });
  assert.equal(server.calls, 1);
});

test('the words of a proxy are shown as they are', async () => {
  const server = scripted([502, '<h1>Bad gateway</h1>']);
  await assert.rejects(post(URL_ANY, Buffer.from('x'), {}, server.sender), {
    message: 'HTTP 502 <h1>Bad gateway</h1>',
  });
});

test('a server that has answered and is away is waited for, one that never did is not', async () => {
  const away = new TypeError('fetch failed');
  const failing = (times: number) => {
    let calls = 0;
    const waits: number[] = [];
    const sender = {
      fetch: async () => {
        if (calls++ < times) throw away;
        return new Response('', { status: 200 });
      },
      wait: async (millis: number) => void waits.push(millis),
    };
    return { sender, waits };
  };
  const restarting = failing(2);
  await post(URL_ANY, Buffer.from('x'), {}, { ...restarting.sender, reached: { server: true } });
  assert.deepEqual(restarting.waits, [1_000, 2_000]);
  const gone = failing(9);
  await assert.rejects(post(URL_ANY, Buffer.from('x'), {}, { ...gone.sender, reached: { server: true } }), away);
  assert.equal(gone.waits.length, 4);
  const none = failing(1);
  await assert.rejects(post(URL_ANY, Buffer.from('x'), {}, none.sender), away);
  assert.deepEqual(none.waits, []);
});
