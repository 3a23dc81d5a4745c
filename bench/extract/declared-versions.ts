// Reports the version that real sites declare, and what each of their pages declares, given a folder with one folder per site.
//
//   node bench/extract/declared-versions.ts FOLDER [PAGES_PER_SITE]

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pageVerdict } from '../../src/core/classify/page-verdict.ts';
import { parseLlmsTxt } from '../../src/core/discover/llms/llms-txt.ts';
import { extractors } from '../../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../../src/core/extract/extractor-registry.ts';
import { agreedVersion, versionInUrl } from '../../src/core/extract/version-in-text.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { sampleHtmlFiles } from '../support/sample-html-files.ts';
import { writeResult } from '../support/write-result.ts';

const [folder = '', pagesPerSite = '200'] = process.argv.slice(2);
const registry = createExtractorRegistry(extractors);

function versionsOf(site: string) {
  const pages: Array<string | null> = [];
  for (const path of sampleHtmlFiles(join(folder, site), Number(pagesPerSite))) {
    const url = pageUrl(relative(join(folder, site), path), `https://${site}.test/`);
    const { document, metadata } = registry.extract({ url, mediaType: 'text/html', body: readFileSync(path) });
    if (pageVerdict({ document, metadata }).kind !== 'not-content')
      pages.push(metadata.declaredVersion ?? versionInUrl(url));
  }
  const counts: Record<string, number> = {};
  for (const version of pages) counts[version ?? 'none'] = (counts[version ?? 'none'] ?? 0) + 1;
  return { declared: agreedVersion(pages, { html: [], llmsTitle: llmsTitle(site) }), pages: counts };
}

function llmsTitle(site: string): string | null {
  const path = join(folder, site, 'llms.txt');
  return existsSync(path)
    ? parseLlmsTxt(readFileSync(path, 'utf8'), pageUrl(`https://${site}.test/llms.txt`)).title
    : null;
}

const sites = readdirSync(folder).sort();
writeResult('declared-versions', { sites: Object.fromEntries(sites.map((site) => [site, versionsOf(site)])) });
