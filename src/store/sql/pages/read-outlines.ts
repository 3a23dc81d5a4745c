// Reads the headings and chunks of pages in the order of their URLs, without texts and in two statements for any number of pages.

import type { ChunkId, PassageKind } from '../../../core/model/chunk.ts';
import type { OutlineEntry } from '../../../core/model/document.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { OutlinedDocument, Pages } from '../../port.ts';
import { hashOf, hex } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, singleStatement, type Executor } from '../engine/engine.ts';

const selectChunks = singleStatement(
  batch(
    { version_id: 'int', url_key: 'bytes' },
    `select chunks.url_key, chunks.ordinal, chunks.chunk_id, chunks.passage_kind, chunks.headings, chunks.anchor, chunks.symbol, chunks.first_line, chunks.last_line, chunks.tokens
     from {rows} r {then chunks where chunks.version_id = r.version_id and chunks.url_key = r.url_key}`,
  ),
);

/** After every URL that starts with the prefix before it. */
const AFTER_ALL = '\u{10ffff}';

interface OutlineRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly title: string;
  readonly outline: string;
}

interface OutlinedChunkRow {
  readonly url_key: Uint8Array;
  readonly ordinal: number;
  readonly chunk_id: Uint8Array;
  readonly passage_kind: PassageKind;
  readonly headings: string;
  readonly anchor: string | null;
  readonly symbol: string | null;
  readonly first_line: number;
  readonly last_line: number;
  readonly tokens: number;
}

export function createReadOutlines(
  reader: Executor,
  { byCodePoint }: Pick<EngineParts, 'byCodePoint'>,
): Pages['outlines'] {
  const url = `pages.url${byCodePoint}`;
  const selectOutlines = (from: '>' | '>='): string =>
    `select pages.url_key, pages.url, pages.title, documents.outline from pages
       join documents on documents.version_id = pages.version_id and documents.url_key = pages.url_key
     where pages.version_id = $1 and ${url} ${from} $2 and ${url} < $3 and pages.alias_key is null order by ${url} limit $4`;
  const [fromPrefix, afterUrl] = [selectOutlines('>='), selectOutlines('>')];
  return async (version, { prefix, after, limit }) => {
    const isFirst = after === null || after < prefix;
    const values = [version, isFirst ? prefix : after, `${prefix}${AFTER_ALL}`, limit];
    const pages = await reader.all<OutlineRow>(isFirst ? fromPrefix : afterUrl, values);
    const rows = await reader.each<OutlinedChunkRow>(
      selectChunks,
      pages.map((page) => [version, page.url_key]),
    );
    const chunksOf = Map.groupBy(rows, (row) => hex(row.url_key));
    return pages.map((page) => toOutlined(page, chunksOf.get(hex(page.url_key)) ?? []));
  };
}

function toOutlined(page: OutlineRow, chunks: readonly OutlinedChunkRow[]): OutlinedDocument {
  return {
    url: page.url as PageUrl,
    title: page.title,
    outline: JSON.parse(page.outline) as OutlineEntry[],
    chunks: chunks
      .toSorted((a, b) => a.ordinal - b.ordinal)
      .map((row) => ({
        id: hashOf(row.chunk_id) as ChunkId,
        passageKind: row.passage_kind,
        headings: JSON.parse(row.headings) as string[],
        anchor: row.anchor,
        symbol: row.symbol,
        lines: { first: row.first_line, last: row.last_line },
        tokens: row.tokens,
      })),
  };
}
