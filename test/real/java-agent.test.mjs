/** io.pyroscope:agent on a Java program, with three of its engines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientTest, PROGRAM_MILLIS, UPLOAD_SECONDS } from './harness/client-test.mjs';
import { cached, output, scratch } from './harness/install.mjs';
import { seriesLabels } from './harness/labels.mjs';

const FOLDER = fileURLToPath(new URL('java/', import.meta.url));
const VERSION = /<artifactId>agent<\/artifactId>\s*<version>(.+?)</.exec(
  readFileSync(join(FOLDER, 'pom.xml'), 'utf8'),
)[1];

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const WALL = 'wall:wall:nanoseconds:wall:nanoseconds';
const ALLOC_AND_LOCK = [
  'memory:alloc_in_new_tlab_objects:count:space:bytes',
  'memory:alloc_in_new_tlab_bytes:bytes:space:bytes',
  'mutex:contentions:count:mutex:count',
  'mutex:delay:nanoseconds:mutex:count',
  'block:contentions:count:block:count',
  'block:delay:nanoseconds:block:count',
];
const ALLOC_AND_LOCK_ON = { PYROSCOPE_PROFILER_ALLOC: '64k', PYROSCOPE_PROFILER_LOCK: '1ms' };

clientTest('Java agent, itimer', () => javaClient('itimer', 'plain', {}, [CPU], []));
clientTest('Java agent, ctimer with alloc and lock', () =>
  javaClient('ctimer', 'mixed', ALLOC_AND_LOCK_ON, [CPU], ALLOC_AND_LOCK),
);
clientTest('Java agent, wall with alloc and lock', () =>
  javaClient('wall', 'mixed', ALLOC_AND_LOCK_ON, [CPU, WALL], ALLOC_AND_LOCK),
);

/**
 * @param {string} event The agent's event; it also names the service.
 * @param {'plain' | 'mixed'} work
 * @param {Record<string, string>} environment
 * @param {string[]} sampledTypes Profile types whose samples come with and without the labels set in the program's code.
 * @param {string[]} otherTypes Profile types of threads that set none.
 */
function javaClient(event, work, environment, sampledTypes, otherTypes) {
  const jar = join(agentFolder(), `agent-${VERSION}.jar`);
  const classes = scratch('java-classes');
  output('javac', ['-cp', jar, '-d', classes, join(FOLDER, 'Hot.java')]);
  const runtime = output('java', ['-XshowSettings:properties', '-version']);
  const property = (name) => new RegExp(`^ *${name} = (.*)$`, 'm').exec(runtime)[1];
  const labels = {
    service_name: `real.java.${event}`,
    'deployment.environment': 'test/real',
    zone: 'eu-west-1',
    team: 'a+b',
    'otel.scope.name': 'com.grafana.pyroscope/java',
    'otel.scope.version': VERSION,
    'process.runtime.name': property('java.runtime.name'),
    'process.runtime.version': property('java.runtime.version'),
    pyroscope_spy: 'javaspy',
    jfr_event: event,
  };
  const inHotPath = { ...labels, endpoint: '/hot path', customer: 'a.b' };
  return {
    command: 'java',
    args: [`-javaagent:${jar}`, '-cp', classes, 'Hot', String(PROGRAM_MILLIS), work],
    environment: {
      PYROSCOPE_PROFILER_EVENT: event,
      PYROSCOPE_UPLOAD_INTERVAL: `${UPLOAD_SECONDS}s`,
      PYROSCOPE_LABELS: 'deployment.environment=test/real,zone=eu-west-1,team=a+b',
      ...environment,
    },
    service: labels.service_name,
    series: [
      ...[...sampledTypes, ...otherTypes].map((type) => seriesLabels(type, labels)),
      ...sampledTypes.map((type) => seriesLabels(type, inHotPath)),
    ],
    hot: { profileType: CPU, function: 'Hot.hotLoop' },
    countsWaiting: event === 'wall',
  };
}

function agentFolder() {
  return cached(`java-agent-${VERSION}`, (folder) => {
    const goal = 'dependency:copy-dependencies';
    output('mvn', ['-q', '-B', '-f', join(FOLDER, 'pom.xml'), goal, `-DoutputDirectory=${folder}`]);
  });
}
