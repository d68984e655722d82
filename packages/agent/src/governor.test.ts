import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type GovernorState, initialState, observe } from './governor.js';

const SETTINGS = { budget: 0.01, intervalMicros: 10_000 };
const window = (costMillis: number, busyShare = 1, wallMillis = 10_000) =>
  ({ event: 'window', wallMillis, costMillis, busyShare }) as const;
const rest = (busyShare = 1, wallMillis = 1_000) => ({ event: 'rest', wallMillis, costMillis: 0, busyShare }) as const;
const start = (startMillis: number) => ({ event: 'start', costMillis: startMillis, startMillis }) as const;

test('cheap profiling goes on at the interval asked for', () => {
  let state = observe(SETTINGS, initialState(SETTINGS), start(20));
  for (let i = 0; i < 100; i++) state = observe(SETTINGS, state, window(80));
  assert.equal(state.phase, 'profiling');
  assert.equal(state.intervalMicros, 10_000);
  assert.equal(state.balanceMillis, 600);
});

test('an idle window ends in rest; work ends the rest', () => {
  let state = observe(SETTINGS, initialState(SETTINGS), window(10, 0.005));
  assert.deepEqual([state.phase, state.reason], ['resting', 'idle']);
  state = observe(SETTINGS, state, rest(0.015));
  assert.equal(state.phase, 'resting');
  state = observe(SETTINGS, state, rest(0.5));
  assert.deepEqual([state.phase, state.reason], ['profiling', 'none']);
});

test('debt ends in rest until the next start is paid for, and lengthens the interval', () => {
  // 1.5 % of a core: 150 ms in a window that earns 100.
  let state = observe(SETTINGS, initialState(SETTINGS), start(60));
  state = observe(SETTINGS, state, window(150));
  assert.deepEqual([state.phase, state.reason, state.balanceMillis], ['resting', 'budget', -10]);
  assert.equal(state.intervalMicros, 18_000);
  let seconds = 0;
  for (; state.phase === 'resting'; seconds++) state = observe(SETTINGS, state, rest());
  assert.equal(seconds, 7);
  assert.equal(state.balanceMillis, 60);
});

test('threads that join are paid for, make the next start dearer, and do not lengthen the interval', () => {
  let state = observe(SETTINGS, initialState(SETTINGS), start(20));
  state = observe(SETTINGS, state, { ...window(340), startMillis: 220, joinMillis: 200 });
  assert.deepEqual(
    [state.phase, state.reason, state.balanceMillis, state.startMillis],
    ['resting', 'budget', -160, 220],
  );
  assert.equal(state.intervalMicros, 17_000);
  let seconds = 0;
  for (; state.phase === 'resting'; seconds++) state = observe(SETTINGS, state, rest());
  assert.equal(seconds, 38);
});

test('a start dearer than any credit is paid for in the end', () => {
  let state = observe(SETTINGS, initialState(SETTINGS), start(5_000));
  state = observe(SETTINGS, state, window(100));
  assert.equal(state.phase, 'resting');
  let seconds = 0;
  for (; state.phase === 'resting'; seconds++) state = observe(SETTINGS, state, rest());
  assert.equal(seconds, 990);
});

test('the interval becomes shorter again, down to what was asked for', () => {
  const resting: GovernorState = { ...initialState(SETTINGS), intervalMicros: 40_000 };
  assert.equal(observe(SETTINGS, resting, window(40, 0)).intervalMicros, 19_000);
  assert.equal(observe(SETTINGS, resting, window(1, 0)).intervalMicros, 10_000);
  assert.equal(observe(SETTINGS, resting, window(5_000, 0)).intervalMicros, 100_000);
});

/** A machine: what a sample and a start cost there. Gives the share of CPU that profiling used, of all seconds. */
function simulate(budget: number, sampleMillis: number, startMillis: number, windows: number) {
  const settings = { budget, intervalMicros: 10_000 };
  let state = initialState(settings);
  let costMillis = 0;
  let wallMillis = 0;
  let profiledMillis = 0;
  let largestDebt = 0;
  for (let turns = 0; turns < windows; turns++) {
    state = observe(settings, state, start(startMillis));
    costMillis += startMillis;
    for (; state.phase === 'profiling' && turns < windows; turns++) {
      const cost = (10_000_000 / state.intervalMicros) * sampleMillis + 5;
      state = observe(settings, state, window(cost));
      costMillis += cost;
      wallMillis += 10_000;
      profiledMillis += 10_000;
      largestDebt = Math.max(largestDebt, -state.balanceMillis);
    }
    for (; state.phase === 'resting'; wallMillis += 1_000) state = observe(settings, state, rest());
  }
  return { share: costMillis / wallMillis, profiled: profiledMillis / wallMillis, wallMillis, largestDebt, state };
}

test('on any machine the mean cost keeps to the budget, but for the first credit and one window', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.002, max: 0.1, noNaN: true }),
      fc.double({ min: 0.01, max: 2, noNaN: true }),
      fc.double({ min: 1, max: 1_000, noNaN: true }),
      (budget, sampleMillis, startMillis) => {
        const { share, wallMillis, largestDebt } = simulate(budget, sampleMillis, startMillis, 400);
        const excess = share * wallMillis - budget * wallMillis;
        assert.ok(excess <= 10_000 * budget + largestDebt + startMillis, `${share} of ${budget}`);
      },
    ),
  );
});

test('this machine: 0.13 ms a sample at 1 %, almost always profiling', () => {
  const { share, profiled, state } = simulate(0.01, 0.13, 30, 400);
  assert.ok(share < 0.0101, `${share}`);
  assert.ok(profiled > 0.98, `${profiled}`);
  assert.equal(state.intervalMicros, 16_000);
});
