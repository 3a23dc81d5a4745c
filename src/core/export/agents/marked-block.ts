// Replaces our block in a file that belongs to the user, and nothing else: every byte before and after it stays. A file whose
// marks do not pair up is not changed, because what is between them could be the user's.

import { scanBlocks } from '../../markdown/scan-blocks.ts';

export const BLOCK_START = '<!-- pinakes:start (written by `pinakes agents-md`; edits inside are overwritten) -->';
export const BLOCK_END = '<!-- pinakes:end -->';

const START = /^[ \t]*<!--\s*pinakes:start\b[^\n]*-->[ \t]*\r?$/;
const END = /^[ \t]*<!--\s*pinakes:end\b[^\n]*-->[ \t]*\r?$/;

export type BlockVerdict =
  | { readonly kind: 'replaced' | 'added'; readonly text: string }
  | { readonly kind: 'malformed'; readonly reason: string };

interface Mark {
  readonly isStart: boolean;
  /** 1-based. */
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** `before` is the whole file, empty if there is none; the block has no line feed at its end. */
export function replaceBlock(before: string, block: string): BlockVerdict {
  const marks = marksIn(before);
  const reason = fault(marks);
  if (reason !== null) return { kind: 'malformed', reason };
  const lineEnd = usesCrlf(before) ? '\r\n' : '\n';
  const text = block.replaceAll('\n', lineEnd);
  const [start, end] = marks;
  if (start !== undefined && end !== undefined)
    return { kind: 'replaced', text: before.slice(0, start.from) + text + before.slice(end.to) };
  const bare = before.replace(/^\uFEFF/, '');
  const gap = bare === '' ? '' : bare.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
  return { kind: 'added', text: `${before}${gap}${text}${lineEnd}` };
}

function marksIn(text: string): readonly Mark[] {
  if (!text.includes('pinakes:')) return [];
  const code = closedFences(text);
  const marks: Mark[] = [];
  let from = 0;
  text.split('\n').forEach((line, at) => {
    const isStart = START.test(line);
    const isExample = code.some(({ start, end }) => start <= from && from < end);
    if ((isStart || END.test(line)) && !isExample)
      marks.push({ isStart, line: at + 1, from, to: from + line.replace(/\r$/, '').length });
    from += line.length + 1;
  });
  return marks;
}

/** Marks in a code block are an example. An open fence contains the rest of the file, our block with it. */
function closedFences(text: string): ReadonlyArray<{ readonly start: number; readonly end: number }> {
  // The same offsets, with the line ends that the scanner knows.
  const lines = text.replaceAll('\r\n', ' \n');
  const spans = scanBlocks(lines).flatMap(({ code }) => code);
  return spans.filter(({ start, end }) => /\n[ \t>]*(?:`{3,}|~{3,})[ \t]*\n*$/.test(lines.slice(start, end)));
}

function fault(marks: readonly Mark[]): string | null {
  const [first, second, third] = marks;
  if (first === undefined) return null;
  if (!first.isStart) return `line ${first.line} ends a Pinakes block that does not begin`;
  if (second === undefined) return `the Pinakes block that begins in line ${first.line} has no end`;
  if (second.isStart || third !== undefined)
    return `it has more than one Pinakes block, in lines ${first.line} and ${(second.isStart ? second : third)?.line ?? ''}`;
  return null;
}

function usesCrlf(text: string): boolean {
  const lines = text.split('\n').length - 1;
  return lines > 0 && text.split('\r\n').length - 1 > lines / 2;
}
