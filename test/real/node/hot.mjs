// Burns CPU in one known function, hotLoop, under @pyroscope/nodejs, in short turns so that the profiler's own timers and uploads get theirs.
// The test tells where it installed the client; the rest of the environment is the client's own configuration.
import { createRequire } from 'node:module';

const Pyroscope = createRequire(import.meta.url)(process.env.PILOTLIGHT_REAL_CLIENT);

Pyroscope.init({
  tags: { 'deployment.environment': 'test/real', zone: 'eu west 1', team: 'a+b' },
  wall: { collectCpuTime: true },
});
Pyroscope.start();

function hotLoop(rounds) {
  let x = 1;
  for (let i = 0; i < rounds; i++) x = Math.sqrt(x * i + 1);
  return x;
}

function quietWork() {
  const turnEnd = Date.now() + 5;
  while (Date.now() < turnEnd) Math.cbrt(turnEnd);
}

const kept = [];
function keepSomeMemory() {
  if (kept.length < 64) kept.push(new Array(16_384).fill(0.5));
}

const end = Date.now() + Number(process.argv[2]);
function turn() {
  keepSomeMemory();
  const turnEnd = Date.now() + 50;
  Pyroscope.wrapWithLabels({ endpoint: '/hot path' }, () => {
    while (Date.now() < turnEnd) hotLoop(1_000_000);
  });
  quietWork();
  if (Date.now() < end) setTimeout(turn, 1);
  else process.exit();
}
turn();
