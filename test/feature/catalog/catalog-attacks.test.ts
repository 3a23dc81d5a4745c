// The attacks that the specification of The Update Framework lists, on a catalogue: each is rejected with its own error, and what was trusted
// before stays. Those on bundles are in catalog-program.test.ts.

import { beforeEach, describe, expect, test } from 'vitest';
import { requireOwnName } from '../../../src/core/catalog/catalog-bundle.ts';
import type { CatalogEntry } from '../../../src/core/catalog/catalog-files.ts';
import { sha256Hex } from '../../../src/core/model/hash.ts';
import { canonicalJson, requireSignatures, signedText } from '../../../src/core/catalog/signed-file.ts';
import { openCatalog, openCatalogs, type CatalogAccess } from '../../../src/library/catalog/open-catalog.ts';
import { publishEntries, publishRoot } from '../../../src/library/catalog/publish-catalog.ts';
import { signWith, verifySignature, type SigningKey } from '../../../src/library/catalog/signing-keys.ts';
import { createTestCatalog, DAY_MS, newKey, type TestCatalog } from '../../support/catalog.ts';

let catalog: TestCatalog;

const entry: CatalogEntry = {
  name: 'npm:kettle',
  version: '4.1.0',
  startUrl: 'npm:kettle',
  settings: {},
  license: 'MIT',
  terms: [],
  isTested: true,
  bundle: null,
};

beforeEach(async () => {
  catalog = await createTestCatalog();
  await catalog.publish([entry]);
});

async function names(reference = catalog.reference): Promise<readonly string[]> {
  const opened = await openCatalog(reference, catalog.access, new AbortController().signal);
  return opened.catalog.entries.map(({ name, version }) => `${name}@${version}`);
}

const rejected = (code: string): object => ({ code });

function text(file: string): string {
  return new TextDecoder().decode(catalog.files.get(file));
}

function replace(file: string, change: (text: string) => string): void {
  catalog.files.set(file, new TextEncoder().encode(change(text(file))));
}

/** Signs the file again with these keys, as an attacker who has them. */
function forge(file: string, change: (signed: Record<string, unknown>) => object, keys: readonly SigningKey[]): void {
  const { signed } = JSON.parse(text(file)) as { signed: Record<string, unknown> };
  const forged = change(signed);
  catalog.files.set(file, new TextEncoder().encode(signedText(forged, signWith(forged, keys))));
}

test('a catalogue that its keys signed is accepted, from its pin alone', async () => {
  expect(await names()).toEqual(['npm:kettle@4.1.0']);
});

test('a publisher that stops before the timestamp leaves the catalogue that was there, and the next one goes on', async () => {
  const write = catalog.deps().write;
  const stopping = {
    ...catalog.deps(),
    write: (file: string, bytes: Uint8Array) =>
      file === 'timestamp.json' ? Promise.reject(new Error('killed')) : write(file, bytes),
  };
  const newer = [{ ...entry, version: '4.2.0' }];
  await expect(publishEntries(newer, { keys: [catalog.key], days: 30 }, stopping)).rejects.toThrow('killed');
  expect(await names()).toEqual(['npm:kettle@4.1.0']);
  await catalog.publish([{ ...entry, version: '4.3.0' }]);
  expect(await names()).toEqual(['npm:kettle@4.3.0']);
});

test('a reader of the timestamp gets its catalogue while a newer one is published, and old ones are removed', async () => {
  const reading = catalog.files.get('timestamp.json')!;
  await catalog.publish([{ ...entry, version: '4.2.0' }]);
  const newest = catalog.files.get('timestamp.json')!;
  catalog.files.set('timestamp.json', reading);
  expect(await names()).toEqual(['npm:kettle@4.1.0']);
  catalog.files.set('timestamp.json', newest);
  await catalog.publish([{ ...entry, version: '4.3.0' }]);
  expect(await names()).toEqual(['npm:kettle@4.3.0']);
  expect([...catalog.files.keys()].filter((file) => file.endsWith('.catalog.json'))).toEqual([
    '2.catalog.json',
    '3.catalog.json',
  ]);
});

test('a file may be formatted freely: what is signed is its canonical form', async () => {
  replace('timestamp.json', (json) => JSON.stringify(JSON.parse(json)));
  expect(await names()).toEqual(['npm:kettle@4.1.0']);
  expect(canonicalJson({ b: [1, 'ü'], a: null })).toBe('{"a":null,"b":[1,"ü"]}');
});

