// What the authors say about the versions in between: sections of migration guides first, then those of changelogs, breaking changes before
// the others.

import { compareVersions } from '../model/version-verdict.ts';
import type { DocumentedApi, DocumentedSection, Location } from './documented-api.ts';

export interface ReleaseNote extends Location {
  readonly heading: string;
  readonly text: string;
}

export const CHANGELOG = /(?:^|\/)(?:change(?:s|log)|history|news|releases?|release[-_]notes|whats[-_]?new)[^/]*$/i;
const MIGRATION = /(?:^|[/_.-])(?:migrat|upgrad|breaking)[^/]*/i;
const MAX_NOTE_CHARS = 1500;

/** `before` and `after` are the labels of the versions. */
export function releaseNotes(
  before: string,
  after: string,
  old: DocumentedApi,
  current: DocumentedApi,
): readonly ReleaseNote[] {
  const known = new Set(old.sections.map(({ text }) => text));
  const isBetween = (version: string): boolean =>
    compareVersions(version, before) > 0 && compareVersions(version, after) <= 0;
  const isAbout = (section: DocumentedSection): boolean => {
    const isGuide = MIGRATION.test(section.path);
    if (section.text === '' || !(isGuide || CHANGELOG.test(section.path))) return false;
    const version = section.headings.map(versionIn).findLast((one) => one !== null) ?? null;
    if (version !== null && isBetween(version)) return true;
    if (!isGuide || known.has(section.text)) return false;
    const targets = versionsNamed(section);
    return targets.length === 0 || targets.some(isBetween);
  };
  const notes = current.sections.filter(isAbout).map((section) => ({ section, rank: rankOf(section) }));
  return notes
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ section }) => {
      const { path, anchor, text } = section;
      return { path, anchor, heading: headingText(section), text: text.slice(0, MAX_NOTE_CHARS) };
    });
}

function rankOf({ path, headings }: DocumentedSection): number {
  if (MIGRATION.test(path)) return 0;
  return headings.some((heading) => /\b(?:breaking|major)\b/i.test(heading)) ? 1 : 2;
}

/** The major versions that a guide is about, as its file and its title name them: `migrating-from-v7-to-v8`. */
function versionsNamed({ path, headings: [title = ''] }: DocumentedSection): readonly string[] {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]{1,8}$/i, '');
  return [...`${file} ${title}`.matchAll(/(?<![a-z\d.])v?(\d{1,3})(?![a-z\d.])/gi)].map(([, major = '']) => major);
}

export function headingText({ headings }: DocumentedSection): string {
  return headings.join(' › ');
}

function versionIn(heading: string): string | null {
  return /(?:^|[^\d.])v?(\d{1,6}\.\d{1,6}(?:\.\d{1,6})?(?:-[a-z][\w.]{0,30})?)/i.exec(heading)?.[1] ?? null;
}
