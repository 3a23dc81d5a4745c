// A published catalogue in memory, with the keys of its publisher: every file can be replaced as an attacker would.

import type { CatalogEntry } from '../../src/core/catalog/catalog-files.ts';
import type { CatalogAccess, SavedTrust } from '../../src/library/catalog/open-catalog.ts';
import {
  publishEntries,
  publishRoot,
  type PublishDeps,
  type RootKeys,
} from '../../src/library/catalog/publish-catalog.ts';
import { generateSigningKey, parseSigningKey, type SigningKey } from '../../src/library/catalog/signing-keys.ts';
import { pinakesError } from '../../src/core/model/errors.ts';

export function newKey(): SigningKey {
  return parseSigningKey('key', generateSigningKey());
}

export const DAY_MS = 86_400_000;

export interface TestCatalog {
  readonly files: Map<string, Uint8Array>;
  readonly root: SigningKey;
  readonly key: SigningKey;
  /** `LOCATION#PIN` */
  readonly reference: string;
  /** What users have; the clock is theirs and the publisher's. */
  readonly access: CatalogAccess;
  readonly reads: Array<{ readonly file: string; readonly maxBytes: number }>;
  clock: number;
  publish(
    entries: readonly CatalogEntry[],
    options?: { readonly key?: SigningKey; readonly days?: number },
  ): Promise<void>;
  rotate(keys: Partial<RootKeys>, days?: number): Promise<void>;
  deps(): PublishDeps;
}

export async function createTestCatalog(): Promise<TestCatalog> {
  const files = new Map<string, Uint8Array>();
  const reads: Array<{ readonly file: string; readonly maxBytes: number }> = [];
  const root = newKey();
  const key = newKey();
  const trust = new Map<string, SavedTrust>();
  const read = async (file: string, maxBytes: number): Promise<Uint8Array | null> => {
    reads.push({ file, maxBytes });
    const bytes = files.get(file) ?? null;
    if (bytes !== null && bytes.byteLength > maxBytes) throw pinakesError('catalog.too-large', { file, maxBytes });
    return bytes;
  };
  const access: CatalogAccess = {
    configured: [],
    program: '0.1.0',
    now: () => catalog.clock,
    open: async () => ({ read, close: async () => undefined }),
    loadTrust: async (name) => trust.get(name) ?? { version: 0, state: null },
    async saveTrust(name, version, state) {
      if (version !== (trust.get(name)?.version ?? 0)) return false;
      trust.set(name, { version: version + 1, state: structuredClone(state) });
      return true;
    },
  };
  const deps = (): PublishDeps => ({
    files: { read: async (file) => files.get(file) ?? null },
    write: async (file, bytes) => void files.set(file, bytes),
    remove: async (file) => void files.delete(file),
    now: () => catalog.clock,
  });
  const keys: RootKeys = {
    root: [root],
    threshold: 1,
    catalog: [key],
    catalogThreshold: 1,
    timestamp: [key],
    before: [],
  };
  const catalog: Omit<TestCatalog, 'reference'> & { clock: number } = {
    files,
    root,
    key,
    access,
    reads,
    clock: Date.parse('2026-11-19T12:00:00Z'),
    async publish(entries, { key: signer = key, days = 30 } = {}) {
      await publishEntries(entries, { keys: [signer], days }, deps());
    },
    async rotate(changed, days = 365) {
      await publishRoot({ ...keys, ...changed }, days, deps());
    },
    deps,
  };
  const { pin } = await publishRoot(keys, 365, deps());
  return Object.assign(catalog, { reference: `/catalogue#${pin}` });
}
