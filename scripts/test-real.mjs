/** `npm run test:real [PART…]`: the set-up, then the tests against real agents and JVMs. */
import { ROOT, setUp } from './setup.mjs';
import { runTests, testsIn } from './tests.mjs';

setUp();
// One after another: they measure real processes, and each brings several.
runTests(ROOT, testsIn('test/real'), { parts: process.argv.slice(2), timeoutSeconds: 600, concurrency: 1 });
