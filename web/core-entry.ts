// The browser entry point of core: what a page bundles.

import './disable-zod-jit.ts';
import * as core from '../src/core/index.ts';

export { core };
