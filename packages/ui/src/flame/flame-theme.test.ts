import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colourSlot, SLOTS } from './colour-slot.js';
import { DARK_FLAME_THEME, LIGHT_FLAME_THEME } from './flame-theme.js';
import { contrast, oklch } from './oklch.js';

test('colours of known value', () => {
  assert.equal(oklch(1, 0, 0), '#ffffff');
  assert.equal(oklch(0, 0, 0), '#000000');
  assert.equal(oklch(0.62796, 0.25768, 29.234), '#ff0000');
  assert.equal(contrast('#000000', '#ffffff'), 21);
});

for (const [name, theme] of [
  ['light', LIGHT_FLAME_THEME],
  ['dark', DARK_FLAME_THEME],
] as const) {
  test(`${name}: labels can be read on every fill, marks can be seen`, () => {
    assert.equal(theme.slots.length, SLOTS);
    for (const fill of [...theme.slots, theme.root, theme.cut]) {
      assert.ok(contrast(theme.label, fill) >= 4.5, `${fill}: ${contrast(theme.label, fill)}`);
    }
    assert.ok(contrast(theme.matchLabel, theme.match) >= 4.5);
    assert.ok(contrast(theme.fadedLabel, theme.faded) >= 4.5);
    for (const mark of [theme.hover, theme.selection]) assert.ok(contrast(mark, theme.background) >= 3);
  });
}

test('the colour of a function is that of its package, always', () => {
  assert.equal(colourSlot('java.util.HashMap.get'), colourSlot('java.util.TreeMap.put'));
  assert.notEqual(colourSlot('java.util.HashMap.get'), colourSlot('org.apache.cassandra.db.Read.get'));
  // The value itself: a change would recolour everybody's graphs.
  assert.equal(colourSlot('java.util.HashMap.get'), 9);
});
