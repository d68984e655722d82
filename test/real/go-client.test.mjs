/** pyroscope-go on a Go program, with every kind of profile it has. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientTest, PROGRAM_MILLIS, UPLOAD_SECONDS } from './harness/client-test.mjs';
import { goFor } from './harness/go-toolchain.mjs';
import { NotInstalled, output, scratch } from './harness/install.mjs';
import { seriesLabels } from './harness/labels.mjs';

const FOLDER = fileURLToPath(new URL('go/', import.meta.url));
const MODULE = 'github.com/grafana/pyroscope-go';
const GO = { cwd: FOLDER, env: { GOFLAGS: '-mod=readonly' }, timeoutSeconds: 240 };

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
/** Their samples come with and without the labels of the goroutine. */
const SAMPLED = ['process_cpu:samples:count:cpu:nanoseconds', CPU, 'goroutine:goroutine:count:goroutine:count'];
/** Made by the library's second module, which names itself in the labels. */
const DELTA = [
  'memory:alloc_objects:count:space:bytes',
  'memory:alloc_space:bytes:space:bytes',
  'memory:inuse_objects:count:space:bytes',
  'memory:inuse_space:bytes:space:bytes',
  'mutex:contentions:count:contentions:count',
  'mutex:delay:nanoseconds:contentions:count',
  'block:contentions:count:contentions:count',
  'block:delay:nanoseconds:contentions:count',
];

clientTest('pyroscope-go', () => {
  const go = goFor(FOLDER);
  try {
    output(go, ['mod', 'download'], GO);
  } catch (error) {
    throw error instanceof NotInstalled ? error : new NotInstalled(error.message);
  }
  const program = join(scratch('go'), 'hot');
  output(go, ['build', '-o', program, '.'], GO);
  const versionOf = (module) => output(go, ['list', '-m', '-f', '{{.Version}}', module], GO).trim();
  const labels = {
    service_name: 'real.go',
    'deployment.environment': 'test/real',
    zone: 'eu west 1',
    team: 'a+b',
    'otel.scope.name': 'com.grafana.pyroscope/go',
    'otel.scope.version': versionOf(MODULE),
    'process.runtime.name': 'go',
    'process.runtime.version': output(go, ['env', 'GOVERSION'], GO).trim(),
    pyroscope_spy: 'gospy',
  };
  const inHotPath = { ...labels, endpoint: '/hot path' };
  const delta = {
    ...labels,
    'otel.scope.name': 'com.grafana.pyroscope/godeltaprof',
    'otel.scope.version': versionOf(`${MODULE}/godeltaprof`),
  };
  return {
    command: program,
    args: [String(PROGRAM_MILLIS), String(UPLOAD_SECONDS)],
    environment: {},
    service: labels.service_name,
    series: [
      ...SAMPLED.map((type) => seriesLabels(type, labels)),
      ...SAMPLED.map((type) => seriesLabels(type, inHotPath)),
      ...DELTA.map((type) => seriesLabels(type, delta)),
    ],
    hot: { profileType: CPU, function: 'main.hotLoop' },
  };
});
