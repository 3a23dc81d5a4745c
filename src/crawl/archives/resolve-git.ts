// Resolves a git source to a commit, and fetches the archive of that commit.

import { archiveUrls, refsUrl } from '../../core/archives/forge-urls.ts';
import {
  commitOf,
  gitRefsIn,
  isCommitId,
  isGitRefs,
  MAX_COMPARED,
  mayBe,
  refSuggestions,
  type GitCommit,
} from '../../core/archives/git-refs.ts';
import type { GitReference } from '../../core/archives/git-reference.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { yieldToEventLoop } from '../../platform/clock.ts';
import type { ArchiveFetch } from './archive-fetch.ts';

/** About 250,000 refs. HEAD comes first, so it is known whatever follows. */
export const MAX_REFS_BYTES = 16_777_216;

/** Sends one request, or none for a commit id. Raises `git.unreachable` or `git.unknown-ref`. */
export async function resolveGit(reference: GitReference, fetchFile: ArchiveFetch): Promise<GitCommit> {
  const { ref } = reference;
  if (ref !== null && isCommitId(ref)) return { kind: 'commit', id: ref };
  const repository = repositoryOf(reference);
  const listed = await fetchFile(refsUrl(reference), { name: repository, maxBytes: MAX_REFS_BYTES, mayBeCut: true });
  if (listed.kind !== 'file') throw pinakesError('git.unreachable', { repository, reason: listed.reason });
  if (!isGitRefs(listed.body))
    throw pinakesError('git.unreachable', { repository, reason: 'it does not list its refs as git asks for them' });
  const { refs, others } = await findRefs(listed.body, ref);
  const commit = commitOf(refs, ref);
  // A tag of the same name may follow a branch, and is what its name stands for.
  const isKnown = !listed.isCut || ref === null || commit?.kind === 'tag';
  if (!isKnown) throw pinakesError('git.unreachable', { repository, reason: TOO_MANY_REFS });
  if (commit !== null) return commit;
  throw pinakesError('git.unknown-ref', { repository, ref: ref === null ? 'HEAD' : refSuggestions(others, ref) });
}

const TOO_MANY_REFS = `it lists more than ${MAX_REFS_BYTES / 1024 / 1024} MB of refs. Name a commit instead of a branch or a tag`;

const LINES_AT_ONCE = 10_000;

/** What the name may stand for, and the last names of the list. In steps: a list may have a million refs, or millions of lines without one. */
async function findRefs(body: Uint8Array, name: string | null) {
  const refs = new Map<string, string>();
  let others: string[] = [];
  let read = 0;
  for (const line of gitRefsIn(body)) {
    read += 1;
    if (read % LINES_AT_ONCE === 0) await yieldToEventLoop();
    if (line === null) continue;
    const [ref, id] = line;
    if (mayBe(ref, name)) refs.set(ref, id);
    others.push(ref);
    if (others.length >= 2 * MAX_COMPARED) others = others.slice(-MAX_COMPARED);
  }
  return { refs, others };
}

/** Raises `git.unreachable` or `archive.too-large`. */
export async function fetchGitArchive(
  reference: GitReference,
  commit: string,
  { fetchFile, maxBytes }: { readonly fetchFile: ArchiveFetch; readonly maxBytes: number },
): Promise<Uint8Array> {
  const repository = repositoryOf(reference);
  let reason = '';
  for (const url of archiveUrls(reference, commit)) {
    const fetched = await fetchFile(url, { name: repository, maxBytes });
    // A forge of another kind may send a page instead.
    if (fetched.kind === 'file' && isGzip(fetched.body)) return fetched.body;
    reason ||= fetched.kind === 'file' ? 'its host sent a page instead of an archive' : fetched.reason;
    if (fetched.kind === 'failed') break;
  }
  throw pinakesError('git.unreachable', { repository, reason });
}

function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

export function repositoryOf({ origin, project }: GitReference): string {
  return `${origin}/${project}`;
}
