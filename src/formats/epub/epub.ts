// Books (EPUB 2 and 3): the chapters in reading order, written as the web pages that they are. The cover, the table of
// contents and everything that is not text are left out.

import { pinakesError } from '../../core/model/errors.ts';
import { decodeBody } from '../../core/extract/decode/charset.ts';
import type { Extraction, RawPage } from '../../core/extract/extractor.ts';
import { markupDocument } from '../../core/extract/markup/markup-document.ts';
import {
  dublinCore,
  openPackage,
  pathInPackage,
  type OfficePackage,
} from '../../core/extract/archive/office-package.ts';
import { attribute, childAt, descendants, elementsOf, type XmlElement } from '../../core/extract/markup/xml-tree.ts';
import { decodePercent } from '../../core/text/decode-percent.ts';

export function extractEpub(page: RawPage): Extraction {
  const files = openPackage(page, 'book');
  if (files.paths.includes('META-INF/encryption.xml') && isProtected(files))
    throw pinakesError('extract.encrypted', { url: page.url });
  const container = childAt(files.required('META-INF/container.xml'), 'container', 'rootfiles', 'rootfile');
  const main = attribute(container, 'full-path') ?? '';
  const book = childAt(files.required(main), 'package');
  const html = chaptersOf(page, files, book, main).join('\n');
  return markupDocument(page, { ...dublinCore(childAt(book, 'metadata')), html });
}

/** Fonts may be obfuscated; a book whose text is encrypted cannot be read. */
function isProtected(files: OfficePackage): boolean {
  const references = descendants(files.xml('META-INF/encryption.xml'), 'CipherReference');
  return references.some((reference) => /\.x?html?$/i.test(attribute(reference, 'URI') ?? ''));
}

/** The tree of a page is ten times its size. */
const MAX_BOOK_CHARS = 16 * 1024 * 1024;

function chaptersOf(page: RawPage, files: OfficePackage, book: XmlElement | null, main: string): readonly string[] {
  const folder = main.split('/').slice(0, -1).join('/');
  const items = new Map(elementsOf(childAt(book, 'manifest'), 'item').map((item) => [attribute(item, 'id'), item]));
  const contents = contentsPages(book);
  const chapters: string[] = [];
  let chars = 0;
  const order = new Set(elementsOf(childAt(book, 'spine'), 'itemref').map((item) => attribute(item, 'idref')));
  for (const id of order) {
    const item = items.get(id);
    const href = decodePercent(attribute(item ?? null, 'href') ?? '');
    const isNavigation = (attribute(item ?? null, 'properties') ?? '').split(' ').includes('nav');
    const body = isNavigation || contents.has(href) ? null : files.bytes(pathInPackage(href, folder));
    if (body === null) continue;
    const chapter = bodyOf(decodeBody(body, null));
    chars += chapter.length;
    if (chars > MAX_BOOK_CHARS)
      throw pinakesError('extract.limit', {
        url: page.url,
        reason: `its text has more than ${MAX_BOOK_CHARS} characters`,
      });
    chapters.push(chapter);
  }
  return chapters;
}

/** Pages that EPUB 2 declares as a cover or a table of contents. */
function contentsPages(book: XmlElement | null): ReadonlySet<string> {
  const references = elementsOf(childAt(book, 'guide'), 'reference');
  const dropped = references.filter((reference) => /^(?:toc|cover)$/.test(attribute(reference, 'type') ?? ''));
  return new Set(dropped.map((reference) => decodePercent(attribute(reference, 'href') ?? '').replace(/#.*$/, '')));
}

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/**
 * The body of a chapter as HTML, which has no empty elements such as `<a id="x"/>`. A link to another chapter becomes one
 * to the section in this document.
 */
function bodyOf(xhtml: string): string {
  const start = /<body\b[^>]*>/i.exec(xhtml);
  const from = start === null ? 0 : start.index + start[0].length;
  const end = xhtml.lastIndexOf('</body');
  return xhtml
    .slice(from, end < from ? undefined : end)
    .replace(/<([a-zA-Z][\w:-]*)((?:\s[^<>]*)?)\/>/g, (tag, name: string, rest: string) =>
      VOID.has(name.toLowerCase()) ? tag : `<${name}${rest}></${name}>`,
    )
    .replace(/(\shref\s*=\s*)(["'])(?![a-zA-Z][a-zA-Z0-9+.-]*:)([^"'#<>]*)(#[^"'<>]*)?\2/g, (...match) =>
      match[4] === undefined ? '' : `${String(match[1])}"${String(match[4])}"`,
    );
}
