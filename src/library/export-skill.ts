// Exports a version of a source as an agent skill in a zip archive. It has few references, each bounded, so they are all in memory.

import { chunkPath } from '../core/chunk/chunk-names.ts';
import { webStartUrl } from '../core/export/llms/served-path.ts';
import { outlinedPath } from '../core/export/agents/path-outline.ts';
import { computeIndexId, type BundleMeta } from '../core/export/bundle/bundle.ts';
import {
  referenceFile,
  referenceName,
  skillFile,
  skillName,
  titlesFile,
  TITLES_NAME,
  type SkillReference,
} from '../core/export/skill/skill-files.ts';
import { scanSecrets, type SecretFinding } from '../core/export/secrets/scan-secrets.ts';
import { createZipWriter } from '../core/export/zip/zip-writer.ts';
import { estimateTokens } from '../core/model/chunk.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { Store } from '../store/port.ts';
import type { Source, Version } from '../store/port/sources.ts';
import type { ExportDeps, ExportSummary } from './export-source.ts';
import { compareText } from '../core/text/compare-text.ts';

const MAX_REFERENCES = 50;
/** In the order of their keys, so an even sample of a large source. */
const SAMPLED_PAGES = 2000;

export async function exportSkill(
  { source, version }: { readonly source: Source; readonly version: Version },
  { store, write, checkpoint, onProgress }: ExportDeps,
): Promise<ExportSummary> {
  const meta: BundleMeta = {
    name: source.name,
    version: version.label,
    startUrl: webStartUrl(source),
  };
  const { pages } = await store.pages.list(version.id, null, SAMPLED_PAGES);
  const urls = await chooseReferences(
    store,
    version,
    pages.map(({ url }) => url),
  );
  const [stats] = await store.stats.versions([version.id]);
  const zip = createZipWriter();
  const folder = skillName(meta);
  const references: Array<SkillReference & { readonly url: PageUrl; readonly hash: Sha256 }> = [];
  const files: Array<readonly [name: string, text: string]> = [];
  const secrets: SecretFinding[] = [];
  let [chunks, tokens] = [0, 0];
  for (const url of urls) {
    const page = await store.pages.get(version.id, url);
    if (page === null) throw pinakesError('export.changed', { source: source.name });
    const about = { source: source.name, version: version.label, url, title: page.title, changedAt: null };
    const text = referenceFile(about, page.text);
    files.push([`${folder}/${referenceName(references.length)}`, text]);
    references.push({ title: page.title, url, path: outlinedPath(url, source.startUrl), hash: page.contentHash });
    secrets.push(...scanSecrets(page.text, chunkPath(url), 1));
    chunks += page.chunks;
    tokens += estimateTokens(text);
    onProgress({ step: 'read', done: references.length, total: urls.length });
    await checkpoint();
  }
  const paths = pages.map(({ url }) => outlinedPath(url, source.startUrl));
  const skill = skillFile({ meta, pages: stats?.pages ?? pages.length, paths, references });
  files.unshift([`${folder}/SKILL.md`, skill], [`${folder}/${TITLES_NAME}`, titlesFile(references)]);
  for (const [name, text] of files) for (const bytes of zip.entry(name, [text])) await write(bytes);
  await write(zip.end());
  const indexId = computeIndexId(references.map(({ url, hash }) => ({ path: chunkPath(url), hash })));
  return { indexId, files: files.length, chunks, tokens: tokens + estimateTokens(skill), secrets };
}

/** The most linked pages; where there are too few links, those nearest to the root. */
async function chooseReferences(store: Store, version: Version, urls: readonly PageUrl[]): Promise<readonly PageUrl[]> {
  const linked = (await store.pages.mostLinked(version.id, MAX_REFERENCES)).map(({ url }) => url);
  const near = urls.toSorted((a, b) => a.split('/').length - b.split('/').length || compareText(a, b));
  return [...new Set([...linked, ...near])].slice(0, MAX_REFERENCES);
}
