// The facts of a bundle from its manifest: manifest.json where it is there, else manifest.llm.tsv.

import type { Sha256 } from '../../model/hash.ts';
import { decodeUtf8 } from '../../model/decode-utf8.ts';
import type { Manifest, ManifestPage } from './manifest.ts';
import { ManifestJson } from './manifest-json.ts';
import { readManifestTsv } from '../read-manifest-tsv.ts';

const REF = /^c[0-9a-z]{4,8}$/;
const ENDING = /^[a-z0-9]{1,8}$/;

/** Null where there is none that can be read. */
export function readManifest(files: ReadonlyMap<string, Uint8Array>): Manifest | null {
  const json = files.get('manifest.json');
  const tsv = files.get('manifest.llm.tsv');
  if (json === undefined && tsv === undefined) return null;
  const manifest = json === undefined ? readManifestTsv(textOf(tsv)) : fromJson(textOf(json));
  return manifest !== null && manifest.pages.every(isNamedWell) ? manifest : null;
}

function textOf(file: Uint8Array | undefined): string {
  return file === undefined ? '' : decodeUtf8(file);
}

function fromJson(text: string): Manifest | null {
  let parsed: ReturnType<typeof ManifestJson.safeParse>;
  try {
    parsed = ManifestJson.safeParse(JSON.parse(text));
  } catch {
    return null;
  }
  if (!parsed.success) return null;
  const { name, version, origin, index_id: indexId, files } = parsed.data;
  return { about: { name, version, origin }, indexId, pages: files.map(pageOf) };
}

function pageOf(file: ManifestJson['files'][number]): ManifestPage {
  const { path, title, description, language, hash } = file;
  const imageEnding = file.image === null ? null : (file.image.split('.').at(-1) ?? null);
  const chunks = file.chunks.toSorted((left, right) => left.ordinal - right.ordinal);
  return {
    facts: { path, title, description, language, mediaType: file.media_type, hash: hash as Sha256, imageEnding },
    chunks: chunks.map(({ ref, id, content_hash, kind, headings, anchor, symbol, address, lines }) => ({
      ref,
      stated: { id, contentHash: content_hash },
      kind,
      headings,
      anchor,
      symbol,
      address,
      lines: { first: lines[0], last: lines[1] },
    })),
  };
}

function isNamedWell({ facts, chunks }: ManifestPage): boolean {
  const isHash = /^[0-9a-f]{64}$/.test(facts.hash);
  const hasEnding = facts.imageEnding === null || ENDING.test(facts.imageEnding);
  return isHash && hasEnding && chunks.every(({ ref }) => REF.test(ref));
}
