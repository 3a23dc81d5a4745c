// The formats whose code is loaded with their first file. A format is a folder here, and one name in this list.

import type { Extractor } from '../core/extract/extractor.ts';
import { extractors } from '../core/extract/extractors.ts';
import { asciidoc } from './asciidoc/format.ts';
import { epub } from './epub/format.ts';
import { man } from './man/format.ts';
import { docx, odt, pptx } from './office/format.ts';
import { rst } from './rst/format.ts';

/** Each is loaded with its first file, so it is read with `extractAsync`. */
export const formats: readonly Extractor[] = [rst, asciidoc, man, docx, pptx, odt, epub];

/** What runs in any runtime. */
export const portableExtractors: readonly Extractor[] = [...extractors, ...formats];
