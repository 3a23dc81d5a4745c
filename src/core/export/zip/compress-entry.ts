// Packs the data of one archive entry. A long text is encoded and packed piece by piece: as a whole it would be in memory
// four times. Pieces have a fixed size, so the result is always the same.

import { Deflate, deflateSync } from 'fflate';
import { createCrc32 } from '../crc32.ts';

export interface Packed {
  readonly pieces: readonly Uint8Array[];
  readonly packedSize: number;
  readonly size: number;
  readonly crc: number;
}

const LEVEL = 6;
const PIECE_CHARS = 65_536;

/** A text may come in pieces of any size. */
export function packed(data: Uint8Array | Iterable<string>): Packed {
  if (data instanceof Uint8Array) return packedBytes(data);
  const pieces = evenPieces(data);
  const first = pieces.next().value ?? '';
  const second = pieces.next().value ?? '';
  const encoder = new TextEncoder();
  if (second === '') return packedBytes(encoder.encode(first));
  return packedText([first, second], pieces);
}

function packedBytes(bytes: Uint8Array): Packed {
  const crc = createCrc32();
  crc.add(bytes);
  const piece = deflateSync(bytes, { level: LEVEL });
  return { pieces: [piece], packedSize: piece.byteLength, size: bytes.byteLength, crc: crc.value() };
}

function packedText(first: readonly string[], rest: Iterable<string>): Packed {
  const pieces: Uint8Array[] = [];
  const crc = createCrc32();
  const encoder = new TextEncoder();
  let packedSize = 0;
  let size = 0;
  const deflate = new Deflate({ level: LEVEL, mem: 6 }, (piece) => {
    packedSize += piece.byteLength;
    pieces.push(piece);
  });
  const add = (text: string): void => {
    const bytes = encoder.encode(text);
    crc.add(bytes);
    size += bytes.byteLength;
    deflate.push(bytes);
  };
  for (const text of first) add(text);
  for (const text of rest) add(text);
  deflate.push(new Uint8Array(), true);
  return { pieces, packedSize, size, crc: crc.value() };
}

/** Cut again at fixed lengths: how a text was put together leaves no trace in the archive. */
function* evenPieces(texts: Iterable<string>): Generator<string, undefined> {
  let waiting: string[] = [];
  let length = 0;
  for (const text of texts) {
    waiting.push(text);
    length += text.length;
    if (length <= PIECE_CHARS) continue;
    const whole = waiting.join('');
    let at = 0;
    for (let end = pieceEnd(whole, at); end < whole.length; end = pieceEnd(whole, at)) {
      yield whole.slice(at, end);
      at = end;
    }
    waiting = [whole.slice(at)];
    length = whole.length - at;
  }
  if (length > 0) yield waiting.join('');
}

/** Never between the two halves of a character. */
function pieceEnd(text: string, start: number): number {
  const end = Math.min(text.length, start + PIECE_CHARS);
  const isHalf = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00;
  return isHalf ? end + 1 : end;
}
