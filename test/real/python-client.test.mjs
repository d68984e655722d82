/** pyroscope-io on a Python program; it is the client that speaks push.v1. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientTest, PROGRAM_MILLIS, UPLOAD_SECONDS } from './harness/client-test.mjs';
import { cached, output } from './harness/install.mjs';
import { seriesLabels } from './harness/labels.mjs';

const VERSION = '1.4.0';
const PROGRAM = fileURLToPath(new URL('python/hot.py', import.meta.url));
const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const RUNTIME = 'import platform, sys; print(sys.implementation.name, platform.python_version())';

clientTest('pyroscope-io', () => {
  // A virtual environment works with the Python that made it only.
  const found = output('python3', ['--version']).trim().replace(/\W+/g, '-');
  const python = join(
    cached(`pyroscope-io-${VERSION}-${found}`, (folder) => {
      output('python3', ['-m', 'venv', folder]);
      output(join(folder, 'bin/pip'), [
        'install',
        '--quiet',
        '--disable-pip-version-check',
        `pyroscope-io==${VERSION}`,
      ]);
    }),
    'bin/python',
  );
  const [runtimeName, runtimeVersion] = output(python, ['-c', RUNTIME]).trim().split(' ');
  // No pyroscope_spy: push.v1 has no place for it and the client does not make it a label.
  const labels = {
    service_name: 'real.python',
    'deployment.environment': 'test/real',
    zone: 'eu west 1',
    team: 'a+b',
    'otel.scope.name': 'com.grafana.pyroscope/python',
    'otel.scope.version': VERSION,
    'process.runtime.name': runtimeName,
    'process.runtime.version': runtimeVersion,
  };
  return {
    command: python,
    args: [PROGRAM, String(PROGRAM_MILLIS), String(UPLOAD_SECONDS)],
    environment: {},
    service: labels.service_name,
    series: [seriesLabels(CPU, labels), seriesLabels(CPU, { ...labels, endpoint: '/hot path' })],
    hot: { profileType: CPU, function: 'hot_loop' },
    countsWaiting: true,
  };
});
