// A forge on loopback: repositories whose refs and archives it serves over HTTP, in the URL form of one kind of forge.

import { startCountingServer, type RecordedRequest } from './counting-server.ts';
import { packed, type TarEntry } from './tar-archive.ts';

export interface Commit {
  readonly files: Readonly<Record<string, string>>;
  readonly more?: readonly TarEntry[];
  /** Sent as it is, instead of an archive of the files. */
  readonly archive?: Buffer;
  /** What the archive says its commit is. */
  readonly comment?: string;
}

export interface Repository {
  /** By name, such as `refs/tags/v1`: the id of a commit. */
  refs: Record<string, string>;
  commits: Record<string, Commit>;
  /** The value of Authorization; public without it. */
  readonly authorization?: string;
}

export interface Forge {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  readonly repositories: Record<string, Repository>;
  close(): Promise<void>;
}

const ARCHIVES = {
  gitea: /^\/(?<project>.+)\/archive\/(?<commit>[\da-f]{40})\.tar\.gz$/,
  gitlab: /^\/(?<project>.+)\/-\/archive\/(?<commit>[\da-f]{40})\/[^/]+\.tar\.gz$/,
  bitbucket: /^\/(?<project>.+)\/get\/(?<commit>[\da-f]{40})\.tar\.gz$/,
};

export function commitId(digit: string): string {
  return digit.repeat(40);
}

export async function startForge(kind: keyof typeof ARCHIVES = 'gitea'): Promise<Forge> {
  const repositories: Record<string, Repository> = {};
  const server = await startCountingServer((request, response) => {
    const end = (status: number, body: string | Buffer = ''): void => void response.writeHead(status).end(body);
    const { pathname } = new URL(request.url ?? '', 'http://forge');
    const [, ofRefs] = /^\/(.+)\.git\/info\/refs$/.exec(pathname) ?? [];
    const { project, commit } = ARCHIVES[kind].exec(pathname)?.groups ?? {};
    const repository = repositories[ofRefs ?? project ?? ''];
    if (repository === undefined) return end(404);
    const { authorization } = repository;
    if (authorization !== undefined && request.headers.authorization !== authorization) return end(401);
    if (ofRefs !== undefined) return end(200, advertised(repository.refs));
    const found = repository.commits[commit ?? ''];
    if (found === undefined || commit === undefined) return end(404);
    const { files, more = [], archive, comment = commit } = found;
    end(200, archive ?? packed(`repo-${commit.slice(0, 7)}`, files, { comment, more }));
  });
  return { url: `http://127.0.0.1:${server.port}`, requests: server.requests, repositories, close: server.close };
}

/** As `git-upload-pack` advertises refs. */
function advertised(refs: Readonly<Record<string, string>>): string {
  const line = (text: string): string => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;
  const lines = Object.entries(refs).map(([name, id], at) =>
    line(`${id} ${name}${at === 0 ? '\0multi_ack symref=HEAD:refs/heads/main agent=git/2.39' : ''}\n`),
  );
  return `${line('# service=git-upload-pack\n')}0000${lines.join('')}0000`;
}
