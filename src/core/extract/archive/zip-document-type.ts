// Which document a zip archive is: an Office file, a book, or none.

import { PinakesError } from '../../model/errors.ts';
import { readZipDirectory } from './zip-directory.ts';

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
export const ODT = 'application/vnd.oasis.opendocument.text';
export const EPUB = 'application/epub+zip';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** The entries that may be read by their name alone, where the directory of the archive cannot be read. */
export const ZIP_DOCUMENT_TYPES: ReadonlySet<string> = new Set([DOCX, PPTX, ODT, EPUB]);

/** Parts of one document. */
export const MAX_PACKAGE_ENTRIES = 10_000;

/** The media type of a document that is a zip archive; null for any other archive. */
export function zipDocumentType(body: Uint8Array): string | null {
  const declared = declaredType(body);
  if (declared !== null) return declared;
  try {
    const names = new Set(readZipDirectory(body, '', MAX_PACKAGE_ENTRIES).map(({ name }) => name));
    if (names.has('META-INF/container.xml') && !names.has('META-INF/MANIFEST.MF')) return EPUB;
    if (!names.has('[Content_Types].xml')) return null;
    const folders = new Set(Array.from(names, (name) => name.split('/', 1)[0]));
    if (folders.has('word')) return DOCX;
    if (folders.has('ppt')) return PPTX;
    return folders.has('xl') ? XLSX : null;
  } catch (error) {
    if (error instanceof PinakesError) return null;
    throw error;
  }
}

const NAME_AT = 30;
const MAX_TYPE_BYTES = 80;

/** OpenDocument and EPUB begin with a stored entry `mimetype`. */
function declaredType(body: Uint8Array): string | null {
  const head = String.fromCharCode(...body.subarray(NAME_AT, NAME_AT + MAX_TYPE_BYTES));
  return /^mimetype(application\/(?:epub\+zip|vnd\.oasis\.opendocument\.[a-z-]+))/.exec(head)?.[1] ?? null;
}
