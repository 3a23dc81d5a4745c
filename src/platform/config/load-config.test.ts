import { expect, test } from 'vitest';
import { checkContact, contactHint } from '../check-machine.ts';
import { readConfigFile } from './config-files.ts';
import { loadConfig, type ConfigSources } from './load-config.ts';
import { printConfig } from './print-config.ts';
import { describeSettings } from './settings.ts';

function load(env: ConfigSources['env'], files: Record<string, string> = {}): ReturnType<typeof loadConfig> {
  return loadConfig({
    env: { HOME: '/home/ada', ...env },
    cwd: '/project',
    readFile: (path) => files[path] ?? null,
    platform: 'linux',
  });
}

test('an empty environment gives every default, each with its origin', () => {
  const { config, origins } = load({});
  expect(config.crawl).toMatchObject({ leaseMs: 30_000, renewMs: 10_000, maxAttempts: 8, quarantineAfterCrashes: 3 });
  expect(config.fetch.allowCidrs).toEqual([]);
  expect(config.database.url).toBeUndefined();
  expect([...origins.keys()]).toEqual(describeSettings().map(({ path }) => path));
  expect([...origins.values()].every(({ kind }) => kind === 'default')).toBe(true);
});

test('the name of a variable is derived from the setting', () => {
  const names = new Map(describeSettings().map(({ path, env }) => [path, env]));
  expect(names.get('fetch.timeoutMs')).toBe('PINAKES_FETCH_TIMEOUT_MS');
  expect(names.get('database.url')).toBe('PINAKES_DATABASE_URL');
  expect(new Set(names.values()).size).toBe(names.size);
});

/** They depend on other programs, so they have no sensible default. */
const WITHOUT_DEFAULT = [
  'crawl.heartbeatFile',
  'database.directUrl',
  'database.url',
  'embed.dimensions',
  'embed.keyEnv',
  'embed.modelHost',
  'embed.url',
  'fetch.signatureAgent',
  'fetch.signingKeys',
  'oauth.clientId',
  'oauth.clientSecret',
  'oauth.issuer',
  'oauth.jwksUrl',
  'oauth.resource',
  'qdrant.apiKey',
  'registry.cargo',
  'registry.pypi',
  'render.browser',
  'render.crawl4ai',
  'render.endpoint',
  'render.proxyListen',
  'server',
  'sink.qdrantApiKey',
  'worker.metricsPort',
];

test('every setting has a description, and all but those about other programs a default', () => {
  for (const { path, description } of describeSettings()) expect(description, path).not.toBe('');
  const without = describeSettings().filter(({ defaultText }) => defaultText === null);
  expect(without.map(({ path }) => path).toSorted()).toEqual(WITHOUT_DEFAULT);
});

const USER_FILE = '/home/ada/.config/pinakes/config.json';
const FOLDER_FILE = '/project/pinakes.config.json';

test('a flag overrides the environment, the environment the file, and the file the default', () => {
  const flags = new Map([['serve.port', { text: '8080', flag: '--port' }]]);
  const sources = { cwd: '/', readFile: () => null, platform: 'linux', env: { PINAKES_SERVE_PORT: '9090' } } as const;
  const flagged = loadConfig({ ...sources, flags });
  expect(flagged.config.serve.port).toBe(8080);
  expect(flagged.origins.get('serve.port')).toEqual({ kind: 'flag', name: '--port' });
  const wrong = new Map([['serve.port', { text: '70000', flag: '--port' }]]);
  expect(() => loadConfig({ ...sources, flags: wrong })).toThrow('--port is invalid: must be at most 65535');
  const file = JSON.stringify({ fetch: { timeoutMs: 5000, maxRedirects: 3 } });
  const { config, origins } = load({ PINAKES_FETCH_TIMEOUT_MS: '7000' }, { [USER_FILE]: file });
  expect(config.fetch).toMatchObject({ timeoutMs: 7000, maxRedirects: 3, headerTimeoutMs: 15_000 });
  expect(origins.get('fetch.timeoutMs')).toEqual({ kind: 'env', name: 'PINAKES_FETCH_TIMEOUT_MS' });
  expect(origins.get('fetch.maxRedirects')).toEqual({ kind: 'file', file: USER_FILE });
  expect(origins.get('fetch.headerTimeoutMs')).toEqual({ kind: 'default' });
});

