// A page of a bundle as the store keeps it. Its text is put together from its chunks; fences and table headers that were
// repeated where a chunk was cut stay repeated.

import { joinChunks } from '../../core/chunk/join-chunks.ts';
import type { ReadPage } from '../../core/export/bundle/read-bundle.ts';
import type { OutlineEntry } from '../../core/model/document.ts';
import type { Chunk } from '../../core/model/chunk.ts';
import { contentHashOf } from '../../operate/content-hash.ts';
import type { Claim, Outcome } from '../../store/port.ts';
import { storedBody } from '../page/stored-page.ts';

const MADE_BY = 'bundle@1';

export function importedOutcome(claim: Claim, page: ReadPage): Outcome {
  const text = `${joinChunks({ chunks: page.chunks, repeats: [] })}\n`;
  const contentHash = contentHashOf(text);
  if (claim.known?.etag === page.hash && claim.known.contentHash === contentHash && claim.known.madeBy === MADE_BY)
    return { kind: 'unchanged', etag: page.hash, lastModified: null };
  const { title, description, language, mediaType, hash, chunks, image } = page;
  return {
    kind: 'indexed',
    page: {
      title,
      description,
      language,
      mediaType,
      etag: hash,
      lastModified: null,
      contentHash,
      twinHash: null,
      canonical: null,
      text,
      outline: outlineOf(chunks),
      madeBy: MADE_BY,
      facts: { fileHash: hash },
      arrival: {},
      leadsTo: [],
      body: image === null ? null : storedBody(image),
    },
    chunks,
  };
}

/** Each heading where it first stands; a level is how deep it is in the path of its chunk. */
function outlineOf(chunks: readonly Chunk[]): OutlineEntry[] {
  const outline: OutlineEntry[] = [];
  let above: readonly string[] = [];
  for (const { headings, anchor, lines } of chunks) {
    const from = headings.findIndex((heading, depth) => heading !== above[depth]);
    above = headings;
    if (from === -1) continue;
    headings.slice(from).forEach((text, nth) => {
      const level = Math.min(6, from + nth + 1);
      const isLast = from + nth === headings.length - 1;
      outline.push({ level, text, anchor: isLast ? anchor : null, line: lines.first });
    });
  }
  return outline;
}