describe('arbitrary software', () => {
  test('a changed byte in the catalogue', async () => {
    replace('1.catalog.json', (json) => json.replace('4.1.0', '4.1.1'));
    await expect(names()).rejects.toMatchObject(rejected('catalog.changed-file'));
  });

  test('a changed byte in the catalogue, whose new hash a stolen key of the timestamp signed', async () => {
    const [catalogKey, stolen] = [newKey(), newKey()];
    await catalog.rotate({ catalog: [catalogKey], timestamp: [stolen] });
    await publishEntries([entry], { keys: [catalogKey, stolen], days: 30 }, catalog.deps());
    expect(await names()).toHaveLength(1);
    replace('2.catalog.json', (json) => json.replace('4.1.0', '4.1.1'));
    const bytes = catalog.files.get('2.catalog.json')!;
    const about = { version: 2, bytes: bytes.byteLength, sha256: sha256Hex(bytes) };
    forge('timestamp.json', (signed) => ({ ...signed, catalog: about }), [stolen]);
    await expect(names()).rejects.toMatchObject(rejected('catalog.changed-file'));
  });

  test('a changed byte in the timestamp', async () => {
    replace('timestamp.json', (json) => json.replace('"version": 1', '"version": 7'));
    await expect(names()).rejects.toMatchObject(rejected('catalog.changed-file'));
  });

  test('another first root than the one that was pinned', async () => {
    const other = await createTestCatalog();
    catalog.files.set('1.root.json', other.files.get('1.root.json')!);
    await expect(names()).rejects.toMatchObject(rejected('catalog.untrusted'));
  });

  test('no pin at all', async () => {
    await expect(names('/catalogue')).rejects.toMatchObject(rejected('catalog.untrusted'));
  });

  test('a key that is not of the catalogue', async () => {
    const wrong = newKey();
    forge('timestamp.json', (signed) => ({ ...signed, version: 2 }), [wrong]);
    await expect(names()).rejects.toMatchObject(rejected('catalog.wrong-key'));
    await expect(catalog.publish([entry], { key: wrong })).rejects.toMatchObject(rejected('catalog.wrong-key'));
  });

  test('a key of the root, which does not count for the catalogue', async () => {
    forge('timestamp.json', (signed) => ({ ...signed, version: 2 }), [catalog.root]);
    await expect(names()).rejects.toMatchObject(rejected('catalog.wrong-key'));
  });

  test('no signature at all', async () => {
    forge('timestamp.json', (signed) => ({ ...signed, version: 2 }), []);
    await expect(names()).rejects.toMatchObject(rejected('catalog.unsigned'));
  });

  test('a next root that only its own new keys signed', async () => {
    const thief = newKey();
    const first = catalog.files.get('1.root.json')!;
    const ownRole = { keyIds: [thief.keyId], threshold: 1 };
    const roles = { root: ownRole, catalog: ownRole, timestamp: ownRole };
    const keys = { [thief.keyId]: thief.publicKey };
    forge('1.root.json', (signed) => ({ ...signed, version: 2, keys, roles }), [thief]);
    catalog.files.set('2.root.json', catalog.files.get('1.root.json')!);
    catalog.files.set('1.root.json', first);
    await expect(names()).rejects.toMatchObject(rejected('catalog.wrong-key'));
  });

  test('a file of one kind in the place of another', async () => {
    catalog.files.set('timestamp.json', catalog.files.get('1.catalog.json')!);
    await expect(names()).rejects.toMatchObject(rejected('catalog.malformed'));
  });

  test('a file that is nested without end', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    catalog.files.set('timestamp.json', new TextEncoder().encode(`{"signed":{"a":${deep}},"signatures":[]}`));
    await expect(names()).rejects.toMatchObject(rejected('catalog.malformed'));
  });
});

describe('extraneous dependencies and wrong software', () => {
  test.each([
    ['a header with a secret of the user', { settings: { headers: ['X-Token: {GITHUB_TOKEN}'] } }],
    ['the terms of a site ignored for the user', { settings: { ignoreTerms: true } }],
    ['a folder of the machine', { startUrl: '/etc' }],
    ['a file', { startUrl: 'file:///etc/passwd' }],
    ['a member that no entry has', { dependencies: ['npm:samovar'] }],
  ])('an entry with %s, although the keys of the catalogue signed it', async (_what, change) => {
    forge('1.catalog.json', (signed) => ({ ...signed, entries: [{ ...entry, ...change }] }), [catalog.key]);
    const bytes = catalog.files.get('1.catalog.json')!;
    const about = { version: 1, bytes: bytes.byteLength, sha256: sha256Hex(bytes) };
    forge('timestamp.json', (signed) => ({ ...signed, catalog: about }), [catalog.key]);
    await expect(names()).rejects.toMatchObject(rejected('catalog.malformed'));
  });

  test('a package that is read from another one', () => {
    expect(() => requireOwnName({ ...entry, startUrl: 'npm:samovar' })).toThrow('it is read from npm:samovar');
    expect(() => requireOwnName({ ...entry, startUrl: 'npm:kettle@4.1.0' })).not.toThrow();
  });
});

