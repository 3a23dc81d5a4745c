// Registries on loopback that publish given packages: one of npm, a Python index with a simple API in JSON, and a sparse index of crates.

import { createHash } from 'node:crypto';
import { startCountingServer, type RecordedRequest } from './counting-server.ts';
import { packed } from './tar-archive.ts';

type Files = Readonly<Record<string, string>>;

export interface PackageRegistry {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** By name and version. */
  readonly packages: Record<string, Record<string, Files>>;
  readonly tags: Record<string, string>;
  /** The value of Authorization that it requires, if any. */
  authorization: string | null;
  /** Sent instead of an archive, whatever its declared hash is. */
  replaced: Buffer | null;
  /** The archive with this end of its URL is sent once the promise resolves. */
  held: { readonly path: string; readonly until: Promise<void> } | null;
  close(): Promise<void>;
}

export async function startPackageRegistry(): Promise<PackageRegistry> {
  const state = {
    packages: {} as Record<string, Record<string, Files>>,
    tags: {} as Record<string, string>,
    authorization: null as string | null,
    replaced: null as Buffer | null,
    held: null as PackageRegistry['held'],
  };
  const server = await startCountingServer(async (request, response) => {
    if (state.held !== null && request.url?.endsWith(state.held.path) === true) await state.held.until;
    const base = `http://${request.headers.host}`;
    const answer = route(decodeURIComponent(request.url ?? ''), base);
    const isAllowed = state.authorization === null || request.headers.authorization === state.authorization;
    if (!isAllowed) return void response.writeHead(401).end();
    if (answer === null) return void response.writeHead(404).end();
    response.writeHead(200).end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer));
  });

  function route(path: string, base: string): unknown {
    const [, name = '', version = ''] = /^\/files\/(.+)@(.+?)\.(?:tgz|tar\.gz|crate)$/.exec(path) ?? [];
    const files = state.packages[name]?.[version];
    if (files !== undefined) return state.replaced ?? archive(name, version, files);
    if (path === '/cargo/config.json') return { dl: `${base}/files/{crate}@{version}.crate` };
    const [, index, wanted = ''] = /^\/(npm|simple|cargo)\/(.+?)\/?$/.exec(path) ?? [];
    const known = state.packages[index === 'cargo' ? (wanted.split('/').at(-1) ?? '') : wanted];
    if (known === undefined) return null;
    return INDEXES[index as keyof typeof INDEXES](wanted, known, base);
  }

  const INDEXES = {
    npm: (name: string, known: Record<string, Files>, base: string) => ({
      'dist-tags': state.tags,
      versions: Object.fromEntries(
        Object.entries(known).map(([version, files]) => {
          const integrity = `sha512-${createHash('sha512')
            .update(archive(name, version, files))
            .digest('base64')}`;
          return [version, { dist: { tarball: `${base}/files/${name}@${version}.tgz`, integrity } }];
        }),
      ),
    }),
    simple: (name: string, known: Record<string, Files>, base: string) => ({
      files: Object.entries(known).map(([version, files]) => ({
        filename: `${name}-${version}.tar.gz`,
        url: `${base}/files/${name}@${version}.tar.gz`,
        hashes: { sha256: sha256(archive(name, version, files)) },
      })),
    }),
    cargo: (path: string, known: Record<string, Files>) => {
      const name = path.split('/').at(-1) ?? '';
      const lines = Object.entries(known).map(([version, files]) =>
        JSON.stringify({ name, vers: version, cksum: sha256(archive(name, version, files)), yanked: false }),
      );
      return Buffer.from(lines.join('\n'));
    },
  };

  return Object.assign(state, {
    url: `http://127.0.0.1:${server.port}`,
    requests: server.requests,
    close: server.close,
  });
}

function archive(name: string, version: string, files: Files): Buffer {
  return packed(name.includes('-rs') ? `${name}-${version}` : 'package', files);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
