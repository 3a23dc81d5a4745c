// The cursor of a list that is ordered by the hash of a URL: the hash after which it continues.

import { z } from 'zod';

export const PageCursor = z.string().regex(/^[\da-f]{32}$/, 'must be the nextCursor of a previous result');
