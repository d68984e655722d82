import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barOf } from './progress.js';

test('the bar counts bytes, and files where it knows no bytes', () => {
  const mebibytes = (count: number) => count * 1_048_576;
  assert.equal(
    barOf({ files: 3, bytes: mebibytes(5) }, { files: 40, bytes: mebibytes(20) }),
    '[######------------------] 3 of 40 files, 5.0 of 20 MiB',
  );
  assert.equal(
    barOf({ files: 1, bytes: 0 }, { files: 1, bytes: 0 }),
    `[${'#'.repeat(24)}] 1 of 1 file, 0.0 of 0.0 MiB`,
  );
  assert.match(barOf({ files: 1, bytes: 9 }, { files: 1, bytes: 3 }), /^\[#{24}\]/);
});
