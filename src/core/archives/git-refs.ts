// Parses the refs of a repository, as a server lists them for `git fetch`, and resolves names to commits.

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

/** Null if the text is not a list of refs. Each line begins with its length, in four hexadecimal digits. */
export function parseGitRefs(text: string): GitRefs | null {
  if (!/^[\da-f]{4}# service=git-upload-pack/.test(text)) return null;
  const refs = new Map<string, string>();
  for (let at = 0; at + 4 <= text.length;) {
    const length = Number.parseInt(text.slice(at, at + 4), 16);
    if (Number.isNaN(length)) return null;
    // 0 ends a section.
    const size = Math.max(length, 4);
    const [line = ''] = text.slice(at + 4, at + size).split(/[\0\n]/, 1);
    const space = line.indexOf(' ');
    const id = line.slice(0, space);
    if (space > 0 && isCommitId(id)) refs.set(line.slice(space + 1), id);
    at += size;
  }
  return refs;
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

const MAX_COMPARED = 5000;

/** For an error: the unknown name, with similar refs of the repository. */
export function refSuggestions(refs: GitRefs, name: string): string {
  const names = [...refs.keys()]
    .slice(-MAX_COMPARED)
    .flatMap((ref) => /^refs\/(?:tags|heads)\/([^^]+)$/.exec(ref)?.[1] ?? []);
  return withSuggestions(name, names);
}