test('a file in the working folder may only narrow, and the stricter value applies (finding N1)', () => {
  const folder = (content: object, user: object = {}) =>
    load({}, { [FOLDER_FILE]: JSON.stringify(content), [USER_FILE]: JSON.stringify(user) });
  const narrowed = folder({ fetch: { maxRedirects: 3 }, crawl: { minDelayMs: 500 }, files: { refuseHardLinks: true } });
  expect(narrowed.config.fetch.maxRedirects).toBe(3);
  expect(narrowed.config.crawl.minDelayMs).toBe(500);
  expect(narrowed.config.files.refuseHardLinks).toBe(true);
  expect(narrowed.origins.get('crawl.minDelayMs')).toEqual({ kind: 'file', file: FOLDER_FILE });
  const stricter = folder({ fetch: { maxRedirects: 3 } }, { fetch: { maxRedirects: 2 } });
  expect(stricter.config.fetch.maxRedirects).toBe(2);
  expect(stricter.origins.get('fetch.maxRedirects')).toEqual({ kind: 'file', file: USER_FILE });
  expect(() => folder({ fetch: { maxRedirects: 11 } })).toThrow('may only lower it, and it is 10');
  expect(() => folder({ crawl: { minDelayMs: 0 } })).toThrow('may only raise it, and it is 200');
});

test('every other setting is refused there, with the file to use instead (finding N1)', () => {
  const others = describeSettings().filter(({ inWorkingFolder }) => inWorkingFolder === null);
  for (const path of [
    'server',
    'database.url',
    'dataDir',
    'embed.url',
    'qdrant.apiKey',
    'render.browser',
    'render.crawl4ai',
    'render.endpoint',
    'render.guard',
    'render.proxyListen',
    'embed.keyEnv',
    'fetch.secrets',
    'serve.writeTools',
  ])
    expect(others.map((setting) => setting.path)).toContain(path);
  for (const { path } of others) {
    const [group = '', name] = path.split('.');
    const text = JSON.stringify(name === undefined ? { [group]: 1 } : { [group]: { [name]: 1 } });
    expect(() => load({}, { [FOLDER_FILE]: text }), path).toThrow(
      expect.objectContaining({ code: 'config.untrusted-folder', nextStep: expect.stringContaining(USER_FILE) }),
    );
    expect(() => load({ PINAKES_CONFIG: 'pinakes.config.json' }, { [FOLDER_FILE]: text }), path).not.toThrow(
      expect.objectContaining({ code: 'config.untrusted-folder' }),
    );
  }
});

test('a link to a device is not read as the config file of the working folder (finding N1)', () => {
  expect(() => readConfigFile('/dev/zero', 'folder')).toThrow('not a file of at most');
});

test('a relative path starts at the file that names it, or at the working folder (finding N8)', () => {
  const files = { [USER_FILE]: '{"dataDir":"library","files":{"roots":["docs","/srv/docs"]}}' };
  const { config } = load({}, files);
  expect(config.dataDir).toBe('/home/ada/.config/pinakes/library');
  expect(config.files.roots).toEqual(['/home/ada/.config/pinakes/docs', '/srv/docs']);
  expect(load({ PINAKES_DATA_DIR: 'library' }).config.dataDir).toBe('/project/library');
});

test('the environment adds nothing to a configuration from standard input (finding N8)', () => {
  const { config } = load({ PINAKES_CRAWL_MAX_FAILURE_RATE: '0.3', PINAKES_FETCH_ALLOW_PORTS: '3000,21000-21200' });
  const received = load({ PINAKES_CONFIG: '-' }, { '-': JSON.stringify(config), [FOLDER_FILE]: '{"server":1}' });
  expect(received.config).toEqual(config);
  expect(JSON.stringify(received.config)).toBe(JSON.stringify(config));
});

test('a variable that resembles no setting gets no suggestion (finding T2.9)', () => {
  expect(() => load({ PINAKES_FOO: '1' })).toThrow(expect.objectContaining({ message: 'Unknown setting PINAKES_FOO' }));
  expect(() => load({ PINAKES_LOG_LEVLE: '1' })).toThrow('did you mean PINAKES_LOG_LEVEL?');
});

