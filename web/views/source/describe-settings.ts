// Labels for the settings of a source.

import type { SourceSettings } from '../../../src/core/model/source-settings.ts';
import { formatCount, formatQuantity } from '../../components/format.ts';

export const SCOPES = [
  { value: 'path', label: 'start path' },
  { value: 'host', label: 'host' },
  { value: 'domain', label: 'domain' },
] as const;

const PRESETS = [
  { value: 'llms-first', label: 'llms.txt, sitemaps and links' },
  { value: 'basic-with-sitemap', label: 'sitemaps and links' },
  { value: 'sitemap-only', label: 'sitemaps only' },
  { value: 'basic', label: 'links only' },
  { value: 'intelligent', label: 'all of them, in the order of a plan' },
] as const;

/** The built-in presets by what they do, and the custom ones by their names. */
export function presetOptions(
  presets: ReadonlyArray<{ readonly name: string; readonly isCustom: boolean }>,
): ReadonlyArray<{ readonly value: string; readonly label: string }> {
  const custom = presets.filter(({ isCustom }) => isCustom);
  return [...PRESETS, ...custom.map(({ name }) => ({ value: name, label: `preset ${name}` }))];
}

const INTERVALS = ['', '6h', '1d', '1w', '4w'];
const UNITS: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day', w: 'week' };

/** Includes the current interval even if it was set on the command line and is not a preset. */
export function intervalOptions(every: string): readonly string[] {
  return INTERVALS.includes(every) ? INTERVALS : [...INTERVALS, every];
}

export function describeInterval(every: string): string {
  if (every === '') return 'manually';
  const amount = Number.parseInt(every, 10);
  const unit = UNITS[every.at(-1) ?? ''] ?? '';
  return amount === 1 ? `every ${unit}` : `every ${amount} ${unit}s`;
}

/** The rules of a source as short phrases, including those left at their defaults. */
export function describeSettings(settings: Partial<SourceSettings>): readonly string[] {
  const { scope = 'path', preset = 'llms-first', include = [], exclude = [], queryParams = [] } = settings;
  return [
    `scope: ${SCOPES.find(({ value }) => value === scope)?.label ?? scope}`,
    `discovery: ${PRESETS.find(({ value }) => value === preset)?.label ?? preset}`,
    ...include.map((glob) => `include ${glob}`),
    ...exclude.map((glob) => `exclude ${glob}`),
    ...queryParams.map((rule) => `query ${rule}`),
    ...(settings.ignoreTerms ? ['terms of use ignored'] : []),
    ...describeLimits(settings),
  ];
}

function describeLimits(settings: Partial<SourceSettings>): readonly string[] {
  const { maxPages, maxDepth, maxMinutes, requestsPerSecond, maxAge = [], headers = [] } = settings;
  const phrases = [
    maxPages == null ? null : `at most ${formatQuantity(maxPages, 'page')}`,
    maxDepth == null ? null : `depth at most ${formatCount(maxDepth)}`,
    maxMinutes == null ? null : `at most ${maxMinutes} min per run`,
    requestsPerSecond == null ? null : `at most ${requestsPerSecond} requests per second`,
    maxAge.length === 0 ? null : `revalidated after ${maxAge.join(', ')}`,
    headers.length === 0 ? null : 'custom headers',
  ];
  return phrases.filter((phrase) => phrase !== null);
}
