import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast } from '../flame/oklch.js';
import { CHANGE_STEPS } from './diff-scale.js';
import { DARK_DIFF_THEME, LIGHT_DIFF_THEME, stepColour } from './diff-theme.js';

for (const [name, theme] of [
  ['light', LIGHT_DIFF_THEME],
  ['dark', DARK_DIFF_THEME],
] as const) {
  test(`${name}: labels can be read on every step, and no two steps look the same`, () => {
    const fills = CHANGE_STEPS.map((step) => stepColour(theme, step));
    for (const fill of fills) assert.ok(contrast(theme.label, fill) >= 4.5, `${fill}: ${contrast(theme.label, fill)}`);
    assert.equal(new Set(fills).size, fills.length);
    assert.equal(fills[4], theme.same);
    assert.equal(fills[0], theme.less);
    assert.equal(fills[8], theme.more);
  });
}
