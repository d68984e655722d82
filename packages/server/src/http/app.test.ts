import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROUTES } from '@pilotlight/protocol';
import { QuerierService } from '@pilotlight/protocol/messages';
import type { FastifyInstance } from 'fastify';
import { serverOptionsFrom } from '../options.js';
import { STORE_DEFAULTS, Store } from '../store/store.js';
import { createApp } from './app.js';
import { openApi } from './open-api.js';

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

/** The app with a token, on a store of its own. */
async function guardedApp(t: TestContext): Promise<FastifyInstance> {
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
  return app;
}

test('with a token every route of the app asks for it, except the two that a probe needs', async (t) => {
  const app = await guardedApp(t);
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

test('api.md: every route of the app, no other, and every parameter of our own', async (t) => {
  const page = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
  const sections = new Map(
    page
      .split(/^### /m)
      .slice(1)
      .map((section) => [/^`([A-Z]+ [^`]+)`/.exec(section)?.[1] ?? section, section]),
  );
  const routes = routesOf(await guardedApp(t));
  // Fastify answers HEAD where there is GET; Connect's routes take every method to refuse all but one.
  const rpc = /\/(?:querier|push)\.v1\./;
  const told = routes.filter((route) =>
    rpc.test(route) ? route.startsWith('POST ') : !/^(?:HEAD|OPTIONS) /.test(route),
  );
  assert.deepEqual([...sections.keys()].sort(), [...new Set(told)].sort());
  for (const [path, { get }] of Object.entries(openApi().paths)) {
    for (const { name } of (get.parameters as readonly { name: string }[] | undefined) ?? []) {
      assert.ok(sections.get(`GET ${path}`)?.includes(`\`${name}\``), `${name} of ${path}`);
    }
  }
  for (const [route, section] of sections) {
    const address = route.split(' ')[1] as string;
    assert.match(
      section,
      new RegExp(`\`\`\`sh\\n[^\`]*http://127\\.0\\.0\\.1:4040${address.replaceAll('.', '\\.')}\\b`),
      route,
    );
  }
});
