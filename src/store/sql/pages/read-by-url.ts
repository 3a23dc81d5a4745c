// Reads pages in the order of their URLs: as they are listed, or with their headings and chunks, without texts and in two statements
// for any number of pages.

import type { OutlineEntry } from '../../../core/model/document.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import type { OutlinedDocument, Pages, UrlRange } from '../../port/pages.ts';
import { hex } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, singleStatement, type Executor } from '../engine/engine.ts';
import {
  OUTLINED_COLUMNS,
  PAGE_COLUMNS,
  toOutlinedChunk,
  toPage,
  type OutlinedChunkRow,
  type PageRow,
} from './page-row.ts';
import { createFindSymbols } from './symbol-names.ts';

const selectChunks = singleStatement(
  batch(
    { version_id: 'int', url_key: 'bytes' },
    `select ${OUTLINED_COLUMNS}
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

type ReadRange = <Row>(version: VersionId, range: UrlRange) => Promise<Row[]>;

function createReadRange(
  reader: Executor,
  { byCodePoint }: Pick<EngineParts, 'byCodePoint'>,
  select: string,
): ReadRange {
  const url = `pages.url${byCodePoint}`;
  const [fromPrefix, afterUrl] = ['>=', '>'].map(
    (from) =>
      `${select} where pages.version_id = $1 and ${url} ${from} $2 and ${url} < $3 and pages.alias_key is null order by ${url} limit $4`,
  );
  return (version, { prefix, after, limit }) => {
    const isFirst = after === null || after < prefix;
    const values = [version, isFirst ? prefix : after, `${prefix}${AFTER_ALL}`, limit];
    return reader.all((isFirst ? fromPrefix : afterUrl) ?? '', values);
  };
}

export function createReadByUrl(
  reader: Executor,
  parts: Pick<EngineParts, 'byCodePoint'>,
): Pick<Pages, 'byUrl' | 'outlines' | 'symbols'> {
  const readPages = createReadRange(reader, parts, `select ${PAGE_COLUMNS} from pages`);
  const readOutlines = createReadRange(
    reader,
    parts,
    `select pages.url_key, pages.url, pages.title, documents.outline from pages
       join documents on documents.version_id = pages.version_id and documents.url_key = pages.url_key`,
  );
  return {
    symbols: createFindSymbols(reader),
    byUrl: async (version, range) => (await readPages<PageRow>(version, range)).map(toPage),
    async outlines(version, range) {
      const pages = await readOutlines<OutlineRow>(version, range);
      const rows = await reader.each<OutlinedChunkRow>(
        selectChunks,
        pages.map((page) => [version, page.url_key]),
      );
      const chunksOf = Map.groupBy(rows, (row) => hex(row.url_key));
      return pages.map((page) => toOutlined(page, chunksOf.get(hex(page.url_key)) ?? []));
    },
  };
}

function toOutlined(page: OutlineRow, chunks: readonly OutlinedChunkRow[]): OutlinedDocument {
  return {
    url: page.url as PageUrl,
    title: page.title,
    outline: JSON.parse(page.outline) as OutlineEntry[],
    chunks: chunks.toSorted((a, b) => a.ordinal - b.ordinal).map(toOutlinedChunk),
  };
}
