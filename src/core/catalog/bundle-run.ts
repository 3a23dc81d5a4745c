// The settings of a run that reads the bundle of a catalogue instead of an archive.

import { fieldOf } from '../extract/data/json-fields.ts';

export function bundleRunSettings(sha256: string): { readonly bundle: string } {
  return { bundle: sha256 };
}

/** The SHA-256 of the bundle; null for any other run. */
export function readBundleRun(settings: Readonly<Record<string, unknown>>): string | null {
  const bundle = fieldOf(settings, 'bundle');
  return typeof bundle === 'string' ? bundle : null;
}
