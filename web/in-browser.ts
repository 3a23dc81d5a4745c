// The browser's entry to core: what a page bundles.

import './without-eval.ts';

export * as core from '../src/core/index.ts';
