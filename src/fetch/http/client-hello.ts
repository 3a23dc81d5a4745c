// The first message of a TLS connection, RFC 8446, section 4.1.2: which protocols a browser offers. For a page or a part of it
// Chromium offers h2 and http/1.1, for a web socket http/1.1 alone.

const HANDSHAKE = 0x16;
const CLIENT_HELLO = 0x01;
const ALPN = 0x00_10;
const MAX_RECORD_BYTES = 16_640;

/** The offered protocols; `incomplete` if more bytes are needed, null if it is not the start of TLS. */
export function offeredProtocols(bytes: Buffer): readonly string[] | 'incomplete' | null {
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE) return null;
  if (bytes.length < 5) return 'incomplete';
  const end = 5 + bytes.readUInt16BE(3);
  if (end > MAX_RECORD_BYTES) return null;
  if (bytes.length < end) return 'incomplete';
  try {
    return protocolsOf(bytes.subarray(5, end));
  } catch (error) {
    // A length that leads out of the message.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function protocolsOf(hello: Buffer): readonly string[] | null {
  if (hello[0] !== CLIENT_HELLO) return null;
  // Type, length, version and random; then session id, ciphers and compression, each with its length.
  let at = 1 + 3 + 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  const end = Math.min(hello.length, at + 2 + hello.readUInt16BE(at));
  at += 2;
  while (at < end) {
    const type = hello.readUInt16BE(at);
    const length = hello.readUInt16BE(at + 2);
    if (type === ALPN) return namesIn(hello.subarray(at + 6, at + 4 + length));
    at += 4 + length;
  }
  return [];
}

function namesIn(list: Buffer): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at < list.length; at += 1 + list.readUInt8(at))
    names.push(list.toString('latin1', at + 1, at + 1 + list.readUInt8(at)));
  return names;
}
