// The formats that are loaded with their first file, where the code may run anywhere.

import { epub } from './epub/format.ts';
import type { Extractor } from './extractor.ts';
import { asciidoc } from './markup/asciidoc/format.ts';
import { man } from './markup/man/format.ts';
import { rst } from './markup/rst/format.ts';
import { docx, odt, pptx } from './office/format.ts';

export const formats: readonly Extractor[] = [rst, asciidoc, man, docx, pptx, odt, epub];
