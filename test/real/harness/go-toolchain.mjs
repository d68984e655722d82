/** A Go that is new enough. */
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, output } from './install.mjs';

/** From here on `go` itself fetches the toolchain that a module asks for. */
const FETCHES_ITSELF = 21;

/**
 * The command to build a module with: `go`, or, where that is too old to fetch what the module asks for (Debian 12 has 1.19), the
 * toolchain it would fetch, which is a module like any other.
 *
 * @param {string} folder Of the module.
 * @throws NotInstalled
 */
export function goFor(folder) {
  const [, minor] = /^go1\.(\d+)/.exec(output('go', ['env', 'GOVERSION'])) ?? [];
  if (Number(minor) >= FETCHES_ITSELF) return 'go';
  const [, version] = /^go (\S+)$/m.exec(readFileSync(join(folder, 'go.mod'), 'utf8'));
  const [system, processor] = output('go', ['env', 'GOOS', 'GOARCH']).trim().split('\n');
  const toolchain = `golang.org/toolchain@v0.0.1-go${version}.${system}-${processor}`;
  const modules = cached(`go-${version}`, (cache) => {
    // Outside the module, whose go.mod the old Go cannot read. Modules are unpacked without the right to be run.
    output('go', ['mod', 'download', toolchain], {
      cwd: cache,
      env: { GOMODCACHE: cache, GOFLAGS: '-modcacherw' },
      timeoutSeconds: 240,
    });
    for (const programs of ['bin', `pkg/tool/${system}_${processor}`]) {
      const at = join(cache, toolchain, programs);
      for (const name of readdirSync(at)) chmodSync(join(at, name), 0o755);
    }
  });
  return join(modules, toolchain, 'bin/go');
}
