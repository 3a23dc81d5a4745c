// node bench/extract/definitions.ts FOLDER…: the share of the terms with an id in the HTML pages of a folder that become symbols with
// that anchor. Terms are counted by another parser, without the extractor. Entries of a book's index are counted separately.

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Parser } from 'htmlparser2';
import { bundleLimits } from '../../src/core/chunk/chunker.ts';
import { markdownChunker } from '../../src/core/chunk/markdown/markdown-chunker.ts';
import { extractHtml } from '../../src/core/extract/html/extract-html.ts';
import { splitSymbols } from '../../src/core/model/document.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { writeResult } from '../support/write-result.ts';

const MAX_EXAMPLES = 20;

/** DocBook gives such ids to the entries of its index. */
const INDEX_ENTRY = /^ientry-/;

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error('usage: node bench/extract/definitions.ts FOLDER…');
writeResult('definitions', { sites: folders.map(measureSite) });

function measureSite(folder: string) {
  const files = globSync('**/*.html', { cwd: folder }).toSorted();
  const missing: string[] = [];
  let [terms, indexEntries, symbols, chunks] = [0, 0, 0, 0];
  for (const file of files) {
    const html = readFileSync(join(folder, file), 'utf8');
    const document = extractHtml({ url: pageUrl(`https://${basename(folder)}.example/${encodeURI(file)}`), html });
    const result = markdownChunker.chunk(document, bundleLimits);
    const known = new Set(result.chunks.flatMap(({ symbol }) => (symbol === null ? [] : splitSymbols(symbol))));
    const anchors = new Set(
      document.outline.flatMap(({ anchor, definition }) => {
        if (definition === undefined) return [];
        const names = [{ symbol: definition.symbol, anchor }, ...(definition.others ?? [])];
        return names.filter((name) => known.has(name.symbol)).map((name) => name.anchor);
      }),
    );
    const ids = termIds(html);
    const ofIndex = ids.filter((id) => INDEX_ENTRY.test(id));
    terms += ids.length - ofIndex.length;
    indexEntries += ofIndex.length;
    symbols += known.size;
    chunks += result.chunks.length;
    for (const id of ids) if (!INDEX_ENTRY.test(id) && !anchors.has(id)) missing.push(`${file}#${id}`);
  }
  const share = Number((1 - missing.length / terms).toFixed(4));
  const examples = missing.slice(0, MAX_EXAMPLES);
  return { site: basename(folder), pages: files.length, terms, indexEntries, share, symbols, chunks, examples };
}

function termIds(html: string): readonly string[] {
  const ids: string[] = [];
  const parser = new Parser({
    onopentag(name, { id }) {
      if (name === 'dt' && id !== undefined && id !== '') ids.push(id);
    },
  });
  parser.end(html);
  return ids;
}
