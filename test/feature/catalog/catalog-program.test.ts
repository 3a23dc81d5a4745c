// A catalogue from its definitions to an answer, with the real program: built, signed, served, installed, rebuilt, and attacked.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { zipSync, unzipSync } from 'fflate';
import { createLibrary, ENGINES, storedUrls, type Library } from '../../support/library.ts';
import { startCountingServer } from '../../support/counting-server.ts';
import { startPackageRegistry, type PackageRegistry } from '../../support/package-registry.ts';
import { createProject } from '../../support/project-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { run, start, type ProgramResult } from '../../support/program.ts';
import { parseSigningKey } from '../../../src/library/catalog/signing-keys.ts';
import { publishEntries, publishedEntries, type PublishDeps } from '../../../src/library/catalog/publish-catalog.ts';
import type { CatalogEntry } from '../../../src/core/catalog/catalog-files.ts';
import { sha256Hex } from '../../../src/core/model/hash.ts';

const folder = temporaryDirectory();
const out = join(folder, 'public');
const definitions = join(folder, 'definitions');
let registry: PackageRegistry;
let reference: string;
let library: Library | null = null;

function kettle(version: string): Record<string, string> {
  return {
    'package.json': JSON.stringify({ name: 'kettle', version, license: 'MIT', types: './index.d.ts' }),
    'README.md': `# Kettle\n\nA kettle of version ${version} boils water for tea.\n`,
    'index.d.ts': `/** Boils the water of ${version}. */\nexport declare function boil(litres: number): void;\n`,
  };
}

const settings = (): Record<`PINAKES_${string}`, string> => ({
  PINAKES_REGISTRY_NPM: `${registry.url}/npm`,
  PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  PINAKES_CATALOG_LOCATIONS: reference,
});

function define(name: string, text: string): void {
  writeFileSync(join(definitions, `${name}.yaml`), text);
}

const publisher = (): Record<`PINAKES_${string}`, string> => ({
  PINAKES_DATA_DIR: join(folder, 'publisher'),
  PINAKES_REGISTRY_NPM: `${registry.url}/npm`,
  PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
});

async function publish(...args: string[]): Promise<ProgramResult> {
  const result = await run(publisher(), ['catalog', ...args, '--json']);
  expect(result, result.stderr).toMatchObject({ code: 0 });
  return result;
}

const build = () => publish('build', definitions, '--out', out, '--keys', join(folder, 'catalog.pem'));

beforeAll(async () => {
  registry = await startPackageRegistry();
  registry.packages['kettle'] = { '3.9.0': kettle('3.9.0'), '4.1.0': kettle('4.1.0') };
  registry.packages['teapot'] = { '1.0.0': { ...kettle('1.0.0'), LICENSE: 'All rights reserved' } };
  registry.tags['latest'] = '4.1.0';
  mkdirSync(definitions);
  define(
    'kettle',
    'sources:\n  - name: npm:kettle\n    startUrl: npm:kettle\n    versions: ["3.9.0", "4.1.0"]\nlicense: MIT\n',
  );
  define(
    'teapot',
    'sources:\n  - name: npm:teapot\n    startUrl: npm:teapot\n    versions: ["1.0.0"]\nlicense: UNLICENSED\n',
  );
  for (const name of ['root', 'catalog']) await publish('key', join(folder, `${name}.pem`));
  const { stdout } = await publish(
    'root',
    out,
    '--root-keys',
    join(folder, 'root.pem'),
    '--keys',
    join(folder, 'catalog.pem'),
  );
  const { pin } = JSON.parse(stdout) as { pin: string };
  reference = `${out}#${pin}`;
  await build();
}, 120_000);

afterEach(async () => {
  await library?.remove();
  library = null;
});

afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

test('a private key is readable by its owner alone', () => {
  expect(statSync(join(folder, 'root.pem')).mode & 0o777).toBe(0o600);
});

