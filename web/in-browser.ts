// The browser's entry to core: what a page bundles.

import './without-eval.ts';
import * as core from '../src/core/index.ts';

export { core };