describe('threshold', () => {
  test('one key counts once, however often it signed', async () => {
    const second = newKey();
    await catalog.rotate({ catalog: [catalog.key, second], catalogThreshold: 2, timestamp: [catalog.key] });
    await expect(catalog.publish([entry])).rejects.toMatchObject({
      code: 'catalog.unsigned',
      message: expect.stringContaining('1 of its keys signed it, and 2 must'),
    });
    const signed = { type: 'catalog' };
    const envelope = { signed, signatures: signWith(signed, [catalog.key, catalog.key]) };
    const role = { keyIds: [catalog.key.keyId, second.keyId], threshold: 2 };
    const keys = { [catalog.key.keyId]: catalog.key.publicKey, [second.keyId]: second.publicKey };
    const check = () => requireSignatures('x', envelope, { role, keys, verify: verifySignature });
    expect(check).toThrow('1 of its keys signed it');
  });

  test('one key under the id of another one is no second key', async () => {
    const fresh = await createTestCatalog();
    const keys = { ['0'.repeat(64)]: catalog.key.publicKey };
    forge('1.root.json', (signed) => ({ ...signed, keys }), [catalog.root]);
    fresh.files.set('1.root.json', catalog.files.get('1.root.json')!);
    const opened = openCatalog(fresh.reference, fresh.access, new AbortController().signal);
    await expect(opened).rejects.toMatchObject({
      code: 'catalog.malformed',
      message: expect.stringContaining('the id of another'),
    });
  });

  test('two of three keys of the root must sign the next one', async () => {
    const [second, third] = [newKey(), newKey()];
    await catalog.rotate({ root: [catalog.root, second, third], threshold: 2 });
    await catalog.publish([entry]);
    expect(await names()).toHaveLength(1);
    const withoutPrivate = { ...second, privateKey: null };
    const alone = catalog.rotate({
      root: [catalog.root, withoutPrivate, { ...third, privateKey: null }],
      threshold: 2,
    });
    await expect(alone).rejects.toMatchObject(rejected('catalog.unsigned'));
    await catalog.rotate({ root: [catalog.root, second], threshold: 2 });
    expect(await names()).toHaveLength(1);
  });
});

describe('rollback', () => {
  test('an older timestamp, and an older catalogue in a newer timestamp', async () => {
    const old = new Map(catalog.files);
    await catalog.publish([{ ...entry, version: '4.2.0' }]);
    expect(await names()).toEqual(['npm:kettle@4.2.0']);
    for (const [file, bytes] of old) catalog.files.set(file, bytes);
    await expect(names()).rejects.toMatchObject(rejected('catalog.rolled-back'));
    forge('timestamp.json', (signed) => ({ ...signed, version: 9 }), [catalog.key]);
    await expect(names()).rejects.toMatchObject({
      code: 'catalog.rolled-back',
      message: expect.stringContaining('1.catalog.json'),
    });
  });

  test('a root with the version of an earlier one', async () => {
    expect(await names()).toHaveLength(1);
    catalog.files.set('2.root.json', catalog.files.get('1.root.json')!);
    await expect(names()).rejects.toMatchObject(rejected('catalog.rolled-back'));
  });

  test('a saved state that was damaged is not taken for the first time', async () => {
    expect(await names()).toHaveLength(1);
    const pin = catalog.reference.split('#')[1]!;
    await catalog.access.saveTrust(pin, (await catalog.access.loadTrust(pin)).version, {} as never);
    await expect(names()).rejects.toMatchObject(rejected('catalog.malformed'));
  });
});

describe('indefinite freeze', () => {
  test('a timestamp that is held back expires', async () => {
    expect(await names()).toHaveLength(1);
    catalog.clock += 31 * DAY_MS;
    await expect(names()).rejects.toMatchObject({
      code: 'catalog.expired',
      message: expect.stringContaining('timestamp'),
    });
  });

  test('keys that were not renewed expire, whatever they sign', async () => {
    catalog.clock += 366 * DAY_MS;
    await expect(names()).rejects.toMatchObject(rejected('catalog.keys-expired'));
  });

  test('roots in between may have expired, the last one may not', async () => {
    catalog.clock += 400 * DAY_MS;
    await catalog.rotate({});
    await catalog.publish([entry]);
    expect(await names()).toHaveLength(1);
  });
});

describe('mix and match', () => {
  test('a catalogue of another time, although it is signed', async () => {
    const first = catalog.files.get('1.catalog.json')!;
    await catalog.publish([{ ...entry, version: '4.2.0' }]);
    catalog.files.set('2.catalog.json', first);
    await expect(names()).rejects.toMatchObject(rejected('catalog.mixed'));
  });
});

