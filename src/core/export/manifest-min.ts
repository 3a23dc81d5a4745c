// manifest.min.json (format 4): the same facts as manifest.llm.tsv, for programs that read JSON.

import type { Bundle } from './bundle.ts';
import type { BundleTables } from './bundle-tables.ts';

/** Rows are arrays; docs/formats.md names their places. */
export function manifestMin({ about, indexId }: Bundle, tables: BundleTables): string {
  const files = tables.files.map((file) =>
    trimmed([
      file.directory,
      file.name,
      file.hash,
      file.mediaType,
      file.title,
      file.description,
      file.language,
      file.imageEnding,
    ]),
  );
  const chunks = tables.chunks.map((chunk) =>
    trimmed([
      chunk.ref,
      chunk.file,
      chunk.first,
      chunk.last,
      chunk.kind,
      chunk.heading,
      chunk.anchor,
      chunk.symbol,
      chunk.address,
    ]),
  );
  const { directories, headings, kinds } = tables;
  const json = { format: 4, index_id: indexId, ...about, directories, kinds, headings, files, chunks };
  return `${JSON.stringify(json)}\n`;
}

function trimmed<T>(cells: ReadonlyArray<T | null>): ReadonlyArray<T | null> {
  let length = cells.length;
  while (length > 0 && cells[length - 1] === null) length -= 1;
  return cells.slice(0, length);
}
