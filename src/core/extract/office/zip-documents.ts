// The formats that are zip archives of XML.

import type { Extractor } from '../extractor.ts';
import { docx } from './docx.ts';
import { epub } from './epub.ts';
import { odt } from './odt.ts';
import { pptx } from './pptx.ts';

export const zipDocuments: readonly Extractor[] = [docx, pptx, odt, epub];
