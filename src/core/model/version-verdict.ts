// Resolves a requested version against the existing labels: exact, range or latest. Never falls back to another version silently.

import { versionLabel } from './declared-version.ts';
import { pinakesError, type PinakesError } from './errors.ts';
import { compareText } from '../text/compare-text.ts';

export type VersionVerdict =
  | { readonly found: true; readonly label: string; readonly by: 'exact' | 'range' | 'latest' | 'only' }
  | { readonly found: false };

interface NamedVersion {
  readonly label: string;
  readonly declaredVersion?: string | null;
}

/**
 * The requested version, otherwise the highest: the order in which versions were added says nothing. A source whose only version has
 * no label is requested by the version that its site declares.
 */
export function pickVersion<Version extends NamedVersion>(
  versions: readonly Version[],
  requested = 'latest',
): Version | undefined {
  const [only] = versions;
  if (versions.length === 1 && only?.label === '' && only.declaredVersion != null && requested.trim() !== '')
    return versionVerdict([only.declaredVersion], requested).found ? only : undefined;
  const verdict = versionVerdict(
    versions.map(({ label }) => label),
    requested,
  );
  return verdict.found ? versions.find(({ label }) => label === verdict.label) : undefined;
}

const MAX_KNOWN = 20;

const NO_VERSIONS = 'none, because the documentation has no version';

export function unknownVersion(versions: readonly NamedVersion[], requested = 'latest'): PinakesError {
  const labels = versions.map(({ label, declaredVersion = null }) => versionLabel(label, declaredVersion));
  const known = [...new Set(labels)].filter((label) => label !== '').slice(0, MAX_KNOWN);
  return pinakesError('version.unknown', { version: requested, known: known.join(', ') || NO_VERSIONS });
}

export function versionVerdict(labels: readonly string[], requested: string): VersionVerdict {
  const wantedLabel = requested.trim();
  if (labels.includes(wantedLabel)) return { found: true, label: wantedLabel, by: 'exact' };
  const ordered = labels.toSorted(compareVersions);
  if (wantedLabel === 'latest') return latestOf(ordered);
  const test = parseRange(wantedLabel);
  const label = test === null ? undefined : ordered.findLast((one) => numbersOf(one) !== null && test(one));
  return label === undefined ? { found: false } : { found: true, label, by: 'range' };
}

/** Releases sort above pre-releases, numbers above names, and names alphabetically. */
function latestOf(ordered: readonly string[]): VersionVerdict {
  const release = ordered.findLast((label) => numbersOf(label) !== null && !isPrerelease(label));
  const label = release ?? ordered.at(-1);
  if (label === undefined) return { found: false };
  return { found: true, label, by: ordered.length === 1 ? 'only' : 'latest' };
}

/** `v3.11.2` is [3, 11, 2]; null for a label that does not start with a number. */
function numbersOf(label: string): readonly number[] | null {
  const match = /^v?(\d{1,9}(?:\.\d{1,9}){0,5})/.exec(label);
  return match === null ? null : (match[1] ?? '').split('.').map(Number);
}

function isPrerelease(label: string): boolean {
  return /\d-?(?:a|alpha|b|beta|rc|pre|dev|next|canary)/i.test(label);
}

export function compareVersions(left: string, right: string): number {
  const [a, b] = [numbersOf(left), numbersOf(right)];
  if (a === null || b === null) return Number(a !== null) - Number(b !== null) || compareText(left, right);
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(isPrerelease(right)) - Number(isPrerelease(left)) || compareText(left, right);
}

type Test = (label: string) => boolean;

/** `3`, `3.x`, `3.2.*`, `^3.2`, `~3.2`, `>=3.1`, `>=3 <4`; null for anything else. */
function parseRange(text: string): Test | null {
  const tests = text.split(/\s+/).slice(0, 8).map(parseComparator);
  if (tests.some((test) => test === null)) return null;
  return (label) => tests.every((test) => test?.(label) ?? false);
}

function parseComparator(text: string): Test | null {
  const match = /^(\^|~|>=|<=|>|<|=)?v?(\d{1,9}(?:\.\d{1,9}){0,5})(?:\.[x*])?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', number = ''] = match;
  const shown = number.split('.');
  switch (sign) {
    case '>=':
      return (label) => compareVersions(label, number) >= 0;
    case '<=':
      return (label) => compareVersions(label, number) <= 0 || startsWith(label, shown);
    case '>':
      return (label) => compareVersions(label, number) > 0 && !startsWith(label, shown);
    case '<':
      return (label) => compareVersions(label, number) < 0;
    case '^':
      return (label) => compareVersions(label, number) >= 0 && startsWith(label, shown.slice(0, fixedBy(shown)));
    case '~':
      return (label) => compareVersions(label, number) >= 0 && startsWith(label, shown.slice(0, 2));
    default:
      return (label) => startsWith(label, shown);
  }
}

/** How many numbers a caret keeps: up to the first that is not zero, as `^0.28.1` stays below 0.29. */
function fixedBy(shown: readonly string[]): number {
  const first = shown.findIndex((number) => Number(number) !== 0);
  return first === -1 ? shown.length : first + 1;
}

function startsWith(label: string, shown: readonly string[]): boolean {
  const numbers = numbersOf(label);
  return numbers !== null && shown.every((number, at) => numbers[at] === Number(number));
}
