// Packs the data of one archive entry. A long text is encoded and packed piece by piece: as a whole it would be in memory
// four times. Pieces have a fixed size, so the result is always the same.

import { Deflate, deflateSync } from 'fflate';
import { createCrc32 } from './crc32.ts';

export interface Packed {
  readonly pieces: readonly Uint8Array[];
  readonly packedSize: number;
  readonly size: number;
  readonly crc: number;
}

const LEVEL = 6;
const PIECE_CHARS = 65_536;

export function packed(data: Uint8Array | string): Packed {
  if (typeof data === 'string' && data.length > PIECE_CHARS) return packedText(data);
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const crc = createCrc32();
  crc.add(bytes);
  const piece = deflateSync(bytes, { level: LEVEL });
  return { pieces: [piece], packedSize: piece.byteLength, size: bytes.byteLength, crc: crc.value() };
}

function packedText(text: string): Packed {
  const pieces: Uint8Array[] = [];
  const crc = createCrc32();
  const encoder = new TextEncoder();
  let packedSize = 0;
  let size = 0;
  const deflate = new Deflate({ level: LEVEL, mem: 6 }, (piece) => {
    packedSize += piece.byteLength;
    pieces.push(piece);
  });
  for (let at = 0; at < text.length;) {
    const end = pieceEnd(text, at);
    const bytes = encoder.encode(text.slice(at, end));
    crc.add(bytes);
    size += bytes.byteLength;
    deflate.push(bytes, end === text.length);
    at = end;
  }
  return { pieces, packedSize, size, crc: crc.value() };
}

/** Never between the two halves of a character. */
function pieceEnd(text: string, start: number): number {
  const end = Math.min(text.length, start + PIECE_CHARS);
  const isHalf = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00;
  return isHalf ? end + 1 : end;
}
