/** The pages of docs/ tell what the code does: each list there is compared with the one here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_CODES } from '@pilotlight/profile';
import { HTTP_STATUS } from '@pilotlight/protocol';
import { SERVER_OPTIONS } from '@pilotlight/server/options';
import { exportCommand } from './export/command.js';
import { pushCommand } from './push/command.js';
import { serveCommand } from './serve/command.js';

function page(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
}

test('errors.md: every code, no other, each with its HTTP status', () => {
  const rows = [...page('errors.md').matchAll(/^\| `(\w+)` +\| (\d+) /gm)].map(
    ([, code, status]) => `${code} ${status}`,
  );
  assert.deepEqual(rows.sort(), ERROR_CODES.map((code) => `${code} ${HTTP_STATUS[code]}`).sort());
});

test('options.md: every option of the server, no other, with its variable, default and meaning', () => {
  const cells = (row: string) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'));
  const rows = page('options.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  assert.deepEqual(
    rows.map(cells),
    SERVER_OPTIONS.map((option) => [option.flag, option.env, option.default, option.description]),
  );
});

test('the pages for users: the examples name commands and options there are', async () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const used = [
    ...`${readme}${page('clients.md')}${page('options.md')}`.matchAll(/\bpilotlight (serve|push|export)\b([^\n|`]*)/g),
  ];
  assert.ok(used.length > 5);
  const commands = new Map(
    [serveCommand(), pushCommand(), exportCommand()].map((command) => [command.name(), command]),
  );
  for (const [line, name = '', rest = ''] of used) {
    const known = commands.get(name)?.options.flatMap(({ long, short }) => [long, short]);
    for (const [flag] of rest.matchAll(/(?<=\s)--?[a-z][\w-]*/g))
      assert.ok(known?.includes(flag), `${flag} in: ${line}`);
  }
});
