import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CLIENTS, type Machine } from './clients.table.ts';
import { withJsonEntry, withoutJsonEntry } from './json-entry.ts';
import { setupClient } from './setup-client.ts';
import { withTomlEntry, withoutTomlEntry } from './toml-entry.ts';
import { temporaryDirectory } from '../../../../test/support/temporary-folder.ts';

const server = { command: 'npx', args: ['-y', 'pinakes', 'mcp'], env: {} };
const homes: string[] = [];
afterEach(() => homes.splice(0).forEach((home) => rmSync(home, { recursive: true })));

function machine(platform: NodeJS.Platform = 'linux'): Machine {
  const home = temporaryDirectory();
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

test('changes are allowed and tools always loaded if asked, until it is set up without', () => {
  const on = { machine: machine(), server };
  const entryOf = (text: string): unknown => (plain(text) as { mcpServers: { pinakes: unknown } }).mcpServers.pinakes;
  const requested = setupClient('claude-code', 'write', { ...on, allowWrites: true, alwaysLoad: true });
  expect(entryOf(requested.text)).toMatchObject({ alwaysLoad: true, env: { PINAKES_SERVE_WRITE_TOOLS: 'true' } });
  const plainly = setupClient('claude-code', 'write', on);
  expect(entryOf(plainly.text)).toEqual({ type: 'stdio', command: server.command, args: server.args });
  expect(setupClient('codex', 'show', { ...on, allowWrites: true }).text).toContain('PINAKES_SERVE_WRITE_TOOLS');
  expect(() => setupClient('cursor', 'show', { ...on, alwaysLoad: true })).toThrow(/Cursor has no --always-load/);
});

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
  const entered = withJsonEntry(text, ['a', 'b'], { x: 1 });
  expect(JSON.parse(entered.replaceAll(/\/\*.*?\*\//g, ''))).toEqual(expected);
});

/** Files in which setup and undo must leave every byte, whether or not something else changed in between. */
const JSON_FILES = [
  '{}',
  '{ }',
  '{\n}\n',
  '{"numStartups":1,"mcpServers":{}}',
  '{\r\n\t"x": 1\r\n}\r\n',
  '{"mcpServers": {"other": {"command": "x"}}, "y": [1, 2,],}',
  '// mine\n{\n  // first\n  "mcpServers": { // theirs\n  },\n}\n',
];

test.each(JSON_FILES)('what setup added to %j is removed to the byte (finding T1.6)', (before) => {
  const after = withJsonEntry(before, ['mcpServers', 'pinakes'], { command: 'npx', env: { A: 'b' } });
  const { ofEntry, ofGroup } = withoutJsonEntry(after, ['mcpServers', 'pinakes']);
  expect([...ofEntry, ...ofGroup]).toContain(before);
  expect(withoutJsonEntry(before, ['mcpServers', 'pinakes'])).toEqual({ ofEntry: [], ofGroup: [] });
});

test.each([
  ['first', '{"a":{"b":1, "c":2}}', '{"a":{ "c":2}}'],
  ['middle', '{"a":{"x":0, "b":1, "c":2}}', '{"a":{"x":0, "c":2}}'],
  ['last', '{"a":{"x":0, // why\n "b":1 }}', '{"a":{"x":0 // why\n }}'],
  ['last with a comma', '{"a":{"x":0,\n  "b":1,\n}}', '{"a":{"x":0,\n}}'],
])('an entry that is %s is removed, and the rest stays readable (finding T1.6)', (_, before, after) => {
  expect(withoutJsonEntry(before, ['a', 'b']).ofEntry[0]).toBe(after);
});

test('undo removes the entry, and keeps what changed in the file since (finding T1.6)', () => {
  const on = { machine: machine(), server };
  const { file } = setupClient('claude-code', 'show', on);
  writeFileSync(file, '{"numStartups":1,"mcpServers":{}}', { mode: 0o640 });
  setupClient('claude-code', 'write', on);
  const state = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: object };
  const since = { ...state, numStartups: 99, oauthAccount: { id: 7 }, mcpServers: { ...state.mcpServers, other: {} } };
  writeFileSync(file, JSON.stringify(since, null, '\t'));
  expect(setupClient('claude-code', 'undo', on)).toMatchObject({ outcome: 'undone', backup: null });
  expect(readFileSync(file, 'utf8')).toBe(JSON.stringify({ ...since, mcpServers: { other: {} } }, null, '\t'));
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(existsSync(`${file}.before-pinakes`)).toBe(false);
  expect(setupClient('claude-code', 'undo', on).outcome).toBe('unchanged');
});

test('a link to a folder of dotfiles stays a link (finding T1.6)', () => {
  const on = { machine: machine(), server };
  const { file } = setupClient('claude-code', 'show', on);
  const target = join(dirname(file), 'dotfiles.json');
  writeFileSync(target, '{}');
  symlinkSync(target, file);
  setupClient('claude-code', 'write', on);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, 'utf8')).toContain('pinakes');
});

