import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROUTES } from '@pilotlight/protocol';
import Fastify from 'fastify';
import { type ServerOptions, serverOptionsFrom } from '../options.js';
import { guard } from './access.js';
import { answerErrors } from './errors.js';

const TOKEN = 'a-token-of-24-characters';

function app(options: Partial<ServerOptions> = {}) {
  const server = Fastify();
  answerErrors(server);
  guard(server, { ...serverOptionsFrom({}), ...options });
  for (const url of ['/ready', '/healthz', '/x'])
    server.route({ method: ['GET', 'POST'], url, handler: async () => 'in' });
  /** Status and code, or what the route answered. */
  return async (headers: Record<string, string>, { method = 'GET', url = '/x' } = {}) => {
    const response = await server.inject({
      method: method as 'GET',
      url,
      headers: { host: '127.0.0.1:4040', ...headers },
    });
    return response.statusCode === 200 ? response.body : `${response.statusCode} ${response.json().code}`;
  };
}

test('without a token a server on loopback answers to its own names only', async () => {
  const ask = app();
  const own = [
    '127.0.0.1',
    '127.0.0.1:4040',
    'localhost',
    'localhost:4040',
    'LOCALHOST:80',
    '127.255.0.1',
    '[::1]',
    '[::1]:4040',
  ];
  const others = [
    'evil.example',
    'evil.example:4040',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example#127.0.0.1',
    '127.0.0.1@evil.example',
    'evil.example, 127.0.0.1',
    '127.0.0.1:4040:evil',
    '127.0.0.1:evil',
    '1127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0.0.0.0',
    '10.0.0.1',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::1].evil.example',
    '::1',
    'localhost.',
    'a b',
  ];
  for (const host of own) assert.equal(await ask({ host }), 'in', host);
  for (const host of others) {
    assert.equal(await ask({ host }), '403 forbidden', host);
    assert.equal(await ask({ host }, { url: '/ready' }), '403 forbidden', host);
  }
});

test("a write from another site's page is refused, whatever guards the reading", async () => {
  const others = [
    'http://evil.example',
    'https://127.0.0.1.evil.example',
    'http://127.0.0.1:4041',
    'http://localhost:4040',
    'http://127.0.0.1',
    'https://evil.example:4040',
    'http://evil.example@127.0.0.1:80',
    'null',
    '',
    '127.0.0.1:4040',
    'file://',
    'chrome-extension://abcdefgh',
    'http://[::1]:4040',
    'http://127.0.0.1:4040, http://evil.example',
  ];
  const guarded = [app(), app({ token: TOKEN }), app({ noToken: true, listen: { host: '0.0.0.0', port: 0 } })];
  for (const ask of guarded) {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      for (const origin of others) {
        assert.equal(
          await ask({ origin, authorization: `Bearer ${TOKEN}` }, { method }),
          '403 forbidden',
          `${method} ${origin}`,
        );
      }
    }
    for (const origin of ['http://127.0.0.1:4040', 'https://127.0.0.1:4040', 'http://user@127.0.0.1:4040']) {
      assert.equal(await ask({ origin, authorization: `Bearer ${TOKEN}` }, { method: 'POST' }), 'in', origin);
    }
    assert.equal(await ask({ authorization: `Bearer ${TOKEN}` }, { method: 'POST' }), 'in');
    assert.equal(await ask({ origin: 'http://evil.example', authorization: `Bearer ${TOKEN}` }), 'in');
  }
});

test('host names are compared without case', async () => {
  const ask = app({ token: TOKEN });
  const headers = { host: 'Shop.Example:4040', origin: 'https://shop.example:4040', authorization: `Bearer ${TOKEN}` };
  assert.equal(await ask(headers, { method: 'POST' }), 'in');
});

test('a token opens everything, and nothing else does', async () => {
  const ask = app({ token: TOKEN, listen: { host: '0.0.0.0', port: 0 } });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const right = [`Bearer ${TOKEN}`, `bearer  ${TOKEN}`, basic(`:${TOKEN}`), basic(`anybody:${TOKEN}`), basic(TOKEN)];
  const wrong = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN} x`,
    `Token ${TOKEN}`,
    TOKEN,
    'Basic !!!',
    basic(`${TOKEN}:`),
    basic(`a:b:${TOKEN}`),
    'Bearer null',
    'Bearer undefined',
  ];
  for (const authorization of right) assert.equal(await ask({ authorization }), 'in', authorization);
  for (const authorization of wrong) {
    assert.equal(await ask(authorization === undefined ? {} : { authorization }), '401 unauthenticated', authorization);
  }
});

test('only health is open without the token, under its exact address', async () => {
  const ask = app({ token: TOKEN });
  for (const url of [ROUTES.ready, ROUTES.healthz]) assert.equal(await ask({ host: 'anything' }, { url }), 'in', url);
  for (const url of ['/ready?x=1', '/ready/', '/READY', '//ready', '/ready%2F', '/x', '/nowhere']) {
    assert.equal(await ask({}, { url }), '401 unauthenticated', url);
  }
});

test('a request for a host that is none is refused, since the RPC routes build an address of it', async () => {
  const ask = app({ token: TOKEN });
  for (const host of ['a b', '[::1', '1:x', '%%', ':80']) {
    assert.equal(await ask({ host, authorization: `Bearer ${TOKEN}` }), '400 malformed_request', host);
  }
});