test('ports may be given as ranges, and a wrong one is explained (finding T1.15)', () => {
  expect(load({ PINAKES_FETCH_ALLOW_PORTS: '3000, 21000-21200' }).config.fetch.allowPorts).toEqual([
    3000,
    '21000-21200',
  ]);
  for (const wrong of ['many', '0', '70000', '5-4', '1-2-3'])
    expect(() => load({ PINAKES_FETCH_ALLOW_PORTS: wrong }), wrong).toThrow(
      'PINAKES_FETCH_ALLOW_PORTS is invalid: not a port such as 3000 or a range such as 21000-21200',
    );
});

test('the default User-Agent names the product and its version, and no address', () => {
  const { userAgent } = load({}).config.fetch;
  expect(userAgent).toMatch(/^pinakes\/\d+\.\d+\.\d+\S*$/);
  expect(contactHint(userAgent)).toContain('PINAKES_FETCH_USER_AGENT=');
  expect(checkContact(userAgent)).toMatchObject({ state: 'missing' });
  expect(contactHint(`${userAgent} (+https://www.example.com/contact)`)).toBeNull();
  expect(contactHint('crawler (ada@example.com)')).toBeNull();
});

test('lists of numbers and of names are separated by commas', () => {
  const { config } = load({ PINAKES_FETCH_ALLOW_PORTS: '3000, 5173', PINAKES_FETCH_ALLOW_HOSTS: 'docs.corp.example' });
  expect(config.fetch.allowPorts).toEqual([3000, 5173]);
  expect(config.fetch.allowHosts).toEqual(['docs.corp.example']);
});

