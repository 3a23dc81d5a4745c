// IP addresses as bytes. Every check is made on these, never on text.

export interface IpAddress {
  readonly family: 4 | 6;
  /** 4 or 16 bytes. */
  readonly bytes: Uint8Array;
}

export interface IpRange extends IpAddress {
  readonly prefix: number;
}

/**
 * Parses the canonical forms: four decimal numbers, or RFC 4291 groups. Legacy forms (`0x7f.1`) are not supported, because
 * the URL parser has already converted them. A zone (`fe80::1%eth0`) is not an address.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const bytes = text.includes(':') ? parseGroups(text) : parseQuad(text);
  return bytes === null ? null : { family: bytes.length === 4 ? 4 : 6, bytes };
}

export function parseIpRange(text: string): IpRange | null {
  const slash = text.indexOf('/');
  const address = parseIpAddress(slash === -1 ? text : text.slice(0, slash));
  if (address === null) return null;
  const widest = address.bytes.length * 8;
  const prefix = slash === -1 ? widest : decimal(text.slice(slash + 1), widest);
  return prefix === null ? null : { ...address, prefix };
}

export function inRange(address: IpAddress, range: IpRange): boolean {
  if (address.family !== range.family) return false;
  const whole = range.prefix >> 3;
  for (let i = 0; i < whole; i++) if (address.bytes[i] !== range.bytes[i]) return false;
  const rest = range.prefix & 7;
  if (rest === 0) return true;
  const mask = (0xff << (8 - rest)) & 0xff;
  return ((address.bytes[whole] ?? 0) & mask) === ((range.bytes[whole] ?? 0) & mask);
}

/** Whether the range contains this address and nothing else. */
export function isExactly(address: IpAddress, range: IpRange): boolean {
  return range.prefix === range.bytes.length * 8 && inRange(address, range);
}

function parseQuad(text: string): Uint8Array | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  const bytes = new Uint8Array(4);
  for (let i = 0; i < 4; i++) {
    const value = decimal(parts[i] ?? '', 255);
    if (value === null) return null;
    bytes[i] = value;
  }
  return bytes;
}

function parseGroups(text: string): Uint8Array | null {
  if (text.length > 45) return null;
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = groupBytes(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? groupBytes(halves[1] ?? '', true) : [];
  if (head === null || tail === null) return null;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 2 ? missing < 2 : missing !== 0) return null;
  return Uint8Array.from([...head, ...Array.from({ length: missing }, () => 0), ...tail]);
}

function groupBytes(text: string, last: boolean): number[] | null {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [i, group] of groups.entries()) {
    if (group.includes('.')) {
      const quad = last && i === groups.length - 1 ? parseQuad(group) : null;
      if (quad === null) return null;
      bytes.push(...quad);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(group)) return null;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    }
  }
  return bytes;
}

function decimal(text: string, max: number): number | null {
  if (!/^(0|[1-9]\d{0,2})$/.test(text)) return null;
  const value = Number(text);
  return value <= max ? value : null;
}
