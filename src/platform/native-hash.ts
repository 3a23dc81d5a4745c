// Gives the core Node's own SHA-256. Every thread has a core of its own, so each one begins with it.

import { hash } from 'node:crypto';
import { hashWith } from '../core/model/hash.ts';

export function useNativeHash(): void {
  hashWith((data) => hash('sha256', data));
}
