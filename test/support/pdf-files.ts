// Small PDF files for tests, written object by object.

/** A text at a position, in Helvetica unless it is code (Courier) or bold. */
export interface PdfText {
  readonly text: string;
  readonly x?: number;
  /** From the bottom of the page, which is 800 high. */
  readonly y: number;
  readonly size?: number;
  readonly isCode?: boolean;
  readonly isBold?: boolean;
}

/** Object 1 is the catalog. */
export type PdfObjects = Readonly<Record<number, string | Uint8Array>>;

export interface Bookmark {
  readonly title: string;
  /** 1-based. */
  readonly page: number;
}

/** Pages of text, and an outline if there are bookmarks. */
export function aPdf(pages: ReadonlyArray<readonly PdfText[]>, bookmarks: readonly Bookmark[] = []): Uint8Array {
  return pdfOf(pdfObjects(pages, bookmarks));
}

const FIRST_PAGE = 10;
const FIRST_BOOKMARK = 5000;

/** The page with number n is object 10 + 2 * (n - 1), and its text the object after it. */
export function pdfObjects(
  pages: ReadonlyArray<readonly PdfText[]>,
  bookmarks: readonly Bookmark[] = [],
): Record<number, string | Uint8Array> {
  const objects: Record<number, string | Uint8Array> = {
    1: `<< /Type /Catalog /Pages 2 0 R ${bookmarks.length > 0 ? '/Outlines 5 0 R' : ''} >>`,
    2: `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${pageObject(at + 1)} 0 R`).join(' ')}] >>`,
    3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    4: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    9: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>',
  };
  for (const [at, texts] of pages.entries()) {
    const number = pageObject(at + 1);
    objects[number] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${number + 1} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 9 0 R >> >> >>`;
    objects[number + 1] = streamOf(drawTexts(texts));
  }
  if (bookmarks.length > 0) {
    objects[5] = `<< /Type /Outlines /First ${FIRST_BOOKMARK} 0 R /Last ${FIRST_BOOKMARK + bookmarks.length - 1} 0 R /Count ${bookmarks.length} >>`;
    for (const [at, { title, page }] of bookmarks.entries()) {
      const next = at + 1 < bookmarks.length ? `/Next ${FIRST_BOOKMARK + at + 1} 0 R` : '';
      objects[FIRST_BOOKMARK + at] =
        `<< /Title (${title}) /Parent 5 0 R ${next} /Dest [${pageObject(page)} 0 R /XYZ 0 800 0] >>`;
    }
  }
  return objects;
}

function pageObject(page: number): number {
  return FIRST_PAGE + 2 * (page - 1);
}

export function drawTexts(texts: readonly PdfText[]): string {
  const lines = texts.map(({ text, x = 50, y, size = 10, isCode = false, isBold = false }) => {
    const escaped = text.replace(/[\\()]/g, '\\$&');
    return `BT /${isCode ? 'F2' : isBold ? 'F3' : 'F1'} ${size} Tf ${x} ${y} Td (${escaped}) Tj ET`;
  });
  return lines.join('\n');
}

/** `entries` are further entries of its dictionary, such as a filter. */
export function streamOf(data: string | Uint8Array, entries = ''): Uint8Array {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** With a table of the positions of the objects, unless it is to be a broken one. `trailer` are further entries of it. */
export function pdfOf(objects: PdfObjects, { trailer = '', startXref }: { trailer?: string; startXref?: number } = {}) {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')];
  const offsets = new Map<number, number>();
  let length = parts[0]?.length ?? 0;
  for (const [number, body] of Object.entries(objects)) {
    const part = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
      Buffer.from('\nendobj\n'),
    ]);
    offsets.set(Number(number), length);
    parts.push(part);
    length += part.length;
  }
  const size = Math.max(...offsets.keys()) + 1;
  const rows = Array.from(offsets, ([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`);
  const end = `xref\n0 1\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\n`;
  parts.push(Buffer.from(`${end}startxref\n${startXref ?? length}\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(parts));
}
