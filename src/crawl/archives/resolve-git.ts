// Resolves a git source to a commit, and fetches the archive of that commit.

import { archiveUrls, refsUrl } from '../../core/archives/forge-urls.ts';
import { commitOf, isCommitId, parseGitRefs, refSuggestions, type GitCommit } from '../../core/archives/git-refs.ts';
import type { GitReference } from '../../core/archives/git-reference.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import type { ArchiveFetch } from './archive-fetch.ts';

/** The largest repositories list a million refs. */
const MAX_REFS_BYTES = 67_108_864;

/** Sends one request, or none for a commit id. Raises `git.unreachable` or `git.unknown-ref`. */
export async function resolveGit(reference: GitReference, fetchFile: ArchiveFetch): Promise<GitCommit> {
  const { ref } = reference;
  if (ref !== null && isCommitId(ref)) return { kind: 'commit', id: ref };
  const repository = repositoryOf(reference);
  const listed = await fetchFile(refsUrl(reference), { name: repository, maxBytes: MAX_REFS_BYTES });
  if (listed.kind !== 'file') throw pinakesError('git.unreachable', { repository, reason: listed.reason });
  const refs = parseGitRefs(decodeUtf8(listed.body));
  if (refs === null)
    throw pinakesError('git.unreachable', { repository, reason: 'it does not list its refs as git asks for them' });
  const commit = commitOf(refs, ref);
  if (commit !== null) return commit;
  throw pinakesError('git.unknown-ref', { repository, ref: ref === null ? 'HEAD' : refSuggestions(refs, ref) });
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
