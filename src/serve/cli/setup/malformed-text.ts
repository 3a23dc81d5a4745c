// A config file of another program that cannot be parsed, with the place where parsing stopped.

export class MalformedText extends Error {
  override readonly name = 'MalformedText';
  /** 1-based. */
  readonly line: number;

  constructor(text: string, at: number, why: string) {
    super(why);
    this.line = text.slice(0, at).split('\n').length;
  }
}

/** Where an entry is: the key that contains the servers, and the name of the entry. */
export type EntryPath = readonly [key: string, name: string];

/** Texts without the entry, the tidiest first. None if there is no such entry. */
export interface Removals {
  readonly ofEntry: readonly string[];
  /** Without the group that contained it, if it contained nothing else. */
  readonly ofGroup: readonly string[];
}

export function lineEnding(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
