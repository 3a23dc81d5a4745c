import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ipTextVerdict } from './ip-verdict.ts';
import { guardPolicy } from './guard-policy.ts';
import { SPECIAL_V4 } from './special-ranges.table.ts';

const verdict = (text: string, ...allowCidrs: readonly string[]): string => {
  const checked = ipTextVerdict(text, guardPolicy({ allowCidrs }));
  if (!checked.admit) return checked.reason;
  return checked.allowlisted ? 'opened' : 'public';
};

test('an IPv4 address is public exactly if no registry and no cloud reserves it', () => {
  const closed = new BlockList();
  for (const [range] of SPECIAL_V4) {
    const [address = '', prefix = ''] = range.split('/');
    closed.addSubnet(address, Number(prefix), 'ipv4');
  }
  closed.addAddress('168.63.129.16');
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => {
      expect(verdict(bytes.join('.')) === 'public').toBe(!closed.check(bytes.join('.')));
    }),
    { numRuns: 5000 },
  );
});

test('an IPv6 address outside global unicast is never public', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const text = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16)).join(
        ':',
      );
      if (bytes[0]! >> 5 !== 1) expect(verdict(text)).not.toBe('public');
    }),
  );
});

test('text that is not an address is rejected', () => {
  expect(verdict('fe80::1%eth0', '::/0')).toBe('not-an-address');
  expect(verdict('localhost', '::/0')).toBe('not-an-address');
});

test('a range allows only the addresses in it', () => {
  expect(verdict('10.1.2.3', '10.1.0.0/16')).toBe('opened');
  expect(verdict('10.2.2.3', '10.1.0.0/16')).toBe('private');
  expect(verdict('fd00::1', 'fd00::/8')).toBe('opened');
});

test('metadata is allowed by its exact address only', () => {
  expect(verdict('169.254.169.254', '0.0.0.0/0', '169.254.0.0/16')).toBe('metadata');
  expect(verdict('169.254.169.254', '169.254.169.254/32')).toBe('opened');
  expect(verdict('fd00:ec2::254', '::/0')).toBe('metadata');
});

test('an embedded address is allowed only if both are', () => {
  expect(verdict('64:ff9b::8.8.8.8')).toBe('nat64');
  expect(verdict('64:ff9b::8.8.8.8', '64:ff9b::/96')).toBe('opened');
  expect(verdict('64:ff9b::10.0.0.1', '64:ff9b::/96')).toBe('nat64-embeds-private');
  expect(verdict('64:ff9b::10.0.0.1', '64:ff9b::/96', '10.0.0.0/8')).toBe('opened');
  expect(verdict('::ffff:127.0.0.1', '127.0.0.0/8')).toBe('v4-mapped-loopback');
  expect(verdict('::ffff:169.254.169.254', '::/0', '0.0.0.0/0')).toBe('v4-mapped-link-local');
  expect(verdict('2002:a9fe:a9fe::1', '::/0', '0.0.0.0/0')).toBe('6to4-embeds-link-local');
});
