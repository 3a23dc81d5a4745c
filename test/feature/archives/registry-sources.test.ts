// Packages of registries as sources: the release that a range names, checked against the hash that the registry states.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLibrary, ENGINES, storedUrls, type Library } from '../../support/library.ts';
import { startPackageRegistry, type PackageRegistry } from '../../support/package-registry.ts';
import { packed } from '../../support/tar-archive.ts';

let registry: PackageRegistry;
let library: Library;

function kettle(version: string, name = 'kettle'): Record<string, string> {
  return {
    'package.json': JSON.stringify({ name, version, types: './index.d.ts' }),
    'README.md': `# Kettle\n\nA kettle of version ${version} boils water for tea.\n`,
    'index.d.ts': `/** Boils the water of ${version}. */\nexport declare function boil(litres: number): void;\n`,
    'index.js': 'export function boil() {}',
  };
}

beforeAll(async () => {
  registry = await startPackageRegistry();
  const versions = ['3.9.0', '4.0.0', '4.1.0', '5.0.0-beta.1'];
  registry.packages['kettle'] = Object.fromEntries(versions.map((version) => [version, kettle(version)]));
  registry.packages['@tea/kettle'] = { '1.0.0': kettle('1.0.0', '@tea/kettle') };
  registry.tags['latest'] = '4.1.0';
  registry.tags['next'] = '5.0.0-beta.1';
  registry.packages['pykettle'] = {
    '2.0.0': {
      'README.md': '# Pykettle\n\nBoils water in Python.\n',
      'pykettle/__init__.py': '"""Boils."""\n\n\ndef boil(litres):\n    """Boils so many litres."""\n',
    },
  };
  registry.packages['kettle-rs'] = {
    '0.3.1': {
      'README.md': '# Kettle in Rust\n\nBoils water in Rust.\n',
      'src/lib.rs': '/// Boils.\npub fn boil() {}\n',
    },
  };
});

afterAll(() => registry.close());

afterEach(async () => {
  registry.authorization = null;
  registry.replaced = null;
  await library.remove();
});

const settings = (): Record<`PINAKES_${string}`, string> => ({
  PINAKES_REGISTRY_NPM: `${registry.url}/npm`,
  PINAKES_REGISTRY_PYPI: `${registry.url}/simple`,
  PINAKES_REGISTRY_CARGO: `${registry.url}/cargo`,
});

interface Listed {
  readonly sources: ReadonlyArray<{ source: string; versions: ReadonlyArray<{ version: string }> }>;
}

test.each(ENGINES)('on %s a range names a release, and two ranges two versions of one source', async (engine) => {
  library = await createLibrary(engine, settings());
  for (const reference of ['npm:kettle@^3', 'npm:kettle']) {
    const added = await library.run('add', reference, '--wait');
    expect(added, added.stderr).toMatchObject({ code: 0 });
  }
  const { sources }: Listed = await library.json('list');
  expect(sources).toMatchObject([{ source: 'npm:kettle' }]);
  expect(sources[0]?.versions.map(({ version }) => version).toSorted()).toEqual(['3.9.0', '4.1.0']);
  const found: { passages: ReadonlyArray<{ version: string; text: string }> } = await library.json(
    'search',
    'boil litres',
    '--source',
    'npm:kettle@3.9.0',
  );
  expect(found.passages[0]).toMatchObject({ version: '3.9.0', text: expect.stringContaining('3.9.0') });

  const before = registry.requests.length;
  expect(await library.run('recrawl', 'npm:kettle', '--wait')).toMatchObject({ code: 0 });
  expect(registry.requests.slice(before).map(({ url }) => url)).toEqual(['/npm/kettle']);
});

test('packages of PyPI and crates are read from the registries that the operator configured', async () => {
  library = await createLibrary('sqlite', settings());
  for (const reference of ['pypi:PyKettle@2', 'crate:kettle-rs@^0.3']) {
    const added = await library.run('add', reference, '--wait');
    expect(added, added.stderr).toMatchObject({ code: 0 });
  }
  const { sources }: Listed = await library.json('list');
  expect(sources.map(({ source, versions }) => `${source}@${versions[0]?.version}`)).toEqual([
    'cargo:kettle-rs@0.3.1',
    'pypi:pykettle@2.0.0',
  ]);
  const urls = await storedUrls(library);
  expect(urls.filter((url) => url.endsWith('README.md'))).toHaveLength(2);
  expect(urls.length).toBeGreaterThan(2);
});

test('an archive with another hash is refused, and nothing of it is stored', async () => {
  library = await createLibrary('sqlite', settings());
  registry.replaced = packed('package', kettle('6.6.6'));
  const { code, stdout, stderr } = await library.run('add', 'npm:kettle@^4', '--version', '4.0.0', '--wait');
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain(
    'kettle 4.0.0 was refused: its sha512 hash is not the one that the registry states',
  );
  expect(await storedUrls(library)).toEqual([]);
});

test('a registry that is not configured is not asked, and an unknown package or release is answered at once', async () => {
  library = await createLibrary('sqlite', { PINAKES_REGISTRY_NPM: `${registry.url}/npm` });
  const off = await library.run('add', 'pypi:requests');
  expect(off).toMatchObject({ code: 1, stderr: expect.stringContaining('registry.pypi') });
  const unknown = await library.run('add', 'npm:teapot');
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('has no package teapot') });
  const release = await library.run('add', 'npm:kettle@^9');
  expect(release).toMatchObject({ code: 1, stderr: expect.stringContaining('the highest are 5.0.0-beta.1, 4.1.0') });
  const setting = await library.run('add', 'npm:kettle', '--max-depth', '2');
  expect(setting).toMatchObject({ code: 2, stderr: expect.stringContaining('maxDepth has no effect') });
  const malformed = await library.run('add', 'npm:../kettle');
  expect(malformed.stderr).toContain('is not a package');
});
