// Reads the JSON body of a request, no further than a limit and no deeper than the program can handle.

import { pinakesError } from '../../core/model/errors.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Writing JSON is recursive, so what is deeper than this would fail later and worse. */
const MAX_DEPTH = 100;

/** `mayGoOn` is asked with every piece, and raises where it may not. */
export async function readJsonBody(request: Request, mayGoOn: () => void): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  const text = await readText(request, mayGoOn);
  if (text === '') return {};
  if (type !== 'application/json') throw pinakesError('http.unsupported-body', {});
  if (depthOf(text) > MAX_DEPTH) throw pinakesError('input.invalid', { why: 'the body is nested too deep' });
  try {
    return JSON.parse(text);
  } catch {
    throw pinakesError('input.invalid', { why: 'the body is not valid JSON' });
  }
}

async function readText(request: Request, mayGoOn: () => void): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge();
  if (request.body === null) return '';
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body) {
    mayGoOn();
    size += piece.byteLength;
    if (size > MAX_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function tooLarge(): Error {
  return pinakesError('http.too-large', { limit: MAX_BYTES });
}

/** Brackets outside of strings, at their deepest. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return deepest;
}
