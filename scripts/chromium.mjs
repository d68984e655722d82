import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const CHROMIUM = '/usr/bin/chromium';

/**
 * Installs Chromium where that needs no question: root, with apt. Elsewhere the tests of the page say themselves that they
 * are skipped, and with CI=true they fail.
 */
export function installChromium() {
  if (existsSync(CHROMIUM) || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stderr.write('pilotlight: installing chromium for the tests of the page …\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', '-y', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env });
  apt('update');
  apt('install', '--no-install-recommends', 'chromium');
}
