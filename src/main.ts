#!/usr/bin/env node
// The program `pinakes`. The stub must be registered before anything imports zod.

import { registerHooks } from 'node:module';

const ZOD_LOCALES = '/zod/v4/locales/index.js';

/**
 * Skips zod's messages in 63 languages, one file each: a third of all files that help would read, and a fifth of its
 * processor time. English is loaded separately.
 */
registerHooks({
  load: (url, context, next) =>
    url.endsWith(ZOD_LOCALES) ? { format: 'module', shortCircuit: true, source: 'export {};' } : next(url, context),
});
await import('./program.ts');
