import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inRange, isExactly, parseIpAddress, parseIpRange, type IpAddress } from './ip-address.ts';

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOf = (text: string): string | null => {
  const address = parseIpAddress(text);
  return address === null ? null : hex(address.bytes);
};

test.each([
  ['1.2.3.4', '01020304'],
  ['255.255.255.255', 'ffffffff'],
  ['::', '00'.repeat(16)],
  ['::1', `${'00'.repeat(15)}01`],
  ['1::', `0001${'00'.repeat(14)}`],
  ['2001:DB8::8:800:200c:417a', '20010db80000000000080800200c417a'],
  ['::ffff:1.2.3.4', `${'00'.repeat(10)}ffff01020304`],
  ['1:2:3:4:5:6:1.2.3.4', '00010002000300040005000601020304'],
  ['1:2:3:4:5:6:7::', '00010002000300040005000600070000'],
])('%s is read', (text, expected) => {
  expect(bytesOf(text)).toBe(expected);
});

const NOT_ADDRESSES = [
  '',
  '1',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '1.2.3.256',
  '1.2.3.-4',
  ' 1.2.3.4',
  '0x1.2.3.4',
  '1.2.3.4/8',
  ':',
  ':::',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1::2::3',
  '12345::',
  'g::',
  '[::1]',
  '1:2:3:4:5:6:7:8::',
  'fe80::1%eth0',
  '::1%',
  '1.2.3.4::',
  '::1.2.3',
  '::1.2.3.4:5',
  '1:2:3:4:5:6:7:1.2.3.4',
  `${'0'.repeat(50)}::`,
];

test.each(NOT_ADDRESSES)('%j is not an address', (text) => {
  expect(parseIpAddress(text)).toBeNull();
});

const v4 = fc.uint8Array({ minLength: 4, maxLength: 4 });
const v6 = fc.uint8Array({ minLength: 16, maxLength: 16 });

test('what the URL parser serialises is parsed to the same bytes', () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6), (bytes) => {
      const groups = hex(bytes).match(/.{4}/g) ?? [];
      const text = bytes.length === 4 ? bytes.join('.') : `[${groups.join(':')}]`;
      const { hostname } = new URL(`http://${text}/`);
      expect(bytesOf(hostname.replace(/[[\]]/g, ''))).toBe(hex(bytes));
    }),
  );
});

test('nothing is parsed as an address that the system would not accept', () => {
  const letters = fc.constantFrom(...'0123456789abcdef:.:.%/x'.split(''));
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 40 }), (text) => {
      if (parseIpAddress(text) !== null) expect(isIP(text)).not.toBe(0);
    }),
    { numRuns: 2000 },
  );
});

test('ranges agree with the system', () => {
  const near = fc.tuple(fc.oneof(v4, v6), fc.nat(128), fc.nat(127));
  fc.assert(
    fc.property(near, ([bytes, prefixSeed, bit]) => {
      const bits = bytes.length * 8;
      const prefix = prefixSeed % (bits + 1);
      const other = bytes.slice();
      const at = bit % bits;
      other[at >> 3] = (other[at >> 3] ?? 0) ^ (0x80 >> (at & 7));
      const family = bytes.length === 4 ? 'ipv4' : 'ipv6';
      const list = new BlockList();
      list.addSubnet(textOf(bytes), prefix, family);
      const range = { family: bytes.length === 4 ? 4 : 6, bytes, prefix } as const;
      const address: IpAddress = { family: range.family, bytes: other };
      // Node takes a prefix of 0 for nothing.
      expect(inRange(address, range)).toBe(prefix === 0 || list.check(textOf(other), family));
    }),
  );
});

function textOf(bytes: Uint8Array): string {
  return bytes.length === 4 ? bytes.join('.') : (hex(bytes).match(/.{4}/g) ?? []).join(':');
}

test('a range is parsed with its prefix, and a bare address is a range of one', () => {
  expect(parseIpRange('10.0.0.0/8')).toMatchObject({ family: 4, prefix: 8 });
  expect(parseIpRange('::1')).toMatchObject({ family: 6, prefix: 128 });
  for (const text of ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/08', 'x/8', '::/129'])
    expect(parseIpRange(text)).toBeNull();
});

test('only the narrowest range is exact', () => {
  const address = parseIpAddress('10.0.0.1')!;
  expect(isExactly(address, parseIpRange('10.0.0.1/32')!)).toBe(true);
  expect(isExactly(address, parseIpRange('10.0.0.0/31')!)).toBe(false);
  expect(isExactly(address, parseIpRange('10.0.0.2/32')!)).toBe(false);
});
