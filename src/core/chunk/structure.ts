// Data with keys (JSON, YAML) as nested stretches of its text, read one level at a time: what is not cut is not parsed.

export interface Member {
  /** A name in an object, an index in an array. */
  readonly key: string | number;
  /** Where the member's own text starts. */
  readonly at: number;
  /** The member's stretch; the stretches of all members cover their parent's without a gap. */
  readonly start: number;
  readonly end: number;
}

export interface Structure {
  /** The members of the value at `parent`; null when it is a single value or cannot be read. */
  members(text: string, parent: Member): readonly Member[] | null;
}

/** Members from where each one's own text starts. A member alone on its line takes the line's indent along. */
export function coverParent(
  text: string,
  parent: Member,
  starts: ReadonlyArray<{ readonly key: string | number; readonly at: number }>,
): Member[] {
  const cuts = starts.map(({ at }, index) => (index === 0 ? parent.start : lineStart(text, at)));
  return starts.map(({ key, at }, index) => ({
    key,
    at,
    start: cuts[index] ?? at,
    end: cuts[index + 1] ?? parent.end,
  }));
}

function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && (text.charCodeAt(start - 1) === 0x20 || text.charCodeAt(start - 1) === 0x09)) start -= 1;
  return start === 0 || text.charCodeAt(start - 1) === 0x0a ? start : at;
}

/** `$.name`, `$["other name"]`, `$[3]`. */
export function addressOf(keys: ReadonlyArray<string | number>): string {
  return `$${keys.map(addressStep).join('')}`;
}

function addressStep(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_$][\w$-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
