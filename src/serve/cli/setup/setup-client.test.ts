import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CLIENTS, type Machine } from './clients.table.ts';
import { withJsonEntry, withTomlEntry } from './config-entry.ts';
import { setupClient } from './setup-client.ts';

const server = { command: 'npx', args: ['-y', 'pinakes', 'mcp'], env: {} };
const homes: string[] = [];
afterEach(() => homes.splice(0).forEach((home) => rmSync(home, { recursive: true })));

function machine(platform: NodeJS.Platform = 'linux'): Machine {
  const home = mkdtempSync(join(tmpdir(), 'pinakes-setup-'));
  homes.push(home);
  return { platform, home, env: platform === 'win32' ? { APPDATA: join(home, 'AppData') } : {} };
}

/** What a reader of JSON with comments sees. */
const plain = (text: string): unknown =>
  JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/,(\s*[}\]])/g, '$1'));

for (const platform of ['linux', 'darwin', 'win32'] as const) {
  for (const name of Object.keys(CLIENTS)) {
    test(`[U4] ${name} on ${platform}: shown, written, written again, undone`, () => {
      const on = { machine: machine(platform), server };
      const shown = setupClient(name, 'show', on);
      expect(existsSync(shown.file)).toBe(false);
      const written = setupClient(name, 'write', on);
      expect(readFileSync(written.file, 'utf8')).toBe(shown.text);
      expect(shown.text).toContain('pinakes');
      if (name !== 'codex')
        expect(plain(shown.text)).toMatchObject({
          [CLIENTS[name]!.key]: { pinakes: { command: 'npx', args: server.args } },
        });
      expect(setupClient(name, 'write', on).outcome).toBe('unchanged');
      expect(setupClient(name, 'undo', on).outcome).toBe('undone');
      expect(existsSync(written.file)).toBe(false);
    });
  }
}

test('what was in the file stays, comments included, and comes back', () => {
  const on = { machine: machine(), server };
  const { file } = setupClient('zed', 'show', on);
  const before =
    '// Zed settings\n{\n  // mine\n  "theme": "One {Dark}", // "context_servers": {}\n  "tabs": [1, 2,],\n}\n';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, before);
  const { text } = setupClient('zed', 'write', on);
  for (const line of before.split('\n').slice(2)) expect(text).toContain(line);
  expect(text).toMatch(/^\/\/ Zed settings\n\{\n {2}"context_servers": \{\n/);
  setupClient('zed', 'write', { ...on, server: { ...server, command: 'pinakes' } });
  expect(readFileSync(file, 'utf8')).toContain('"command": "pinakes"');
  setupClient('zed', 'undo', on);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test.each([
  ['{}', { a: { b: { x: 1 } } }],
  ['{"z": [1, {"a": 2}], "y": "}"}', { a: { b: { x: 1 } }, z: [1, { a: 2 }], y: '}' }],
  ['{"a": {}}', { a: { b: { x: 1 } } }],
  ['{"a": {"c": {"k": "v"}}, "d": null}', { a: { b: { x: 1 }, c: { k: 'v' } }, d: null }],
  ['{"a": {"b": {"old": true}, "c": 3}}', { a: { b: { x: 1 }, c: 3 } }],
  ['{\n  "e": "\\"a\\": {", /* "a": { */\n  "a": { "b": 1 }\n}', { e: '"a": {', a: { b: { x: 1 } } }],
])('an entry is put into %s', (text, expected) => {
  const entered = withJsonEntry(text, ['a', 'b'], { x: 1 }) ?? '';
  expect(JSON.parse(entered.replaceAll(/\/\*.*?\*\//g, ''))).toEqual(expected);
});

test.each(['[]', '"text"', '{"a": []}', '{', '{"a": {'])('%s is left alone', (text) => {
  expect(withJsonEntry(text, ['a', 'b'], { x: 1 })).toBeNull();
});

test('a table of TOML is replaced and its neighbours stay', () => {
  const before = 'model = "x"\n\n[mcp_servers.pinakes]\ncommand = "old"\n\n[other]\nkey = 1\n';
  const text = withTomlEntry(before, ['mcp_servers', 'pinakes'], { command: 'npx', args: ['a'], env: { K: 'v' } });
  expect(text).toBe(
    'model = "x"\n\n[mcp_servers.pinakes]\ncommand = "npx"\nargs = ["a"]\nenv = { K = "v" }\n\n[other]\nkey = 1\n',
  );
});
