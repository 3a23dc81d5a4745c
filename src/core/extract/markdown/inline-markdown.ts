// Finds inline code in a run of Markdown text, so that nothing inside it is taken for a link, a tag or a comment.

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

/** An escaped backtick opens nothing: the marker before it takes one letter off the run that follows. */
function withoutEscaped(runs: readonly Run[]): readonly Run[] {
  const kept: Run[] = [];
  for (const [index, run] of runs.entries()) {
    if (run.length === -1) continue;
    const isEscaped = runs[index - 1]?.length === -1;
    if (!isEscaped) kept.push(run);
    else if (run.length > 1) kept.push({ ...run, at: run.at + 1, length: run.length - 1 });
  }
  return kept;
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
