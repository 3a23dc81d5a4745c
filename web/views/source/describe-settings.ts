// The settings of a source in words.

import type { SourceSettings } from '../../../src/core/model/source-settings.ts';
import { counted } from '../../components/format.ts';

export const BREADTHS = [
  { value: 'path', says: 'its folder' },
  { value: 'host', says: 'its host' },
  { value: 'domain', says: 'its domain' },
] as const;

export const PRESETS = [
  { value: 'llms-first', says: 'llms.txt, sitemaps and links' },
  { value: 'basic-with-sitemap', says: 'sitemaps and links' },
  { value: 'sitemap-only', says: 'sitemaps only' },
  { value: 'basic', says: 'links only' },
] as const;

const INTERVALS = ['', '6h', '1d', '1w', '4w'];
const UNITS: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day', w: 'week' };

/** One that was set on the command line is kept in the list. */
export function intervalsWith(every: string): readonly string[] {
  return INTERVALS.includes(every) ? INTERVALS : [...INTERVALS, every];
}

export function everyWords(every: string): string {
  if (every === '') return 'when I ask';
  const times = Number.parseInt(every, 10);
  const unit = UNITS[every.at(-1) ?? ''] ?? '';
  return times === 1 ? `every ${unit}` : `every ${times} ${unit}s`;
}

/** What a source is allowed to take, in short phrases. What is as usual is said too: it is a rule as well. */
export function settingsWords(settings: Partial<SourceSettings>): readonly string[] {
  const { breadth = 'path', preset = 'llms-first', allow = [], block = [], query = [] } = settings;
  return [
    `stays in ${BREADTHS.find(({ value }) => value === breadth)?.says ?? breadth}`,
    `found by ${PRESETS.find(({ value }) => value === preset)?.says ?? preset}`,
    ...allow.map((glob) => `only ${glob}`),
    ...block.map((glob) => `never ${glob}`),
    ...query.map((rule) => `parameter ${rule}`),
    ...limitWords(settings),
  ];
}

function limitWords(settings: Partial<SourceSettings>): readonly string[] {
  const { maxPages, maxDepth, maxMinutes, requestsPerSecond, maxAge = [], headers = [] } = settings;
  const words = [
    maxPages == null ? null : `${counted(maxPages, 'page')} at most`,
    maxDepth == null ? null : `${counted(maxDepth, 'link')} away at most`,
    maxMinutes == null ? null : `${maxMinutes} min a run at most`,
    requestsPerSecond == null ? null : `${requestsPerSecond} requests a second at most`,
    maxAge.length === 0 ? null : `not asked again within ${maxAge.join(', ')}`,
    headers.length === 0 ? null : 'with headers of its own',
  ];
  return words.filter((phrase) => phrase !== null);
}
