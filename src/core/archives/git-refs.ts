// Parses the refs of a repository, as a server lists them for `git fetch`, and resolves names to commits.

import { decodeUtf8 } from '../text/decode-utf8.ts';
import { withSuggestions } from '../text/edit-distance.ts';

export interface GitCommit {
  /** A branch moves; a tag should not. */
  readonly kind: 'tag' | 'branch' | 'commit';
  readonly id: string;
}

const COMMIT_ID = /^(?:[\da-f]{40}|[\da-f]{64})$/;

export function isCommitId(text: string): boolean {
  return COMMIT_ID.test(text);
}

/** Commit ids by ref name, such as `refs/tags/v1`. An annotated tag has a second name for its commit, which ends in `^{}`. */
export type GitRefs = ReadonlyMap<string, string>;

const HEADER = /^[\da-f]{4}# service=git-upload-pack/;
const HEADER_BYTES = 64;

export function isGitRefs(body: Uint8Array): boolean {
  return HEADER.test(latin1(body, 0, HEADER_BYTES));
}

/**
 * The refs that a list has, in its order, and null for each line that names none, so that a reader of a million lines may pause and keep few.
 * Each line begins with its length, in four hexadecimal digits; a list that breaks off or is damaged ends there.
 */
export function* gitRefsIn(body: Uint8Array): Generator<readonly [name: string, id: string] | null> {
  for (let at = 0; at + 4 <= body.length;) {
    const length = Number.parseInt(latin1(body, at, at + 4), 16);
    if (Number.isNaN(length)) return;
    // 0 ends a section.
    const size = Math.max(length, 4);
    if (at + size > body.length) return;
    const [line = ''] = decodeUtf8(body.subarray(at + 4, at + size)).split(/[\0\n]/, 1);
    const space = line.indexOf(' ');
    const id = line.slice(0, space);
    yield space > 0 && isCommitId(id) ? [line.slice(space + 1), id] : null;
    at += size;
  }
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

/** Whether a ref may be what a name stands for; HEAD if there is no name. */
export function mayBe(ref: string, name: string | null): boolean {
  const plain = ref.endsWith('^{}') ? ref.slice(0, -3) : ref;
  return name === null ? plain === 'HEAD' : plain === `refs/tags/${name}` || plain === `refs/heads/${name}`;
}

/** A tag comes before a branch of the same name. Null if there is neither. */
export function commitOf(refs: GitRefs, name: string | null): GitCommit | null {
  const found = (kind: GitCommit['kind'], ref: string): GitCommit | null => {
    const id = refs.get(`${ref}^{}`) ?? refs.get(ref);
    return id === undefined ? null : { kind, id };
  };
  if (name === null) return found('branch', 'HEAD');
  return found('tag', `refs/tags/${name}`) ?? found('branch', `refs/heads/${name}`);
}

/** Names that an unknown one is compared with. */
export const MAX_COMPARED = 5000;

/** For an error: the unknown name, with similar refs of the repository. */
export function refSuggestions(refs: readonly string[], name: string): string {
  const names = refs.slice(-MAX_COMPARED).flatMap((ref) => /^refs\/(?:tags|heads)\/([^^]+)$/.exec(ref)?.[1] ?? []);
  return withSuggestions(name, names);
}
