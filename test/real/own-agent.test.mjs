/** Our own agent on a Node.js program that knows nothing of it. */
import { fileURLToPath } from 'node:url';
import { clientTest, PROGRAM_MILLIS, UPLOAD_SECONDS } from './harness/client-test.mjs';
import { seriesLabels } from './harness/labels.mjs';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';

clientTest('@pilotlight/agent', () => {
  const labels = {
    service_name: 'real.own',
    'deployment.environment': 'test/real',
    zone: 'eu-west-1',
    team: 'a+b',
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
    pyroscope_spy: 'nodespy',
  };
  return {
    command: process.execPath,
    args: ['--import', '@pilotlight/agent/register', 'hot.mjs', String(PROGRAM_MILLIS)],
    cwd: fileURLToPath(new URL('agent/', import.meta.url)),
    environment: {
      PYROSCOPE_AGENT_ENABLED: 'true',
      PYROSCOPE_UPLOAD_INTERVAL: `${UPLOAD_SECONDS}s`,
      PYROSCOPE_LABELS: 'deployment.environment=test/real,zone=eu-west-1,team=a+b',
    },
    service: labels.service_name,
    series: ['process_cpu:samples:count:cpu:nanoseconds', CPU].map((type) => seriesLabels(type, labels)),
    hot: { profileType: CPU, function: 'hotLoop' },
  };
});