test('a list is separated by commas', () => {
  const { config } = load({ PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8, fd00::/8,' });
  expect(config.fetch.allowCidrs).toEqual(['127.0.0.0/8', 'fd00::/8']);
});

test.each([
  '127.0.0.1',
  '127.0.0.0/33',
  '127.0.0.0/08',
  '::/129',
  'localhost/8',
  '10.0.0.0/8/8',
  '10.0/8',
  '0/0',
  '/8',
])('the range %s is refused', (range) => {
  expect(() => load({ PINAKES_FETCH_ALLOW_CIDRS: range })).toThrow(
    'PINAKES_FETCH_ALLOW_CIDRS is invalid: not an address range such as 10.1.0.0/16 or fd00::/8',
  );
});

test('an unknown variable is an error that suggests a similar one', () => {
  expect(() => load({ PINAKES_FETCH_TIMEOUT: '1' })).toThrow(
    expect.objectContaining({
      code: 'config.unknown',
      message: 'Unknown setting PINAKES_FETCH_TIMEOUT (did you mean PINAKES_FETCH_TIMEOUT_MS?)',
    }),
  );
});

test('an unknown key of the file is an error that suggests a similar one', () => {
  const files = { '/project/pinakes.config.json': '{"fetch":{"timeoutMS":1}}' };
  expect(() => load({}, files)).toThrow(
    expect.objectContaining({
      message: 'Unknown setting fetch.timeoutMS (did you mean fetch.timeoutMs?) in /project/pinakes.config.json',
    }),
  );
  expect(() => load({}, { '/project/pinakes.config.json': '{"__proto__":{"a":1}}' })).toThrow('__proto__');
});

test('nothing is suggested for a name that is like no other', () => {
  expect(() => load({ PINAKES_GREETING_OF_THE_DAY: '1' })).toThrow(
    expect.objectContaining({ message: 'Unknown setting PINAKES_GREETING_OF_THE_DAY' }),
  );
});

test('variables of tests and of other programs are ignored, and an empty one counts as not set', () => {
  const env = { PINAKES_TEST_POSTGRES_URL: 'x', PATH: '/bin', PINAKES_DATABASE_URL: '', PINAKES_LOG_LEVEL: '' };
  expect(load(env).config).toEqual(load({}).config);
});

test('PINAKES_CONFIG names another file, which must exist', () => {
  const files = { '/etc/pinakes.json': '{"log":{"level":"warn"}}' };
  expect(load({ PINAKES_CONFIG: '/etc/pinakes.json' }, files).config.log.level).toBe('warn');
  expect(() => load({ PINAKES_CONFIG: 'other.json' })).toThrow('there is no file /project/other.json');
});

test.each([
  ['not JSON', 'pinakes.config.json is invalid: not valid JSON', 'postgres://u:hidden@h/d'],
  ['a list', 'pinakes.config.json is invalid: must be an object', '[]'],
  ['a group that is not an object', 'fetch in /project/pinakes.config.json is invalid', '{"fetch":1}'],
  ['a wrong type', 'fetch.maxRedirects in /project/pinakes.config.json is invalid', '{"fetch":{"maxRedirects":"1"}}'],
])('a file with %s is refused with its path and without its text', (_, sentence, text) => {
  const refusal = expect.objectContaining({ code: 'config.invalid', message: expect.stringContaining(sentence) });
  expect(() => load({}, { '/project/pinakes.config.json': text })).toThrow(refusal);
  expect(() => load({}, { '/project/pinakes.config.json': text })).not.toThrow('hidden');
});

test.each([
  ['PINAKES_FETCH_TIMEOUT_MS', '1e3'],
  ['PINAKES_FETCH_TIMEOUT_MS', '0x10'],
  ['PINAKES_FETCH_TIMEOUT_MS', '-1'],
  ['PINAKES_FETCH_TIMEOUT_MS', ' 5'],
  ['PINAKES_LOG_LEVEL', 'loud'],
  ['PINAKES_FETCH_USER_AGENT', 'a\r\nX-Evil: 1'],
  ['PINAKES_CRAWL_RENEW_MS', '30000'],
  ['PINAKES_CHUNK_TARGET_CHARS', '9000'],
])('%s=%j is refused by name', (name, value) => {
  expect(() => load({ [name]: value })).toThrow(`${name} is invalid`);
});

test('a database that is not PostgreSQL is refused without showing the password', () => {
  const wrong = { PINAKES_DATABASE_URL: 'mysql://u:hidden@h/d' };
  expect(() => load(wrong)).toThrow('PINAKES_DATABASE_URL is invalid: not a URL such as postgres://');
  expect(() => load(wrong)).not.toThrow('hidden');
});

test('printed settings name their origin and mask the password', () => {
  const printed = printConfig(load({ PINAKES_DATABASE_URL: 'postgres://ada:hidden@db.example:5432/docs' }));
  expect(printed.find(({ setting }) => setting === 'database.url')).toEqual({
    setting: 'database.url',
    env: 'PINAKES_DATABASE_URL',
    value: 'postgres://ada:[redacted]@db.example:5432/docs',
    origin: { kind: 'env', name: 'PINAKES_DATABASE_URL' },
  });
  expect(JSON.stringify(printed)).not.toContain('hidden');
  expect(printed).toHaveLength(describeSettings().length);
});

test('a password in a parameter is masked too', () => {
  const printed = printConfig(load({ PINAKES_DATABASE_URL: 'postgres://db.example/docs?user=a&password=hidden' }));
  expect(JSON.stringify(printed)).not.toContain('hidden');
});

test.each([
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/pinakes'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/pinakes'],
  ['linux', {}, '/home/ada/.local/share/pinakes'],
  ['darwin', {}, '/home/ada/Library/Application Support/pinakes'],
  ['win32', { LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local' }, 'C:\\Users\\ada\\AppData\\Local\\pinakes'],
  ['win32', { USERPROFILE: 'C:\\Users\\ada' }, 'C:\\Users\\ada\\AppData\\Local\\pinakes'],
] as const)('on %s with %j the data directory is %s', (platform, env, directory) => {
  const sources = { env: { HOME: '/home/ada', ...env }, cwd: '/project', readFile: () => null, platform };
  expect(loadConfig(sources).config.dataDir).toBe(directory);
});

test('a missing config file is not an error, an unreadable one is', () => {
  expect(readConfigFile(`${import.meta.filename}.absent`)).toBeNull();
  expect(() => readConfigFile(import.meta.dirname)).toThrow('EISDIR');
  expect(readConfigFile(import.meta.filename)).toContain('readConfigFile');
});
