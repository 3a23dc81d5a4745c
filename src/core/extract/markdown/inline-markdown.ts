// Inline Markdown: finds code spans, so that nothing inside them is taken for a link, a tag or a comment, and converts
// short texts to plain text.

export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Run {
  readonly at: number;
  readonly length: number;
  readonly paragraph: number;
}

/** In order, not overlapping. A run of backticks closes at the next run of the same length in its paragraph. */
export function codeSpans(text: string): readonly Span[] {
  if (!text.includes('`')) return [];
  const runs = backtickRuns(text);
  const closers = closersOf(runs);
  const spans: Span[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const open = runs[index];
    const closer = closers[index];
    const close = closer === undefined ? undefined : runs[closer];
    if (open === undefined || closer === undefined || close === undefined) continue;
    spans.push({ start: open.at, end: close.at + close.length });
    index = closer;
  }
  return spans;
}

function backtickRuns(text: string): readonly Run[] {
  const runs: Run[] = [];
  let paragraph = 0;
  for (const found of text.matchAll(/`+|\n[ \t]*(?=\n)|\\(?=`)/g)) {
    if (found[0].startsWith('\n')) paragraph += 1;
    else if (found[0] !== '\\') runs.push({ at: found.index, length: found[0].length, paragraph });
    else if (text[found.index - 1] !== '\\') runs.push({ at: found.index + 1, length: -1, paragraph });
  }
  return withoutEscaped(runs);
}

/** An escaped backtick opens nothing: the backslash before it takes one backtick off the run that follows. */
function withoutEscaped(runs: readonly Run[]): readonly Run[] {
  const unescaped: Run[] = [];
  for (const [index, run] of runs.entries()) {
    if (run.length === -1) continue;
    const isEscaped = runs[index - 1]?.length === -1;
    if (!isEscaped) unescaped.push(run);
    else if (run.length > 1) unescaped.push({ ...run, at: run.at + 1, length: run.length - 1 });
  }
  return unescaped;
}

function closersOf(runs: readonly Run[]): ReadonlyArray<number | undefined> {
  const closers = Array.from<number | undefined>({ length: runs.length });
  const nearest = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    if (run === undefined) continue;
    const candidate = nearest.get(run.length);
    if (candidate !== undefined && runs[candidate]?.paragraph === run.paragraph) closers[index] = candidate;
    nearest.set(run.length, index);
  }
  return closers;
}

const MAX_INLINE_CHARS = 1000;

/** The plain text of a heading, a link text or a title. */
export function inlineToPlainText(markdown: string): string {
  const unlinked = markdown.slice(0, MAX_INLINE_CHARS).replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1');
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of codeSpans(unlinked)) {
    parts.push(stripMarkers(unlinked.slice(at, start)), unlinked.slice(start, end).replace(/^`+ ?| ?`+$/g, ''));
    at = end;
  }
  parts.push(stripMarkers(unlinked.slice(at)));
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function stripMarkers(text: string): string {
  return text
    .replace(/<\/?[A-Za-z][^<>]*>/g, '')
    .replace(/(?<![\\\w])(?:\*{1,3}|_{1,3}|~~)(?=\S)|(?<=[^\s\\])(?:\*{1,3}|_{1,3}|~~)(?!\w)/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => ENTITIES.get(name) ?? whole);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', ' '],
  ['#39', "'"],
]);
