import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROUTES } from '@pilotlight/protocol';
import { QuerierService } from '@pilotlight/protocol/messages';
import type { FastifyInstance } from 'fastify';
import { serverOptionsFrom } from '../options.js';
import { STORE_DEFAULTS, Store } from '../store/store.js';
import { createApp } from './app.js';

const TOKEN = 'a-token-of-24-characters';

/** Every route of the app as `METHOD /address`, from the only one who knows them all. */
function routesOf(app: FastifyInstance): string[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', path = '', methods = ''] = /^([│ ]*)[├└]── (\S*) \(([^)]*)\)/.exec(line) ?? [];
      const depth = indent.length / 4;
      parents.splice(depth, parents.length, path);
      return methods === ''
        ? []
        : methods.split(', ').map((method) => `${method} ${parents.slice(0, depth + 1).join('')}`);
    });
}

test('with a token every route of the app asks for it, except the two that a probe needs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pilotlight-'));
  const options = serverOptionsFrom({ PILOTLIGHT_DATA: folder });
  const limits = { retentionAgeSeconds: options.retentionAge, retentionBytes: options.retentionBytes };
  const store = await Store.open({
    folder,
    ...limits,
    ...STORE_DEFAULTS,
    onTrouble: (message) => assert.fail(message),
  });
  const app = await createApp(store, { ...options, token: TOKEN });
  t.after(async () => {
    await app.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  await app.ready();

  const routes = routesOf(app);
  const { querier, push, ...plain } = ROUTES;
  const methods = QuerierService.methods.map(({ name }) => `${querier}/${name}`);
  const addresses = new Set(routes.map((route) => route.split(' ')[1]));
  for (const address of [...Object.values(plain), push, ...methods])
    assert.ok(addresses.has(address), `${address} is a route`);

  const open: string[] = [];
  for (const route of routes) {
    const [method, url] = route.split(' ') as ['GET', string];
    for (const authorization of [undefined, 'Bearer wrong', `Basic ${Buffer.from('x:wrong').toString('base64')}`]) {
      const headers = authorization === undefined ? {} : { authorization };
      const { statusCode } = await app.inject({ method, url, headers });
      if (statusCode !== 401) open.push(`${route}: ${statusCode}`);
    }
  }
  assert.deepEqual([...new Set(open)].sort(), [
    'GET /healthz: 200',
    'GET /ready: 200',
    'HEAD /healthz: 200',
    'HEAD /ready: 200',
  ]);
  t.diagnostic(`${routes.length} of ${routes.length} routes asked`);
});
