// PDF: headings by the outline and by size, paragraphs, lists, code and tables with ruling lines, without running heads and
// tables of contents.

import { markupDocument } from '../../core/extract/markup/markup-document.ts';
import type { Extraction, RawPage } from '../../core/extract/extractor.ts';
import { writeFlow } from '../../core/extract/markup/flow.ts';
import { pinakesError, PinakesError } from '../../core/model/errors.ts';
import type { PdfFile } from 'unpdf';
import { pdfBlocks } from './pdf-blocks.ts';
import { contentLines } from './pdf-layout.ts';
import { createPdfFonts, pdfPageText, type PdfPageContext, type PageText, type PdfLine } from './pdf-lines.ts';
import { readOutline } from './pdf-outline.ts';
import { MAX_OPERATORS } from './pdf-rules.ts';

/** What follows is left out, with a warning. A page takes 5 to 25 ms of CPU time. */
const MAX_PAGES = 2500;
const MAX_LINES = 500_000;
/** Words, or letters where a writer places each of them. */
const MAX_TEXTS = 2_000_000;
const MAX_TEXTS_OF_PAGE = 30_000;

export async function extractPdf(page: RawPage): Promise<Extraction> {
  const file = await openPdf(page);
  try {
    const { pages, broken } = await readPages(page, file);
    const outline = await readOutline(file);
    const lines = contentLines(pages, outline);
    if (!hasText(lines, pages.length)) throw textless(page, pages.length, broken);
    const { info } = await file.getMetadata().catch(() => ({ info: {} as PdfInfo }));
    const html = writeFlow(pdfBlocks(lines, outline));
    const { document, metadata } = markupDocument(page, {
      html,
      title: titleOf(info),
      language: stringOf(info['Language']),
    });
    const left = file.numPages - pages.length;
    return { document, metadata: left > 0 ? { ...metadata, pagesLeftOut: { read: pages.length, left } } : metadata };
  } catch (error) {
    if (error instanceof PinakesError) throw error;
    throw pinakesError('extract.malformed', { url: page.url, as: 'PDF' }, error);
  } finally {
    // Not awaited: a page over its limit was left unread, and its stream would never end.
    file.loadingTask.destroy().catch(() => undefined);
  }
}

type PdfInfo = Readonly<Record<string, unknown>>;

/** No font is loaded and nothing of the file is run. */
const OPTIONS = {
  verbosity: 0,
  isEvalSupported: false,
  disableFontFace: true,
  useSystemFonts: false,
  enableXfa: false,
  // Pictures are not decoded.
  maxImageSize: 1,
  stopAtErrors: false,
};

async function openPdf(page: RawPage): Promise<PdfFile> {
  const { getDocumentProxy } = await import('unpdf');
  try {
    // The library takes the memory of what it is given, and the body is stored with the page.
    return await getDocumentProxy(page.body.slice(), OPTIONS);
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    if (isLocked) throw pinakesError('extract.encrypted', { url: page.url });
    throw pinakesError('extract.malformed', { url: page.url, as: 'PDF' }, error);
  }
}

interface ReadPages {
  readonly pages: ReadonlyArray<readonly PdfLine[]>;
  /** Pages that cannot be read; each costs its own text only. */
  readonly broken: number;
}

/** A file may claim any number of pages. Those that it does not have come one after the other. */
const MAX_BROKEN_IN_A_ROW = 20;

async function readPages(page: RawPage, file: PdfFile): Promise<ReadPages> {
  const pages: Array<readonly PdfLine[]> = [];
  const context = { fonts: createPdfFonts(), operators: { left: MAX_OPERATORS }, maxItems: MAX_TEXTS_OF_PAGE };
  const last = Math.min(file.numPages, MAX_PAGES);
  let [lines, texts, broken, inARow] = [0, 0, 0, 0];
  while (pages.length < last && inARow < MAX_BROKEN_IN_A_ROW) {
    const found = (await readPage(file, pages.length + 1, context)) ?? NO_TEXT;
    pages.push(found.lines);
    inARow = found === NO_TEXT ? inARow + 1 : 0;
    broken += Math.min(1, inARow);
    lines += found.lines.length;
    texts += found.items;
    if (found.items > MAX_TEXTS_OF_PAGE)
      throw tooLarge(page, `more than ${MAX_TEXTS_OF_PAGE} texts on page ${pages.length}`);
    if (lines > MAX_LINES || texts > MAX_TEXTS) throw tooLarge(page, `more than ${MAX_LINES} lines`);
  }
  return { pages, broken };
}

const NO_TEXT: PageText = { lines: [], items: 0 };

async function readPage(file: PdfFile, number: number, context: PdfPageContext): Promise<PageText | null> {
  try {
    const one = await file.getPage(number);
    const found = await pdfPageText(one, number, context);
    one.cleanup();
    return found;
  } catch {
    return null;
  }
}

/** All pages are pictures, or none could be read. */
function textless({ url }: RawPage, pages: number, broken: number): Error {
  if (broken > pages / 2) return pinakesError('extract.malformed', { url, as: 'PDF' });
  return pinakesError('extract.scanned', { url, pages });
}

function tooLarge(page: RawPage, reason: string): Error {
  return pinakesError('extract.limit', { url: page.url, reason });
}

/** A scanned page has no letters, or those of a stamp. */
const MIN_LETTERS = 10;

function hasText(lines: readonly PdfLine[], pages: number): boolean {
  let letters = 0;
  for (const { text } of lines) letters += text.replace(/[^\p{L}\p{N}]/gu, '').length;
  return letters >= Math.min(MIN_LETTERS * pages, 500) || (letters > 0 && pages === 1);
}

/** Programs write the name of a file where a title belongs. */
function titleOf(info: PdfInfo): string | null {
  const title = stringOf(info['Title']);
  return title === null || /\.(?:dvi|tex|docx?|indd|pdf|qxd)$|^untitled/i.test(title) ? null : title;
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 300 ? value.trim() : null;
}
