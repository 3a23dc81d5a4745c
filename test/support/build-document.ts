// Builds the hostile documents from their generators and verifies them against the listed size and hash.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

type Part =
  | { readonly lit: string }
  | { readonly rep: string; readonly n: number }
  | { readonly seq: string; readonly from: number; readonly to: number }
  | { readonly b64: string };

export interface HostileDocument {
  readonly id: string;
  readonly type: 'html' | 'md' | 'json' | 'sitemap' | 'llms' | 'bin' | 'zip';
  readonly gen: readonly Part[];
  readonly expect: string;
  readonly bytes: number;
  readonly sha256: string;
}

const cases = new URL('../data/cases/hostile-documents.json', import.meta.url);
export const hostileDocuments = (
  JSON.parse(readFileSync(cases, 'utf8')) as { readonly documents: readonly HostileDocument[] }
).documents;

/** A body that owns its memory, so that it can be transferred to a thread without a copy. */
export function buildDocument({ id, gen, bytes, sha256 }: HostileDocument): Uint8Array<ArrayBuffer> {
  const body = Uint8Array.from(Buffer.concat(gen.map(partOf)));
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  if (body.byteLength !== bytes || hash !== sha256)
    throw new Error(`${id} was built wrong: ${body.byteLength} ${hash}`);
  return body;
}

function partOf(part: Part): Buffer {
  if ('lit' in part) return Buffer.from(part.lit);
  if ('rep' in part) return Buffer.alloc(Buffer.byteLength(part.rep) * part.n, part.rep);
  if ('b64' in part) return Buffer.from(part.b64, 'base64');
  const parts: string[] = [];
  for (let number = part.from; number <= part.to; number += 1) parts.push(part.seq.replaceAll('{i}', String(number)));
  return Buffer.from(parts.join(''));
}
