// Leaves out what a package loads and nobody here uses. zod brings its messages in 63 languages, a file each: that is a
// third of all files that help would read, and a fifth of its processor time. English comes by another way.

import { registerHooks } from 'node:module';

const TRANSLATIONS = '/zod/v4/locales/index.js';

/** For what is imported from now on: to be called before anything that imports zod. */
export function leaveOutTranslations(): void {
  registerHooks({
    load: (url, context, next) =>
      url.endsWith(TRANSLATIONS) ? { format: 'module', shortCircuit: true, source: 'export {};' } : next(url, context),
  });
}
