// The extractors of a server: those that run anywhere, and that of PDF, whose library is larger than all of browser mode.

import type { Extractor } from '../core/extract/extractor.ts';
import { portableExtractors } from './formats.ts';
import { pdf } from './pdf/format.ts';

export const serverExtractors: readonly Extractor[] = [...portableExtractors, pdf];
