// Text formats of settings: header templates, maximum ages, query parameter rules and port ranges. Without zod, so that the URL
// policies can share them.

import { PAGE_KINDS } from './document.ts';

export const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * A header that a source sends to its own origin. Secrets are referenced by environment variable, as in
 * `Authorization: Bearer {DOCS_TOKEN}`, so the template itself is not secret and can be stored, listed and exported.
 */
export interface HeaderTemplate {
  /** Name in lower case. */
  readonly name: string;
  readonly parts: ReadonlyArray<{ readonly text: string } | { readonly variable: string }>;
}

const HEADER_LINE = /^([A-Za-z][A-Za-z0-9-]{0,63}): ?([\x20-\x7e]{1,2000})$/;
const VARIABLE_REFERENCE = /\{([A-Z][A-Z0-9_]{0,99})\}/;

/** Why the template is invalid; null if it is valid. */
export function headerTemplateProblem(text: string): string | null {
  const template = parseHeaderTemplate(text);
  if (template === null) return 'not a header such as Authorization: Bearer {DOCS_TOKEN}';
  if (template.parts.some((part) => 'variable' in part)) return null;
  return 'a header must reference its secret as an environment variable in braces, as in Authorization: Bearer {DOCS_TOKEN}';
}

export function parseHeaderTemplate(text: string): HeaderTemplate | null {
  const [, name, value] = HEADER_LINE.exec(text) ?? [];
  if (name === undefined || value === undefined) return null;
  // Splitting by a pattern with one group: every second segment is the name of a variable.
  const parts = value
    .split(VARIABLE_REFERENCE)
    .map((segment, i) => (i % 2 === 0 ? { text: segment } : { variable: segment }))
    .filter((part) => !('text' in part) || part.text !== '');
  return { name: name.toLowerCase(), parts };
}

/** How long a stored page counts as fresh: `6h` for every page, `reference=7d` for one page kind. */
export const MAX_AGE = new RegExp(`^(?:(?<kind>${PAGE_KINDS.join('|')})=)?(?<amount>[1-9]\\d{0,4})(?<unit>[mhd])$`);

/** Each age must match MAX_AGE. An age for the page kind overrides the general one; 0 if neither is set. */
export function maxAgeMs(ages: readonly string[], pageKind: string | null): number {
  let defaultMs = 0;
  for (const age of ages) {
    const { kind, amount, unit } = MAX_AGE.exec(age)?.groups ?? {};
    const ms = Number(amount) * UNIT_MS[unit as 'm' | 'h' | 'd'];
    if (kind === undefined) defaultMs = ms;
    else if (kind === pageKind) return ms;
  }
  return defaultMs;
}

/** `drop` strips the parameter and keeps the page; `skip` excludes the URL. */
export type ParameterRule = 'keep' | 'drop' | 'skip';

/** `page=keep`, `sort=drop`, `view=skip`. A name, a prefix ending in `*`, or `*` alone for every parameter not listed. */
export const QUERY_RULE = /^(?<name>[^=&#\s]{1,100})=(?<rule>keep|drop|skip)$/;

/** A host with a port or a range of ports, such as `10.0.0.4:3128-3135` or `[fd00::4]:3128`; null for anything else. */
export function parseListenAddress(
  text: string,
): { readonly host: string; readonly first: number; readonly last: number } | null {
  const [, bracketed, name = bracketed, ports = ''] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9][a-z0-9.-]*)):([\d-]+)$/i.exec(text.trim()) ?? [];
  const range = parsePortRange(ports);
  return name === undefined || range === null ? null : { host: name, ...range };
}

/** `3000` or `21000-21200`, both ends included; null for anything else. */
export function parsePortRange(text: string): { readonly first: number; readonly last: number } | null {
  const [, first = '', last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const range = { first: Number(first), last: Number(last) };
  return range.first >= 1 && range.first <= range.last && range.last <= 65_535 ? range : null;
}

/** A value for people: empty if it is not set. */
export function settingText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => settingText(one)).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
