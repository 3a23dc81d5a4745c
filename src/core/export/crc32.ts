// The checksum of zip archives.

const TABLE = new Uint32Array(256).map((_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export interface Crc32 {
  add(bytes: Uint8Array): void;
  value(): number;
}

export function createCrc32(): Crc32 {
  let crc = 0xffffffff;
  return {
    add(bytes) {
      for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 255] ?? 0);
    },
    value: () => (crc ^ 0xffffffff) >>> 0,
  };
}
