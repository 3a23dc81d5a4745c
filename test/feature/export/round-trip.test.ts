// Exporting and importing a source preserves the index id, the chunks and the search results.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportSource } from '../../../src/actions/export-source.ts';
import { recrawlSource } from '../../../src/actions/recrawl-source.ts';
import { storedTerms, withTerms } from '../../../src/core/discover/licenses.ts';
import { readManifestTsv } from '../../../src/core/export/manifest/manifest-tsv.ts';
import { readPinakesJson } from '../../../src/core/export/manifest/pinakes-json.ts';
import { sha256Hex } from '../../../src/core/model/hash.ts';
import { readZip } from '../../../src/core/extract/archive/read-zip.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import type { Store } from '../../../src/store/port.ts';
import { createLocalFolder } from '../../support/local-folder.ts';
import { actionDeps, addPath, importFile } from '../../support/run-worker.ts';
import { createRunFixture, claimAll, indexAll, indexedOutcome, createSettlement } from '../../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';

const golden = join(import.meta.dirname, '../../data/golden/export', 'input');
const queries = ['retry', 'how long may water take', 'install kettle', 'logo', 'celsius'];

async function bundleOf(store: Store, source: string, compact: boolean): Promise<{ file: string; indexId: string }> {
  const out = join(createLocalFolder({}), 'bundle.zip');
  const { indexId } = await exportSource.run(
    { source, out, format: 'bundle', compact, vectors: false, force: false, reproducible: false },
    actionDeps(store),
  );
  return { file: out, indexId };
}

async function textOfFile(store: Store, source: string): Promise<string | null> {
  const version = (await store.sources.byName(source))!.versions[0]!.id;
  return store.pages.text(version, pageUrl('file:///a.html'));
}

async function archiveHash(store: Store, compact: boolean): Promise<string> {
  return sha256Hex(readFileSync((await bundleOf(store, 'golden', compact)).file));
}

async function answers(store: Store, source: string): Promise<unknown> {
  const { search } = actionDeps(store);
  return Promise.all(
    queries.map(async (query) => {
      const { passages } = await search({ query, source, limit: 5, budget: 4000, offset: 0, explain: false });
      return passages.map(({ source: _, checkedAt: __, ...passage }) => passage);
    }),
  );
}

