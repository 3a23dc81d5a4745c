// What changed between two versions as text, for an agent and for a terminal.

import type { z } from 'zod';
import type { compareSourceVersions } from '../../actions/compare-versions.ts';
import { cleanLine } from '../../core/extract/decode/clean-text.ts';
import { fenceFor } from '../../core/markdown/code-fence.ts';
import { sourceLabel } from '../../core/model/source-name.ts';

type Diff = z.output<typeof compareSourceVersions.output>;

/** With `isFenced`, what authors wrote at length is inside a fence, which nothing in it can close. */
export function diffText(diff: Diff, { isFenced }: { readonly isFenced: boolean }): string {
  const { source, before, after, isTruncated, isPartial } = diff;
  const lists: ReadonlyArray<readonly [string, keyof Diff['counts'], readonly string[]]> = [
    ['Lines that break', 'uses', diff.uses.map(useLine)],
    ['Removed', 'removed', diff.removed.map(({ symbol, signature }) => labeled(symbol, signature))],
    ['Renamed or moved', 'renamed', diff.renamed.map(({ symbol, to }) => `${symbol} -> ${to}`)],
    [
      'Requirements',
      'requirements',
      diff.requirements.map(({ name, before: from, after: to }) => `${name}: ${from ?? 'none'} -> ${to ?? 'none'}`),
    ],
    ['Other defaults', 'defaults', diff.defaults.map((one) => `${one.name}: ${one.before} -> ${one.after}`)],
    ['Deprecated', 'deprecated', diff.deprecated.map(({ symbol, text }) => labeled(symbol, text))],
    ['Other signatures', 'signatures', diff.signatures.map(signatureLine)],
    [
      'Removed sections',
      'sections',
      diff.sections.map(({ heading, to }) => (to === null ? heading : `${heading} -> ${to}`)),
    ],
  ];
  const parts = lists.flatMap(([title, name, lines]) =>
    diff.counts[name] === 0 ? [] : [[titleOf(title, lines.length, diff.counts[name]), ...lines.map(item)].join('\n')],
  );
  const notes = diff.notes.map(({ heading, text }) => `## ${cleanLine(heading)}\n${text.trim()}`);
  if (diff.counts.notes > 0) {
    const text = isFenced && notes.length > 0 ? [fenced(notes.join('\n'))] : notes;
    parts.push([titleOf('Notes', notes.length, diff.counts.notes), ...text].join('\n'));
  }
  const hints = [
    isTruncated ? 'A higher budget shows more.' : '',
    isPartial ? 'A version has more pages than were compared.' : '',
  ].filter((hint) => hint !== '');
  const head = `${sourceLabel(source)}, ${before} to ${after}`;
  return [parts.length === 0 ? `${head}: nothing changed.` : head, ...parts, ...hints].join('\n\n');
}

function fenced(text: string): string {
  const fence = fenceFor(text);
  return `${fence}md\n${text}\n${fence}`;
}

function titleOf(title: string, shown: number, all: number): string {
  if (shown === 0) return `${title}: ${all}, none shown`;
  return shown === all ? `${title} (${all}):` : `${title} (${shown} of ${all}):`;
}

function labeled(name: string, text: string): string {
  return text === '' ? name : `${name}: ${text}`;
}

function item(line: string): string {
  return `- ${cleanLine(line)}`;
}

function useLine({ file, line, symbol, reason }: Diff['uses'][number]): string {
  return `${file}:${line}: ${symbol} ${reason === 'removed' ? 'was removed' : 'takes other arguments'}`;
}

function signatureLine({ symbol, before, after }: Diff['signatures'][number]): string {
  return `${symbol}: ${before === '' ? '(nothing)' : before} -> ${after === '' ? '(nothing)' : after}`;
}
