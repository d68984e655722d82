/** Container images, built with buildah: it needs no engine running and no privileges of the machine. */
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NotInstalled, output, scratch } from './install.mjs';

const FOLDER = scratch('images');
/** An image store of our own, so that nothing of this machine's is used or left behind. */
const STORE = ['--root', join(FOLDER, 'store'), '--runroot', join(FOLDER, 'run'), '--storage-driver', 'vfs'];

/** Parts of the C library that Node.js is not linked to, and native modules are. */
const C_LIBRARIES = ['librt.so.1', 'libresolv.so.2', 'libutil.so.1'];
/** Programs that building and running the image need of its base. */
const PROGRAMS = ['sh', 'env', 'node', 'mkdir', 'chmod', 'rm', 'find'];

/** Where npm keeps what it has fetched, in a container made of the base. */
export const NPM_CACHE = '/var/cache/npm';

/** What buildah prints. @throws NotInstalled when there is none. */
export function buildah(args, { timeoutSeconds = 300 } = {}) {
  return output('buildah', [...STORE, ...args], { timeoutSeconds }).trim();
}

/** The command line of buildah for a program that goes on. */
export function buildahCommand(args) {
  return { command: 'buildah', args: [...STORE, ...args] };
}

/** A folder for what is mounted into containers; it goes with the images. */
export function imageFolder() {
  return FOLDER;
}

/** Forgets all images: they are as large as the engine, several times over. */
export function removeImages() {
  rmSync(FOLDER, { recursive: true, force: true });
}

/**
 * An image of this machine's own Node.js with the libraries it is linked to and a shell: what a base image from a registry has,
 * where no registry can be reached.
 *
 * @returns {string} Its name.
 */
export function machineBase() {
  if (process.platform !== 'linux') throw new NotInstalled('an image of this machine can only be made on Linux');
  const root = join(FOLDER, 'root');
  for (const name of ['etc', 'tmp', 'root', 'var', 'proc', 'sys', 'dev', 'usr/bin']) {
    mkdirSync(join(root, name), { recursive: true });
  }
  symlinkSync('usr/bin', join(root, 'bin'));
  for (const program of PROGRAMS) copyWithLibraries(output('which', [program]).trim(), root);
  const [, libc = ''] = /=> (\S+)\/libc\.so\.6 /.exec(output('ldd', [realpathSync(process.execPath)])) ?? [];
  for (const name of C_LIBRARIES) copy(join(libc, name), root);
  // A script, which npm looks into to tell which C library there is.
  copy('/usr/bin/ldd', root);
  const npm = dirname(dirname(realpathSync(output('which', ['npm']).trim())));
  copy(npm, root);
  writeFileSync(join(root, 'usr/bin/npm'), `#!/bin/sh\nexec node ${npm}/bin/npm-cli.js "$@"\n`, { mode: 0o755 });
  // How this machine's npm finds its registry, and whom it trusts.
  const setting = (name) => output('npm', ['config', 'get', name]).trim();
  for (const path of [
    setting('globalconfig'),
    setting('cafile'),
    process.env.NODE_EXTRA_CA_CERTS,
    '/etc/nsswitch.conf',
  ]) {
    if (path && existsSync(path)) copy(path, root);
  }
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  const container = buildah(['from', 'scratch']);
  buildah(['copy', container, root, '/']);
  buildah([
    'config',
    '--env',
    'PATH=/usr/local/bin:/usr/bin:/bin',
    '--env',
    `npm_config_cache=${NPM_CACHE}`,
    container,
  ]);
  buildah(['commit', '--rm', container, 'base']);
  rmSync(root, { recursive: true });
  return 'localhost/base';
}

function copyWithLibraries(program, root) {
  copy(program, root);
  for (const [, library] of output('ldd', [realpathSync(program)]).matchAll(/(?:=> |^\s*)(\/\S+) \(/gm))
    copy(library, root);
}

/** Copies a file or a folder to the same place below `root`, and what it is a link to, to where the link leads. */
function copy(path, root) {
  const to = join(root, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(realpathSync(path), to, { recursive: true, dereference: true });
}
