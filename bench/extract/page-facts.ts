// Reports the verdicts, page kinds and boilerplate masks of real sites, given a folder with one folder per site.
// Every page classified as not content is listed, so that a person can check each of them.
//
//   node bench/extract/page-facts.ts FOLDER [PAGES_PER_SITE]

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { blockFingerprints, boilerplateMask, maskedLines } from '../../src/core/classify/boilerplate.ts';
import type { Document } from '../../src/core/model/document.ts';
import { classifyPage } from '../../src/core/classify/page-kind.ts';
import { pageVerdict } from '../../src/core/classify/page-verdict.ts';
import { extractors } from '../../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../../src/core/extract/extractor-registry.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { sampleHtmlFiles } from '../support/sample-html-files.ts';
import { writeResult } from '../support/write-result.ts';

const [folder = '', pagesPerSite = '300'] = process.argv.slice(2);
const registry = createExtractorRegistry(extractors);

function factsOf(site: string) {
  const notContent: string[] = [];
  const kinds: Record<string, number> = {};
  const documents: Document[] = [];
  for (const path of sampleHtmlFiles(join(folder, site), Number(pagesPerSite))) {
    const url = pageUrl(relative(join(folder, site), path), `https://${site}.test/`);
    const { document, facts } = registry.extract({ url, mediaType: 'text/html', body: readFileSync(path) });
    const verdict = pageVerdict({ document, facts });
    if (verdict.kind === 'not-content') {
      notContent.push(`${verdict.rule} ${url}`);
      continue;
    }
    const { pageKind } = classifyPage(document);
    kinds[pageKind] = (kinds[pageKind] ?? 0) + 1;
    documents.push(document);
  }
  const mask = boilerplateMask(documents.map(blockFingerprints));
  const masked = new Map<string, number>();
  for (const document of documents) {
    const lines = document.text.split('\n');
    for (const { first, last } of maskedLines(document, mask)) {
      const text = lines
        .slice(first - 1, last)
        .join(' ')
        .replace(/\d+/g, '0')
        .slice(0, 80);
      masked.set(text, (masked.get(text) ?? 0) + 1);
    }
  }
  const boilerplate = [...masked].sort((a, b) => b[1] - a[1]).map(([text, pages]) => `${pages} ${text}`);
  return { pages: documents.length + notContent.length, notContent, kinds, boilerplate: boilerplate.slice(0, 10) };
}

const sites = readdirSync(folder).sort();
const bySite = Object.fromEntries(sites.map((site) => [site, factsOf(site)]));
const all = Object.values(bySite);
const rules: Record<string, number> = {};
for (const line of all.flatMap(({ notContent }) => notContent)) {
  const rule = line.split(' ', 1)[0] ?? '';
  rules[rule] = (rules[rule] ?? 0) + 1;
}
writeResult('page-facts', { pages: all.reduce((sum, { pages }) => sum + pages, 0), rules, sites: bySite });
