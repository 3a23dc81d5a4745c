// The reference targets of a reStructuredText file: targets, substitutions and labels of sections.

import { endOfIndented, isBlank } from '../../core/extract/markup/indented-lines.ts';

export interface RstDefinitions {
  /** Link targets, by their normalized name. */
  readonly targets: ReadonlyMap<string, string>;
  /** Targets of `__` references, in order. */
  readonly anonymous: string[];
  /** Texts of `|name|`. */
  readonly substitutions: ReadonlyMap<string, string>;
  /** Titles of the sections that a label stands before. */
  readonly sectionTitles: ReadonlyMap<string, string>;
}

export function normalizeName(name: string): string {
  return name.replaceAll('\\', '').replace(/^`|`$/g, '').replace(/\s+/g, ' ').trim().toLowerCase();
}

interface Collected {
  readonly targets: Map<string, string>;
  readonly anonymous: string[];
  readonly substitutions: Map<string, string>;
  readonly sectionTitles: Map<string, string>;
}

export function collectDefinitions(lines: readonly string[]): RstDefinitions {
  const collected: Collected = {
    targets: new Map(),
    anonymous: [],
    substitutions: new Map(),
    sectionTitles: new Map(),
  };
  for (const [index, line] of lines.entries()) {
    const text = line.trimStart();
    if (!text.startsWith('.. ') && !text.startsWith('__ ')) continue;
    const [, unnamed] = /^(?:\.\. )?__:? +(\S.*)$/.exec(text) ?? [];
    if (unnamed !== undefined) collected.anonymous.push(unnamed.replaceAll(' ', ''));
    defineTarget(lines, index, text, collected);
    defineSubstitution(lines, index, text, collected);
  }
  return collected;
}

function defineSubstitution(lines: readonly string[], index: number, text: string, { substitutions }: Collected): void {
  const [, name, kind, value = ''] = /^\.\. \|([^|]{1,200})\| +(replace|unicode)::(.*)$/.exec(text) ?? [];
  if (name === undefined) return;
  substitutions.set(name, kind === 'unicode' ? unicodeText(value) : continued(lines, index, value));
}

function defineTarget(lines: readonly string[], index: number, text: string, collected: Collected): void {
  const [, written, target = ''] = /^\.\. _((?:`[^`]{1,500}`|(?:\\:|[^:\n`]){1,500})): *(.*)$/.exec(text) ?? [];
  if (written === undefined) return;
  const name = normalizeName(written);
  const next = lines[index + 1];
  const href = target === '' && indented(next) ? next.trim() : target.trim();
  if (href === '') {
    const title = titleBelow(lines, index + 1);
    if (title !== null) collected.sectionTitles.set(name, title);
  } else
    collected.targets.set(name, href.endsWith('_') ? `_${normalizeName(href.slice(0, -1))}` : href.replaceAll(' ', ''));
}

/** The title of the section that begins below a label, after further labels. */
function titleBelow(lines: readonly string[], from: number): string | null {
  const offset = lines.slice(from, from + 7).findIndex((line) => !isBlank(line) && !line.startsWith('.. _'));
  if (offset === -1) return null;
  const [first = '', second = '', third = ''] = lines.slice(from + offset, from + offset + 3);
  const isOverlined = /^([^\w\s])\1+$/.test(first);
  const title = isOverlined ? second : first;
  return ADORNMENT.test(isOverlined ? third : second) && !isBlank(title) ? title.trim() : null;
}

const ADORNMENT = /^([^\w\s])\1{2,}$/;

function indented(line: string | undefined): line is string {
  return line !== undefined && /^\s+\S/.test(line);
}

function continued(lines: readonly string[], index: number, first: string): string {
  const end = Math.min(index + 20, endOfIndented(lines, index + 1, 1));
  return [first, ...lines.slice(index + 1, end)]
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

/** `0xA9 text` and `U+00A9`. */
function unicodeText(value: string): string {
  return value
    .replace(/ \.\. .*$/, '')
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [, hex] = /^(?:0x|x|\\x|U\+|u|\\u|&#x)([\da-f]{1,6});?$/i.exec(word) ?? [];
      const point = hex === undefined ? Number.NaN : Number.parseInt(hex, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : word;
    })
    .join('');
}