test.each(ENGINES)(
  'on %s an entry is installed from the folder of a catalogue, without its registry',
  async (engine) => {
    library = await createLibrary(engine, { ...settings(), PINAKES_REGISTRY_NPM: 'http://127.0.0.1:1/npm' });
    const installed: { entries: object[] } = await library.json('install', 'kettle@^3', 'npm:kettle');
    expect(installed.entries).toMatchObject([
      { source: 'npm:kettle', version: '3.9.0', state: 'installed', run: null },
      { source: 'npm:kettle', version: '4.1.0', state: 'installed', run: null },
    ]);
    const found: { passages: ReadonlyArray<{ version: string; text: string }> } = await library.json(
      'search',
      'boil litres',
      '--source',
      'npm:kettle@3.9.0',
    );
    expect(found.passages[0]).toMatchObject({ version: '3.9.0', text: expect.stringContaining('3.9.0') });
    const again: { entries: object[] } = await library.json('install', 'kettle@3.9.0');
    expect(again.entries).toMatchObject([{ state: 'current' }]);
    expect(await library.run('verify')).toMatchObject({ code: 0 });
  },
);

test('what is installed is what the package gives: a recrawl asks the registry and changes nothing', async () => {
  library = await createLibrary('sqlite', settings());
  await library.json('install', 'kettle@4.1.0');
  const before = registry.requests.length;
  expect(await library.run('recrawl', 'npm:kettle', '--wait')).toMatchObject({ code: 0 });
  expect(registry.requests.slice(before).map(({ url }) => url)).toEqual(['/npm/kettle']);
});

test('an entry without a redistributable license has no bundle, and is built here', async () => {
  library = await createLibrary('sqlite', settings());
  const installed: { entries: object[] } = await library.json('install', 'teapot');
  expect(installed.entries).toMatchObject([{ source: 'npm:teapot', state: 'crawling' }]);
  expect(readdirSync(join(out, 'bundles'))).toHaveLength(2);
});