describe('malicious mirrors that prevent updates', () => {
  test('a mirror without the files, and one that ends in the middle of one', async () => {
    const whole = catalog.files.get('1.catalog.json')!;
    catalog.files.set('1.catalog.json', whole.subarray(0, whole.byteLength >> 1));
    await expect(names()).rejects.toMatchObject(rejected('catalog.changed-file'));
    catalog.files.delete('1.catalog.json');
    await expect(names()).rejects.toMatchObject(rejected('catalog.unreachable'));
  });

  test('one mirror that fails is an error, and no entry of the other is taken in its place', async () => {
    const references = [catalog.reference, `/other#${'0'.repeat(64)}`];
    const opened = openCatalogs(references, catalog.access, new AbortController().signal);
    await expect(opened).rejects.toMatchObject(rejected('catalog.untrusted'));
  });

  test('the removal of a key is not forgotten when a mirror no longer shows it', async () => {
    const next = newKey();
    await catalog.rotate({ catalog: [next], timestamp: [next] });
    await expect(names()).rejects.toMatchObject(rejected('catalog.wrong-key'));
    catalog.files.delete('2.root.json');
    await expect(names()).rejects.toMatchObject(rejected('catalog.wrong-key'));
  });
});

describe('vulnerability to key compromises', () => {
  test('what a removed key signs is rejected after the root is read', async () => {
    const next = newKey();
    expect(await names()).toHaveLength(1);
    await catalog.rotate({ catalog: [next], timestamp: [next] });
    await expect(names()).rejects.toMatchObject(rejected('catalog.wrong-key'));
    await catalog.publish([{ ...entry, version: '5.0.0' }], { key: next });
    expect(await names()).toEqual(['npm:kettle@5.0.0']);
  });

  test('fast-forward: versions that a stolen key drove up no longer count after it is replaced', async () => {
    const highest = Number.MAX_SAFE_INTEGER;
    forge('timestamp.json', (signed) => ({ ...signed, version: highest }), [catalog.key]);
    expect(await names()).toHaveLength(1);
    const next = newKey();
    await catalog.rotate({ catalog: [next], timestamp: [next] });
    catalog.files.delete('timestamp.json');
    catalog.files.delete('1.catalog.json');
    await catalog.publish([{ ...entry, version: '5.0.0' }], { key: next });
    expect(await names()).toEqual(['npm:kettle@5.0.0']);
  });

  test('the keys of the root itself are replaced, and the old ones sign nothing more', async () => {
    const root = newKey();
    await catalog.rotate({ root: [root], before: [catalog.root] });
    expect(await names()).toHaveLength(1);
    const alone = publishRoot(
      {
        root: [catalog.root],
        threshold: 1,
        catalog: [catalog.key],
        catalogThreshold: 1,
        timestamp: [catalog.key],
        before: [],
      },
      365,
      catalog.deps(),
    );
    await expect(alone).rejects.toMatchObject(rejected('catalog.wrong-key'));
  });
});

test('endless data: no more is read than the limit of each file, which the timestamp states for the catalogue', async () => {
  const size = catalog.files.get('1.catalog.json')!.byteLength;
  await names();
  expect(catalog.reads.find(({ file }) => file === '1.catalog.json')?.maxBytes).toBe(size);
  catalog.files.set('1.catalog.json', new Uint8Array(size + 1));
  await expect(names()).rejects.toMatchObject(rejected('catalog.too-large'));
  catalog.files.set('timestamp.json', new Uint8Array(10 * 1024 * 1024));
  await expect(names()).rejects.toMatchObject(rejected('catalog.too-large'));
});

test('a state that another process saved in the meantime is not replaced by an older one', async () => {
  const old = new Map(catalog.files);
  expect(await names()).toEqual(['npm:kettle@4.1.0']);
  await catalog.publish([{ ...entry, version: '4.2.0' }]);
  await catalog.publish([{ ...entry, version: '4.3.0' }]);
  const { loadTrust } = catalog.access;
  let loads = 0;
  const slow: CatalogAccess = {
    ...catalog.access,
    open: async () => ({ read: async (file) => old.get(file) ?? null, close: async () => undefined }),
    async loadTrust(name) {
      const loaded = await loadTrust(name);
      loads += 1;
      if (loads === 1) expect(await names()).toEqual(['npm:kettle@4.3.0']);
      return loaded;
    },
  };
  // The old files differ from the saved state in their timestamp alone, so that there is something to save.
  const timestamp = JSON.parse(new TextDecoder().decode(old.get('timestamp.json'))) as { signed: object };
  const signed = { ...timestamp.signed, version: 2 };
  old.set('timestamp.json', new TextEncoder().encode(signedText(signed, signWith(signed, [catalog.key]))));
  const opened = openCatalog(catalog.reference, slow, new AbortController().signal);
  await expect(opened).rejects.toMatchObject(rejected('catalog.rolled-back'));
  expect(loads).toBe(2);
  expect(await names()).toEqual(['npm:kettle@4.3.0']);
});
