/** The files an operator copies: read as their own tools read them, and compared with what the server knows. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROUTES } from '@pilotlight/protocol';
import { SERVER_OPTIONS } from '@pilotlight/server/options';
import { cached, orSkip, output, scratch } from './harness/install.mjs';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const DOCKERFILE = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
const SCHEMAS = '1.37.0';
/** By systemd's own measure, from 0 to 10; a service that is not hardened has 9.6. */
const EXPOSURE_MAX = 2;

const KNOWN = new Set([...SERVER_OPTIONS.map(({ env }) => env), 'UV_THREADPOOL_SIZE', 'NODE_ENV']);

test('Kubernetes takes the manifest, strictly, and it asks the routes that are there', (t) => {
  const bin = orSkip(t, validator);
  if (bin === undefined) return;
  const file = join(DEPLOY, 'kubernetes.yaml');
  output(join(bin, 'kubernetes-validate'), ['--strict', '--quiet', file]);
  const [service, account, set] = parsed(bin, file);
  assert.deepEqual([service.kind, account.kind, set.kind], ['Service', 'ServiceAccount', 'StatefulSet']);
  const pod = set.spec.template.spec;
  const [container] = pod.containers;
  assert.deepEqual(service.spec.selector, set.spec.template.metadata.labels);
  assert.deepEqual(set.spec.selector.matchLabels, set.spec.template.metadata.labels);
  assert.equal(service.spec.ports[0].targetPort, container.ports[0].name);
  assert.equal(container.ports[0].containerPort, 4040);
  assert.equal(container.startupProbe.httpGet.path, ROUTES.ready);
  assert.equal(container.readinessProbe.httpGet.path, ROUTES.ready);
  assert.equal(container.livenessProbe.httpGet.path, ROUTES.healthz);
  const mounts = new Map(container.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
  const volumes = [...pod.volumes, ...set.spec.volumeClaimTemplates.map(({ metadata }) => metadata)];
  assert.deepEqual([...mounts.keys()].sort(), volumes.map(({ name }) => name).sort());
  assert.equal(mounts.get('data'), /PILOTLIGHT_DATA=(\S+)/.exec(DOCKERFILE)[1]);
  const settings = new Map(container.env.map(({ name, value }) => [name, value]));
  for (const name of settings.keys()) assert.ok(KNOWN.has(name), `${name} is no option`);
  assert.equal(settings.get('PILOTLIGHT_TOKEN_FILE'), `${mounts.get('token')}/token`);
  assert.equal(
    `${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`,
    /^USER (\S+)$/m.exec(DOCKERFILE)[1],
  );
});

test('the compose file has a token, a volume, and options that exist', (t) => {
  const bin = orSkip(t, validator);
  if (bin === undefined) return;
  const [{ services, volumes, secrets }] = parsed(bin, join(DEPLOY, 'compose.yaml'));
  const { environment, volumes: mounts, secrets: given, ports, build } = services.pilotlight;
  for (const name of Object.keys(environment)) assert.ok(KNOWN.has(name), `${name} is no option`);
  assert.equal(environment.PILOTLIGHT_TOKEN_FILE, `/run/secrets/${given[0].source}`);
  assert.ok(given[0].source in secrets);
  const [volume, path] = mounts[0].split(':');
  assert.ok(volume in volumes);
  assert.equal(path, /PILOTLIGHT_DATA=(\S+)/.exec(DOCKERFILE)[1]);
  assert.ok(ports.every((port) => port.startsWith('127.0.0.1:')));
  assert.equal(build, '..');
});

test('systemd takes the unit, finds it hardened, and its options exist', (t) => {
  const version = orSkip(t, () => output('systemd-analyze', ['--version']));
  if (version === undefined) return;
  const unit = readFileSync(join(DEPLOY, 'pilotlight.service'), 'utf8');
  for (const [, name] of unit.matchAll(/^Environment=(\w+)=/gm)) assert.ok(KNOWN.has(name), `${name} is no option`);
  const copy = join(scratch('systemd'), 'pilotlight.service');
  copyFileSync(join(DEPLOY, 'pilotlight.service'), copy);
  assert.equal(output('systemd-analyze', ['verify', copy]), '');
  const report = output('systemd-analyze', ['security', '--offline=yes', `--threshold=${EXPOSURE_MAX * 10}`, copy]);
  assert.match(report, /Overall exposure level for pilotlight\.service: /);
});

/** @returns {string} The programs of an environment with Kubernetes' schemas and a reader of YAML. */
function validator() {
  const found = output('python3', ['--version']).trim().replace(/\W+/g, '-');
  const folder = cached(`kubernetes-validate-${SCHEMAS}-${found}`, (folder) => {
    output('python3', ['-m', 'venv', folder]);
    const install = ['install', '--quiet', '--disable-pip-version-check'];
    output(join(folder, 'bin/pip'), [...install, `kubernetes-validate==${SCHEMAS}`]);
  });
  return join(folder, 'bin');
}

/** The documents of a YAML file. */
function parsed(bin, file) {
  const program = 'import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))';
  return JSON.parse(output(join(bin, 'python'), ['-c', program, file]));
}
