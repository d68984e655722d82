/** @pyroscope/nodejs on a Node.js program. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientTest, PROGRAM_MILLIS, UPLOAD_SECONDS } from './harness/client-test.mjs';
import { cached, output } from './harness/install.mjs';
import { seriesLabels } from './harness/labels.mjs';

const VERSION = '0.6.4';
const FOLDER = fileURLToPath(new URL('node/', import.meta.url));

const CPU = 'process_cpu:cpu:nanoseconds:wall:nanoseconds';
const SAMPLED = ['wall:samples:count:wall:nanoseconds', 'wall:wall:nanoseconds:wall:nanoseconds', CPU];
const HEAP = ['memory:inuse_objects:count:inuse_space:bytes', 'memory:inuse_space:bytes:inuse_space:bytes'];

clientTest('@pyroscope/nodejs', () => {
  const folder = cached(`pyroscope-nodejs-${VERSION}`, (folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    // Its engine ships built; no script of a package needs to run.
    output('npm', [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `@pyroscope/nodejs@${VERSION}`,
    ]);
  });
  const labels = {
    service_name: 'real.node',
    'deployment.environment': 'test/real',
    zone: 'eu west 1',
    team: 'a+b',
    'otel.scope.name': 'com.grafana.pyroscope/nodejs',
    'otel.scope.version': VERSION,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
    pyroscope_spy: 'nodespy',
  };
  const inHotPath = { ...labels, endpoint: '/hot path' };
  return {
    command: process.execPath,
    args: ['hot.mjs', String(PROGRAM_MILLIS)],
    cwd: FOLDER,
    environment: {
      PILOTLIGHT_REAL_CLIENT: join(folder, 'node_modules/@pyroscope/nodejs'),
      PYROSCOPE_FLUSH_INTERVAL_MS: String(UPLOAD_SECONDS * 1000),
    },
    service: labels.service_name,
    series: [
      ...[...SAMPLED, ...HEAP].map((type) => seriesLabels(type, labels)),
      ...SAMPLED.map((type) => seriesLabels(type, inHotPath)),
    ],
    // The client puts the file, as seen from the working folder, and the line into the name.
    hot: { profileType: CPU, function: `./hot.mjs:hotLoop:${lineOf('function hotLoop')}` },
  };
});

function lineOf(words) {
  const text = readFileSync(join(FOLDER, 'hot.mjs'), 'utf8');
  return text.slice(0, text.indexOf(words)).split('\n').length;
}
