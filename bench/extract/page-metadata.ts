// Reports the verdicts and page kinds of real sites, given a folder with one folder per site.
// Every page classified as not content is listed, so that a person can check each of them.
//
//   node bench/extract/page-metadata.ts FOLDER [PAGES_PER_SITE]

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { classifyPage } from '../../src/core/classify/page-kind.ts';
import { pageVerdict } from '../../src/core/classify/page-verdict.ts';
import { extractors } from '../../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../../src/core/extract/extractor-registry.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { sampleHtmlFiles } from '../support/sample-html-files.ts';
import { writeResult } from '../support/write-result.ts';

const [folder = '', pagesPerSite = '300'] = process.argv.slice(2);
const registry = createExtractorRegistry(extractors);

function metadataOf(site: string) {
  const notContent: string[] = [];
  const kinds: Record<string, number> = {};
  let pages = 0;
  for (const path of sampleHtmlFiles(join(folder, site), Number(pagesPerSite))) {
    pages += 1;
    const url = pageUrl(relative(join(folder, site), path), `https://${site}.test/`);
    const { document, metadata } = registry.extract({ url, mediaType: 'text/html', body: readFileSync(path) });
    const verdict = pageVerdict({ document, metadata });
    if (verdict.kind === 'not-content') {
      notContent.push(`${verdict.rule} ${url}`);
      continue;
    }
    const { pageKind } = classifyPage(document);
    kinds[pageKind] = (kinds[pageKind] ?? 0) + 1;
  }
  return { pages, notContent, kinds };
}

const sites = readdirSync(folder).sort();
const bySite = Object.fromEntries(sites.map((site) => [site, metadataOf(site)]));
const all = Object.values(bySite);
const rules: Record<string, number> = {};
for (const line of all.flatMap(({ notContent }) => notContent)) {
  const rule = line.split(' ', 1)[0] ?? '';
  rules[rule] = (rules[rule] ?? 0) + 1;
}
writeResult('page-metadata', { pages: all.reduce((sum, { pages }) => sum + pages, 0), rules, sites: bySite });
