// The 512 bytes before each file of a tar archive.

export interface TarHeader {
  readonly name: string;
  readonly size: number;
  /** One character, such as `0` for a file and `2` for a symbolic link. */
  readonly type: string;
}

const CHECKSUM = { at: 148, length: 8 };

/** `end` for a block of zeros; null for anything that is not a header. */
export function tarHeader(block: Uint8Array): TarHeader | 'end' | null {
  if (block.every((byte) => byte === 0)) return 'end';
  const size = octal(block, 124, 12);
  const checksum = octal(block, CHECKSUM.at, CHECKSUM.length);
  if (size === null || checksum === null || checksum !== sumOf(block)) return null;
  const prefix = text(block, 257, 5) === 'ustar' ? text(block, 345, 155) : '';
  const name = text(block, 0, 100);
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, type: String.fromCharCode(block[156] ?? 0) };
}

function text(block: Uint8Array, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
}

function octal(block: Uint8Array, at: number, length: number): number | null {
  const digits = text(block, at, length).trim();
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : null;
}

/** Of all bytes, with the checksum itself read as spaces. */
function sumOf(block: Uint8Array): number {
  let sum = 0;
  block.forEach((byte, at) => {
    sum += at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length ? 0x20 : byte;
  });
  return sum;
}
