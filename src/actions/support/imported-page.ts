// The field of pages that were imported from a bundle.

import { z } from 'zod';

export const IsImported = z
  .literal(true)
  .optional()
  .describe('The page is from a bundle that claims its URL, and was not fetched; omitted for any other page');
