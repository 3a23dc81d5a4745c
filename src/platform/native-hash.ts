// Installs Node's native SHA-256 in the core. Every thread loads its own copy of the core, so each one calls this first.

import { hash } from 'node:crypto';
import { setNativeSha256 } from '../core/model/hash.ts';

export function useNativeHash(): void {
  setNativeSha256((data) => hash('sha256', data));
}
