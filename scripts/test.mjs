/**
 * `npm test [PART…]`: the set-up, then every test but those of `test/real`. With arguments only the files whose path
 * contains one of them. The checks of the house (tidy, lint, …) are tests too: scripts/checks.test.mjs.
 */

import { installChromium } from './chromium.mjs';
import { ROOT, setUp } from './setup.mjs';
import { builtTests, runTests, testsIn } from './tests.mjs';

setUp();
installChromium();
const files = [
  ...testsIn('scripts'),
  ...builtTests(),
  ...testsIn('test').filter((file) => !file.startsWith('test/real/')),
];
runTests(ROOT, files, { parts: process.argv.slice(2), timeoutSeconds: 300 });