test.each([
  ['cursor', '{ // comment\n broken', 2],
  ['cursor', '{"a": 1,\n"mcpServers": {\n', 3],
  ['cursor', '{"a": 1}\n}', 2],
  ['cursor', '{"mcpServers": []}', 1],
  ['cursor', '{\n"a": tru}', 2],
  ['cursor', '{\n\n"a": "x\n"}', 3],
  ['cursor', '[]', 1],
  ['codex', 'model = "x"\nbroken\n', 2],
  ['codex', 'model = "x\n', 1],
  ['codex', '[mcp_servers.other\ncommand = "x"\n', 1],
  ['codex', 'a = [1,\n2\nb = 3\n', 3],
  ['codex', 'mcp_servers = { other = { command = "x" } }\n', 1],
] as const)('%s: a file with %j is refused with its line, and left alone (finding T1.7)', (name, text, line) => {
  const on = { machine: machine(), server };
  const { file } = setupClient(name, 'show', on);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const modes = text.includes('[]') ? (['write'] as const) : (['write', 'undo'] as const);
  for (const mode of modes) {
    expect(() => setupClient(name, mode, on)).toThrow(
      expect.objectContaining({ code: 'setup.unreadable', message: expect.stringContaining(`line ${line}: `) }),
    );
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(existsSync(`${file}.before-pinakes`)).toBe(false);
});

test('the backup is the file before this setup, not before an earlier one (finding T1.7)', () => {
  const on = { machine: machine(), server };
  const { file } = setupClient('claude-code', 'show', on);
  writeFileSync(file, '{"first":1}');
  setupClient('claude-code', 'write', on);
  writeFileSync(file, '{"second":2}');
  const { backup } = setupClient('claude-code', 'write', on);
  expect(readFileSync(backup ?? '', 'utf8')).toBe('{"second":2}');
});

test.each(['', 'model = "x"', 'model = "x"\n', 'model = "x"\n\n\n', '[mcp_servers.other]\ncommand = "x"\n# end\n'])(
  'what setup added to %j is removed to the byte (finding T1.6)',
  (before) => {
    const after = withTomlEntry(before, ['mcp_servers', 'pinakes'], { command: 'npx', env: { A: 'b' } });
    expect(withoutTomlEntry(after, ['mcp_servers', 'pinakes']).ofEntry).toContain(before);
  },
);

test('a table of TOML is removed with its sub-tables, and its neighbours stay (finding T1.6)', () => {
  const before = [
    '[mcp_servers . "pinakes"]\ncommand = "x"\nargs = [\n  "[a]", # one\n]\n',
    "# the next\n[other]\nkey = '''\n[mcp_servers.pinakes]\n'''\n",
    '[mcp_servers.pinakes.env]\nA = "b"\n',
    '[mcp_servers.last]\ncommand = "y"\n',
  ];
  expect(withoutTomlEntry(before.join(''), ['mcp_servers', 'pinakes']).ofEntry[0]).toBe(`${before[1]}${before[3]}`);
  const again = withTomlEntry(before.join(''), ['mcp_servers', 'pinakes'], { command: 'npx' });
  expect(again).toBe(`[mcp_servers.pinakes]\ncommand = "npx"\n${before[1]}${before[3]}`);
});

test('a table of TOML is replaced and its neighbours stay', () => {
  const before = 'model = "x"\n\n[mcp_servers.pinakes]\ncommand = "old"\n\n[other]\nkey = 1\n';
  const text = withTomlEntry(before, ['mcp_servers', 'pinakes'], { command: 'npx', args: ['a'], env: { K: 'v' } });
  expect(text).toBe(
    'model = "x"\n\n[mcp_servers.pinakes]\ncommand = "npx"\nargs = ["a"]\nenv = { K = "v" }\n\n[other]\nkey = 1\n',
  );
});
