// Reads the manifest of a bundle: manifest.json if it exists, otherwise manifest.llm.tsv.

import { cleanText } from '../../extract/decode/clean-text.ts';
import type { Sha256 } from '../../model/hash.ts';
import { decodeUtf8 } from '../../model/decode-utf8.ts';
import type { Manifest, ManifestPage } from './manifest.ts';
import { ManifestJson } from './manifest-json.ts';
import { readManifestTsv } from './manifest-tsv.ts';

const REF = /^c[0-9a-z]{4,8}$/;
const EXTENSION = /^[a-z0-9]{1,8}$/;

/** Null if there is no valid manifest. */
export function readManifest(files: ReadonlyMap<string, Uint8Array>): Manifest | null {
  const json = files.get('manifest.json');
  const tsv = files.get('manifest.llm.tsv');
  if (json === undefined && tsv === undefined) return null;
  const manifest = json === undefined ? readManifestTsv(textOf(tsv)) : fromJson(textOf(json));
  return manifest !== null && manifest.pages.every(hasValidNames) ? manifest : null;
}

function textOf(file: Uint8Array | undefined): string {
  return file === undefined ? '' : decodeUtf8(file);
}

function fromJson(text: string): Manifest | null {
  let parsed: ReturnType<typeof ManifestJson.safeParse>;
  try {
    parsed = ManifestJson.safeParse(
      JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? cleanText(value) : value)),
    );
  } catch {
    return null;
  }
  if (!parsed.success) return null;
  const { name, version, origin, index_id: indexId, files } = parsed.data;
  return { meta: { name, version, origin }, indexId, pages: files.map(toManifestPage) };
}

function toManifestPage(file: ManifestJson['files'][number]): ManifestPage {
  const { path, title, description, language, hash } = file;
  const imageExtension = file.image === null ? null : (file.image.split('.').at(-1) ?? null);
  const chunks = file.chunks.toSorted((left, right) => left.ordinal - right.ordinal);
  return {
    meta: {
      path,
      title,
      description,
      language,
      mediaType: file.media_type,
      hash: hash as Sha256,
      imageExtension,
    },
    chunks: chunks.map(({ ref, id, content_hash, kind, headings, anchor, symbol, address, lines }) => ({
      ref,
      declared: { id, contentHash: content_hash },
      passageKind: kind,
      headings,
      anchor,
      symbol,
      jsonPath: address,
      lines: { first: lines[0], last: lines[1] },
    })),
  };
}

function hasValidNames({ meta, chunks }: ManifestPage): boolean {
  const isHash = /^[0-9a-f]{64}$/.test(meta.hash);
  const hasExtension = meta.imageExtension === null || EXTENSION.test(meta.imageExtension);
  return isHash && hasExtension && chunks.every(({ ref }) => REF.test(ref));
}
