// Coverage of a source for a terminal: what agents cannot reach first, then sections and patterns of URLs.

import type { z } from 'zod';
import type { showCoverage } from '../../../actions/show-coverage.ts';
import { coverageLine } from '../../../core/analysis/coverage.ts';
import { pluralize, thousands } from '../../../core/text/plural.ts';
import { renderRows, type OutputFormat } from './columns.ts';

type Coverage = z.output<typeof showCoverage.output>;

const MAX_MISSING = 20;
const MAX_PATTERNS = 15;

export function renderCoverage(coverage: Coverage, format: OutputFormat): string {
  const { source, version, orphans, sections, patterns } = coverage;
  const name = version === '' ? source : `${source} ${version}`;
  const parts = [
    `${name}: ${coverageLine({ ...coverage, missing: [] })}\n${sizeLine(coverage)}\n`,
    missingPages(coverage),
    orphans === 0 ? '' : `No stored page links to ${pluralize(orphans, 'stored page')}.\n`,
    hubLines(coverage),
    sections.length === 0 ? '' : renderRows(sections.map(sectionRow), format),
    patterns.length === 0 ? '' : renderRows(patterns.slice(0, MAX_PATTERNS).map(patternRow), format),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function sizeLine({ estimate: { pages, low, high } }: Coverage): string {
  const range = low === high ? '' : `, between ${thousands(low)} and ${thousands(high)}`;
  return `The site has about ${pluralize(pages, 'page')}${range}.`;
}

function missingPages({ missing, promised, stored }: Coverage): string {
  if (missing.length === 0) return '';
  const shown = missing.slice(0, MAX_MISSING);
  const more = Math.max(missing.length, promised - stored) - shown.length;
  return `Promised, and not stored:\n${shown.map((path) => `  ${path}\n`).join('')}${more > 0 ? `  and ${thousands(more)} more\n` : ''}`;
}

function hubLines({ hubs }: Coverage): string {
  return hubs
    .map(({ taxonomy, expected, validated, missing }) => {
      const urls = missing.length === 0 ? '' : `; missing: ${missing.map(({ url }) => url).join(', ')}`;
      return `Hubs, by ${taxonomy}: ${thousands(validated)} of ${thousands(expected)} are stored${urls}\n`;
    })
    .join('');
}

function sectionRow({ label, slug, promised, stored, missing }: Coverage['sections'][number]) {
  return { Section: label === '' ? slug : label, Promised: promised, Stored: stored, Missing: missing.join(' ') };
}

function patternRow({ pattern, urls, stored, pageKind, meanTokens }: Coverage['patterns'][number]) {
  return { Pattern: pattern, URLs: urls, Stored: stored, Kind: pageKind, Tokens: meanTokens };
}