test('a catalogue behind a URL is read by the guarded fetcher', async () => {
  const server = await startCountingServer((request, response) => {
    try {
      const bytes = readFileSync(join(out, decodeURIComponent(request.url ?? '')));
      response.writeHead(200).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  const url = `http://127.0.0.1:${server.port}#${reference.split('#')[1]}`;
  library = await createLibrary('sqlite', settings());
  const blocked = await run({ ...library.settings, PINAKES_FETCH_ALLOW_CIDRS: '' }, [
    'install',
    'kettle',
    '--catalog',
    url,
  ]);
  expect(blocked.stderr).toContain('its address is blocked');
  const installed: { entries: object[] } = await library.json('install', 'kettle@4', '--catalog', url);
  expect(installed.entries).toMatchObject([{ version: '4.1.0', state: 'installed' }]);
  await server.close();
});

test.each(['timestamp.json', '.catalog.json', '.zip'])(
  'a mirror that sends %s in drops for ever is refused for that, within a bound',
  async (slow) => {
    const stop = new AbortController();
    const server = await startCountingServer(async (request, response) => {
      const path = join(out, request.url ?? '');
      if (!existsSync(path)) return void response.writeHead(404).end();
      if (!path.endsWith(slow)) return void response.writeHead(200).end(readFileSync(path));
      response.writeHead(200);
      while (!stop.signal.aborted) {
        response.write('{');
        await wait(50);
      }
      response.destroy();
    });
    const url = `http://127.0.0.1:${server.port}#${reference.split('#')[1]}`;
    library = await createLibrary('sqlite', { ...settings(), PINAKES_FETCH_TIMEOUT_MS: '3000' });
    const refused = await library.run('install', 'kettle', '--catalog', url, '--json');
    stop.abort();
    const { error } = JSON.parse(refused.stderr.trim().split('\n').at(-1) ?? '') as { error: object };
    expect(error).toMatchObject({ code: 'catalog.too-slow', details: { file: expect.stringContaining(slow) } });
    expect(await storedUrls(library)).toEqual([]);
    await server.close();
  },
);

test('catalog verify checks every bundle, and catalog rebuild builds the same bytes', async () => {
  library = await createLibrary('sqlite', settings());
  const verified: object = await library.json('catalog', 'verify', '--bundles');
  expect(verified).toMatchObject({ catalogs: [{ rootVersion: 1 }], violations: [] });
  const rebuilt: { violations: string[] } = await library.json('catalog', 'rebuild', 'kettle@4.1.0');
  expect(rebuilt.violations).toEqual([]);
});

test('a second build keeps what it has, and reads no archive again', async () => {
  const before = registry.requests.length;
  const { stdout } = await build();
  expect(JSON.parse(stdout)).toMatchObject({ built: 0, bundles: 2 });
  expect(registry.requests.slice(before)).toEqual([]);
});

test('a build that is killed goes on where it was, and publishes nothing before its end', async () => {
  const other = join(folder, 'killed');
  const names = ['root', 'catalog'].map((name) => join(folder, `${name}.pem`));
  await publish('root', other, '--root-keys', names[0]!, '--keys', names[1]!);
  const release = Promise.withResolvers<void>();
  registry.held = { path: 'kettle@4.1.0.tgz', until: release.promise };
  const args = ['catalog', 'build', definitions, '--out', other, '--keys', names[1]!, '--json'];
  const begun = registry.requests.length;
  const running = start(publisher(), args);
  const isHeld = () => registry.requests.slice(begun).some(({ url }) => url.endsWith('kettle@4.1.0.tgz'));
  await waitUntil('the second archive is requested', isHeld);
  running.kill('SIGKILL');
  await running.ended;
  release.resolve();
  registry.held = null;
  expect(readdirSync(other).toSorted()).toEqual(['1.root.json', 'bundles', 'unpublished']);
  const before = registry.requests.length;
  const finished = await run(publisher(), args);
  expect(JSON.parse(finished.stdout)).toMatchObject({ entries: 3, bundles: 2, built: 1, violations: [] });
  const archives = registry.requests.slice(before).filter(({ url }) => url.endsWith('.tgz'));
  expect(archives.map(({ url }) => url)).toEqual(['/files/kettle@4.1.0.tgz']);
  const published = (from: string) => JSON.parse(readFileSync(join(from, '1.catalog.json'), 'utf8')).signed.entries;
  expect(published(other)).toEqual(published(out));
  expect(readdirSync(other)).not.toContain('unpublished');
});

test('sync installs what is not on the disk from the catalogue, at the version of the lockfile', async () => {
  library = await createLibrary('sqlite', settings());
  const root = createProject([{ name: 'kettle', version: '3.9.0', files: kettle('3.9.0') }]);
  rmSync(join(root, 'node_modules'), { recursive: true });
  const synced = await library.run('sync', root);
  expect(synced, synced.stderr).toMatchObject({ code: 0 });
  expect(await library.run('sync', root, '--check')).toMatchObject({ code: 0 });
  const found: { passages: ReadonlyArray<{ source: string; version: string }> } = await library.json(
    'search',
    '--project',
    root,
    'boil litres',
  );
  expect(found.passages[0]).toMatchObject({ source: 'npm:kettle', version: '3.9.0' });
  const without = await run(
    { ...library.settings, PINAKES_CATALOG_LOCATIONS: '', PINAKES_DATA_DIR: join(folder, 'w') },
    ['sync', root],
  );
  expect(without.stdout).toContain('it is not installed');
});

/** A copy of the catalogue whose publisher signed what `change` makes of its entries and bundles. */
async function signedBy(
  change: (entries: readonly CatalogEntry[], bundle: Uint8Array) => Promise<CatalogEntry> | CatalogEntry,
) {
  const copy = join(folder, `copy-${Math.random()}`);
  cpSync(out, copy, { recursive: true });
  const deps: PublishDeps = {
    files: {
      read: async (file) => {
        try {
          return readFileSync(join(copy, file));
        } catch {
          return null;
        }
      },
    },
    write: async (file, bytes) => writeFileSync(join(copy, file), bytes),
    remove: async (file) => rmSync(join(copy, file), { force: true }),
    now: Date.now,
  };
  const entries = await publishedEntries(deps);
  const [first] = entries.filter(({ version }) => version === '4.1.0');
  const bytes = readFileSync(join(copy, 'bundles', `${first!.bundle!.sha256}.zip`));
  const changed = await change(entries, bytes);
  const keys = [parseSigningKey('catalog.pem', readFileSync(join(folder, 'catalog.pem'), 'utf8'))];
  await publishEntries([changed], { keys, days: 1 }, deps);
  return { copy, reference: `${copy}#${reference.split('#')[1]}` };
}

async function refusal(catalog: string, entry: string): Promise<string> {
  library = await createLibrary('sqlite', settings());
  const { error }: { error: { code: string } } = await library
    .run('install', entry, '--catalog', catalog, '--json')
    .then(({ stderr }) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as never);
  expect(await storedUrls(library)).toEqual([]);
  return error.code;
}

test('a changed byte of a bundle is refused, and nothing of it is stored', async () => {
  const { copy, reference: changed } = await signedBy((entries) => entries.find(({ version }) => version === '4.1.0')!);
  for (const name of readdirSync(join(copy, 'bundles'))) {
    const path = join(copy, 'bundles', name);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
  }
  expect(await refusal(changed, 'kettle')).toBe('catalog.changed-bundle');
  const { violations }: { violations: string[] } = await library!.json('catalog', 'verify', '--bundles', changed);
  expect(violations).toMatchObject([expect.stringContaining('npm:kettle@4.1.0: catalog.changed-bundle')]);
});

test('a bundle of one entry is refused under the name or the version of another', async () => {
  const renamed = await signedBy((entries) => ({
    ...entries.find(({ version }) => version === '4.1.0')!,
    name: 'npm:samovar',
    startUrl: 'npm:samovar',
  }));
  expect(await refusal(renamed.reference, 'samovar')).toBe('catalog.wrong-entry');
  await library!.remove();
  const relabeled = await signedBy((entries) => ({
    ...entries.find(({ version }) => version === '4.1.0')!,
    version: '9.0.0',
  }));
  expect(await refusal(relabeled.reference, 'kettle')).toBe('catalog.wrong-entry');
});

test('a bundle with other pages than its entry says, and one whose license forbids it, are refused', async () => {
  const other = await signedBy((entries) => {
    const entry = entries.find(({ version }) => version === '4.1.0')!;
    return { ...entry, bundle: { ...entry.bundle!, indexId: 'ab'.repeat(32) } };
  });
  expect(await refusal(other.reference, 'kettle')).toBe('catalog.other-pages');
  await library!.remove();
  const unlicensed = await signedBy((entries) => ({
    ...entries.find(({ version }) => version === '4.1.0')!,
    license: 'UNLICENSED',
  }));
  expect(await refusal(unlicensed.reference, 'kettle')).toBe('catalog.unlicensed');
});

test('a package is refused whose pages come from elsewhere, and so is a folder of the machine as an entry', async () => {
  const foreign = await signedBy((entries) => {
    const entry = entries.find(({ version }) => version === '4.1.0')!;
    return { ...entry, startUrl: 'https://samovar.example/', bundle: null };
  });
  expect(await refusal(foreign.reference, 'kettle')).toBe('catalog.wrong-entry');
  const local = signedBy((entries) => ({ ...entries[0]!, startUrl: '/etc', bundle: null }));
  await expect(local).rejects.toMatchObject({ code: 'catalog.malformed' });
});

test('a bundle whose texts are not those of its manifest is refused, and leaves no version behind', async () => {
  const { copy, reference: changed } = await signedBy((entries, bytes) => {
    const entry = entries.find(({ version }) => version === '4.1.0')!;
    const files = Object.entries(unzipSync(bytes)).filter(([name]) => !name.startsWith('chunks/'));
    const without = zipSync(Object.fromEntries(files));
    const sha256 = sha256Hex(without);
    writeFileSync(join(folder, `${sha256}.zip`), without);
    return { ...entry, bundle: { ...entry.bundle!, sha256, bytes: without.byteLength } };
  });
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.zip')))
    cpSync(join(folder, name), join(copy, 'bundles', name));
  expect(await refusal(changed, 'kettle')).toBe('catalog.other-pages');
  expect(await library!.json('list')).toMatchObject({ sources: [] });
  const { violations }: { violations: string[] } = await library!.json('catalog', 'verify', '--bundles', changed);
  expect(violations).toMatchObject([expect.stringContaining('bundle.corrupt')]);
});

test('a bundle with vectors of another model is refused', async () => {
  const { reference: foreign } = await signedBy((entries, bytes) => {
    const entry = entries.find(({ version }) => version === '4.1.0')!;
    const spaces = [{ fingerprint: 'another-model 384', dimensions: 384 }];
    const files = {
      ...unzipSync(bytes),
      'vectors.json': new TextEncoder().encode(JSON.stringify({ format: 1, spaces })),
    };
    const changed = zipSync(files);
    const sha256 = sha256Hex(changed);
    writeFileSync(join(out, 'bundles', `${sha256}.zip`), changed);
    return { ...entry, bundle: { ...entry.bundle!, sha256, bytes: changed.byteLength, vectors: 'our-model 384' } };
  });
  const copied = foreign.split('#')[0]!;
  cpSync(join(out, 'bundles'), join(copied, 'bundles'), { recursive: true });
  expect(await refusal(foreign, 'kettle')).toBe('catalog.foreign-vectors');
});

test('a catalogue that was rolled back is refused by the library that saw the newer one', async () => {
  const old = join(folder, 'old');
  cpSync(out, old, { recursive: true });
  const newer = await signedBy((entries) => entries.find(({ version }) => version === '4.1.0')!);
  library = await createLibrary('sqlite', settings());
  await library.json('install', 'kettle', '--catalog', newer.reference);
  const { stderr } = await library.run('install', 'kettle@3', '--catalog', `${old}#${reference.split('#')[1]}`);
  expect(stderr).toContain('was seen before');
});

test('of two installations at once, the one with an older catalogue forgets nothing that the other saw', async () => {
  const newer = await signedBy((entries) => entries.find(({ version }) => version === '4.1.0')!);
  const isWaiting = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const server = await startCountingServer(async (request, response) => {
    const path = join(out, decodeURIComponent(request.url ?? ''));
    if (path.endsWith('.catalog.json')) {
      isWaiting.resolve();
      await goesOn.promise;
    }
    response.writeHead(existsSync(path) ? 200 : 404).end(existsSync(path) ? readFileSync(path) : '');
  });
  const older = `http://127.0.0.1:${server.port}#${reference.split('#')[1]}`;
  library = await createLibrary('postgres', { ...settings(), PINAKES_DATA_DIR: join(folder, 'shared') });
  // Two processes: the first found no saved state, and is still reading when the second one saves a newer state than it will see.
  const first = library.run('install', 'kettle@3', '--catalog', older);
  await isWaiting.promise;
  await library.json('install', 'kettle@4', '--catalog', newer.reference);
  goesOn.resolve();
  for (const { stderr } of [await first, await library.run('install', 'kettle@3')])
    expect(stderr).toContain('was seen before');
  await server.close();
});

test('a name that no catalogue has, and no catalogue at all, are errors with a next step', async () => {
  library = await createLibrary('sqlite', settings());
  expect((await library.run('install', 'samovar')).stderr).toContain('The catalogue has no samovar');
  const none = await run({ ...library.settings, PINAKES_CATALOG_LOCATIONS: '' }, ['install', 'kettle']);
  expect(none.stderr).toContain('No catalogue is configured');
});

test.each(ENGINES)(
  'on %s an installation that is killed at any time is finished by the next one',
  async (engine) => {
    library = await createLibrary(engine, settings());
    for (const delayMs of [150, 300, 450, 600, 800, 1000]) {
      const running = library.start('install', 'kettle@3', 'kettle@4');
      const timer = setTimeout(() => running.kill('SIGKILL'), delayMs);
      await running.ended;
      clearTimeout(timer);
    }
    const { entries }: { entries: object[] } = await library.json('install', 'kettle@3', 'kettle@4');
    expect(entries).toMatchObject([
      { version: '3.9.0', pages: expect.any(Number) },
      { version: '4.1.0', pages: expect.any(Number) },
    ]);
    expect(await library.run('verify')).toMatchObject({ code: 0 });
    const sources: { sources: ReadonlyArray<{ source: string }> } = await library.json('list');
    expect(sources.sources.map(({ source }) => source)).toEqual(['npm:kettle']);
  },
  120_000,
);