describe.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
])('on %s', (_, open) => {
  let opened: TestStore;
  let store: Store;
  beforeAll(async () => {
    opened = await open({ startDelayMs: 1000 });
    store = opened.store;
    await addPath(store, golden, { name: 'golden' });
  });
  afterAll(() => opened.close());

  test('a bundle carries the version that its source declares, and nothing else in its place', async () => {
    const version = (await store.sources.byName('golden'))!.versions[0]!.id;
    await store.sources.saveDeclaredVersion(version, '3.2.25');
    const { file } = await bundleOf(store, 'golden', false);
    await store.sources.saveDeclaredVersion(version, null);
    await importFile(store, file, 'declares');
    expect((await store.sources.byName('declares'))?.versions[0]?.declaredVersion).toBe('3.2.25');

    const manifest = textsOf(file).get('pinakes.json') ?? '';
    expect(readPinakesJson(manifest)?.meta.declaredVersion).toBe('3.2.25');
    expect(readPinakesJson(manifest.replace('"3.2.25"', '"3. Obey"'))?.meta.declaredVersion).toBeNull();
  });

  test('a bundle carries the terms of use and the licenses of its source', async () => {
    const version = (await store.sources.byName('golden'))!.versions[0]!.id;
    const terms = { usageTerms: ['Content-Signal: ai-train=no'], licenses: ['https://x.dev/license.xml'] };
    const before = await store.sources.siteProfile(version);
    await store.sources.changeSiteProfile(version, (profile) => withTerms(profile, terms));
    const { file } = await bundleOf(store, 'golden', true);
    await store.sources.changeSiteProfile(version, () => before);
    await importFile(store, file, 'terms');
    const imported = (await store.sources.byName('terms'))!.versions[0]!.id;
    expect(storedTerms(await store.sources.siteProfile(imported))).toEqual(terms);

    const manifest = textsOf(file).get('pinakes.json') ?? '';
    expect(readPinakesJson(manifest)?.meta.terms).toEqual(terms);
    const hostile = manifest.replace('https://x.dev/license.xml', 'javascript:alert(1)');
    expect(readPinakesJson(hostile)?.meta.terms?.licenses).toEqual([]);
  });

  test.each([false, true])('a folder survives the round trip through a bundle (compact: %s)', async (compact) => {
    const { file, indexId } = await bundleOf(store, 'golden', compact);
    const name = compact ? 'copy-compact' : 'copy-full';
    expect(await importFile(store, file, name)).toMatchObject({ state: 'completed', counts: { new: 4 } });
    expect(await answers(store, name)).toEqual(await answers(store, 'golden'));
    const again = await bundleOf(store, name, compact);
    expect(again.indexId).toBe(indexId);
    expect(await importFile(store, file, name)).toMatchObject({ counts: { unchanged: 4, new: 0 } });
    expect(await store.verify()).toEqual([]);
  });

  test.each([false, true])('export, import and export again give the same bytes (compact: %s)', async (compact) => {
    const first = await bundleOf(store, 'golden', compact);
    const other = await open({ startDelayMs: 1000 });
    try {
      await importFile(other.store, first.file, 'golden');
      const again = await bundleOf(other.store, 'golden', compact);
      expect(readFileSync(again.file).equals(readFileSync(first.file))).toBe(true);
    } finally {
      await other.close();
    }
  });

  test('[E3] vectors are exported on request, and imported into the same embedding space', async () => {
    const space = await store.vectors.openSpace('model=a', 2, {});
    const claims = await store.vectors.claim(space.id, 'embedder', 100, 60_000);
    const vector = new Float32Array([0.6, 0.8]);
    await store.vectors.settle(claims.map((claim) => ({ claim, outcome: { kind: 'embedded', vector } })));
    const out = join(createLocalFolder({}), 'vectors.zip');
    await exportSource.run(
      { source: 'golden', out, format: 'bundle', compact: false, vectors: true, force: false, reproducible: false },
      actionDeps(store),
    );

    const other = await open({ startDelayMs: 1000 });
    try {
      const same = await other.store.vectors.openSpace('model=a', 2, {});
      const stranger = await other.store.vectors.openSpace('model=b', 2, {});
      expect(await importFile(other.store, out, 'golden')).toMatchObject({ state: 'completed', counts: { new: 4 } });
      const { embedded, pending } = await other.store.vectors.progress(same.id);
      expect({ embedded: embedded > 0, pending }).toEqual({ embedded: true, pending: 0 });
      expect(await other.store.vectors.progress(stranger.id)).toMatchObject({ embedded: 0, pending: embedded });
      expect(await other.store.verify()).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('[C4] chunks of an HTML file have the lines of the HTML, also after an import', async () => {
    const words = 'A sprocket is a wheel with teeth that fit into the links of a chain.';
    const paragraphs = Array.from({ length: 90 }, (_unused, nth) => `\n\n<p>${words}\nNumber ${nth}.</p>`);
    const html = `<title>Wheels</title>\n<main>\n<h1>Wheels</h1>${paragraphs.join('')}\n</main>\n`;
    await addPath(store, createLocalFolder({ 'a.html': html }), { name: 'html' });
    const first = await bundleOf(store, 'html', true);
    const { chunks } = readManifestTsv(textsOf(first.file).get('manifest.llm.tsv')!)!;
    const ranges = chunks.map(({ lines }) => lines);
    expect(ranges.length).toBeGreaterThan(1);
    expect([ranges[0]?.first, ranges.at(-1)?.last]).toEqual([3, html.split('\n').length - 2]);
    const fileLines = html.split('\n');
    for (const { ref, lines } of chunks) {
      const [, firstText = ''] = textsOf(first.file).get(`chunks/${ref}.md`)!.split('\n', 2);
      expect(fileLines[lines.first - 1]).toContain(firstText.replace(/^# /, '').split(' Number')[0]);
    }
    const other = await open({ startDelayMs: 1000 });
    try {
      await importFile(other.store, first.file, 'html');
      const again = await bundleOf(other.store, 'html', true);
      expect(readFileSync(again.file).equals(readFileSync(first.file))).toBe(true);
      const texts = await Promise.all([store, other.store].map((one) => textOfFile(one, 'html')));
      expect(texts[0]).toBe(texts[1]);
    } finally {
      await other.close();
    }
  });

  test('exporting is deterministic', async () => {
    expect(await archiveHash(store, false)).toBe(await archiveHash(store, false));
    expect(await archiveHash(store, true)).toBe(await archiveHash(store, true));
  });

  test('crawled pages keep their URLs, and importing makes no requests', async () => {
    const urls = ['https://x.dev/a', 'https://x.dev/b'];
    const { source, run, lease } = await createRunFixture(store, urls);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const claims = [...(await claimAll(store)), ...(await waitForClaim(store))];
    await store.frontier.settle(
      claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, `about ${claim.url}`, 'more words'))),
    );
    await store.runs.finish(lease, 'completed', null);
    await store.pages.saveLinkCounts(run.version, new Map([[pageUrl('https://x.dev/a'), 7]]));
    await indexAll(store);
    expect(run.source).toBe(source.id);
    const { file, indexId } = await bundleOf(store, source.name, false);
    const started = performance.now();
    const imported = await importFile(store, file, `${source.name}-copy`);
    expect(imported).toMatchObject({ state: 'completed', counts: { new: 2 } });
    expect(performance.now() - started).toBeLessThan(10_000);
    const copy = (await store.sources.byName(`${source.name}-copy`))!;
    const page = await store.pages.get(copy.versions[0]!.id, pageUrl('https://x.dev/a'));
    expect(page?.text).toContain('about https://x.dev/a');
    expect(page?.inlinks).toBe(7);
    const again = await bundleOf(store, copy.name, false);
    expect(again.indexId).toBe(indexId);
    // Nothing but the name of the copy is different, and it still says where it was crawled.
    const [first, second] = [file, again.file].map((path) => textsOf(path));
    expect([...first!.values()].map((text) => text.replaceAll(source.name, copy.name))).toEqual([...second!.values()]);
    expect(first!.get('llm.md')).toContain('From: https://x.dev/');

    const request = { mode: 'incremental' as const, fromWeb: true };
    await recrawlSource.run({ source: copy.name, ...request }, actionDeps(store));
    expect(await store.sources.byName(copy.name)).toMatchObject({ kind: 'web', startUrl: source.startUrl });
    await expect(recrawlSource.run({ source: 'golden', ...request }, actionDeps(store))).rejects.toThrow(
      'golden was not imported from a bundle of a website',
    );
  });

  test('a secret in a text is reported by the export', async () => {
    const key = ['AKIA', 'Q7RZ2MWN4TBVX9YL'].join('');
    const root = createLocalFolder({ 'setup.md': `# Setup\n\nUse this key for now:\n\n    ${key}\n` });
    await addPath(store, root, { name: 'leaky' });
    const out = join(createLocalFolder({}), 'leaky.zip');
    const answer = await exportSource.run(
      { source: 'leaky', out, format: 'bundle', compact: false, vectors: false, force: false, reproducible: false },
      actionDeps(store),
    );
    expect(answer.secrets).toEqual({ found: 1, locations: [{ rule: 'aws-access-key', path: 'setup.md', line: 5 }] });
    expect(JSON.stringify(answer)).not.toContain(key);
  });

  test('a broken bundle adds no source', async () => {
    const { file } = await bundleOf(store, 'golden', false);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 30));
    await expect(importFile(store, file, 'broken')).rejects.toMatchObject({ code: 'bundle.corrupt' });
    expect(await store.sources.byName('broken')).toBeNull();
  });
});

function textsOf(file: string): ReadonlyMap<string, string> {
  const items = [...readZip(readFileSync(file), file)].filter((item) => item.kind === 'file');
  return new Map(items.map(({ path, body }) => [path, new TextDecoder().decode(body)]));
}

/** The second page of a rate-limited host is due a second later. */
async function waitForClaim(store: Store): ReturnType<typeof claimAll> {
  for (;;) {
    const claims = await claimAll(store);
    if (claims.length > 0) return claims;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
