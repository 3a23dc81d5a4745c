// The Markdown under construction: whole lines, each behind the marks of the lists and quotes it is inside of.

export interface MarkdownLines {
  /** How many lines stand above what is written next. */
  count(): number;
  /** Separates the next block from what is above by one blank line; does nothing at the start of a list item. */
  gap(): void;
  /** Text of one or more lines. Blank lines keep no trailing spaces. */
  write(text: string): void;
  /** Runs `body` with every line behind `rest`, the first one behind `first`. */
  within(first: string, rest: string, body: () => void): void;
  toString(): string;
}

/** Marks deeper than this are left out: the text stays, its indentation stops growing. */
const MAX_MARKS_LENGTH = 40;

interface State {
  readonly parts: string[];
  count: number;
  prefix: string;
  /** Written instead of the prefix on the next line: the bullet of an item. */
  first: string | null;
  /** A blank line is due before the next text, behind these marks: the outermost that were met since it was asked for. */
  gap: string | null;
}

export function markdownLines(): MarkdownLines {
  const state: State = { parts: [], count: 0, prefix: '', first: null, gap: null };
  return {
    count: () => state.count + (state.gap === null ? 0 : 1),
    gap() {
      if (state.count === 0 || state.first !== null) return;
      if (state.gap === null || state.prefix.length < state.gap.length) state.gap = state.prefix;
    },
    write: (text) => write(state, text),
    within: (first, rest, body) => within(state, first, rest, body),
    toString: () => (state.parts.length === 0 ? '' : `${state.parts.join('\n')}\n`),
  };
}

function write(state: State, text: string): void {
  if (state.gap !== null) {
    state.parts.push(state.gap.trimEnd());
    state.count += 1;
    state.gap = null;
  }
  if (state.prefix === '' && state.first === null) {
    state.parts.push(text);
    state.count += 1 + countOf(text, '\n');
    return;
  }
  for (const line of text.split('\n')) {
    const prefix = state.first ?? state.prefix;
    state.first = null;
    state.parts.push(line === '' ? prefix.trimEnd() : prefix + line);
    state.count += 1;
  }
}

function within(state: State, first: string, rest: string, body: () => void): void {
  const { prefix } = state;
  if (prefix.length + rest.length > MAX_MARKS_LENGTH) {
    body();
    return;
  }
  const outerFirst = state.first;
  state.first = (outerFirst ?? prefix) + first;
  state.prefix = prefix + rest;
  const before = state.count;
  body();
  state.prefix = prefix;
  // Where nothing was written the mark is not needed, and an outer one is still due.
  state.first = state.count === before ? outerFirst : null;
  if (state.gap !== null && state.gap.length > prefix.length) state.gap = prefix;
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}
