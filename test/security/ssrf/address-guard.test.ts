// The guard at the connection stands alone: it blocks what is blocked even if nothing was checked before.

import { describe, expect, test } from 'vitest';
import { guardPolicy, type GuardSettings } from '../../../src/core/ssrf/guard-policy.ts';
import { unbracketHost, portOf } from '../../../src/core/ssrf/ssrf-verdict.ts';
import { createAddressGuard, type AddressGuard } from '../../../src/fetch/http/address-guard.ts';
import { readCases } from '../../support/read-cases.ts';
import { PUBLIC } from '../../support/guarded-fetch.ts';

interface LiteralCase {
  readonly id: string;
  readonly url: string;
  readonly expect: string;
  readonly reason: string;
}

const { literal } = readCases('ssrf-urls') as { literal: LiteralCase[] };

/** Decided by the text of the URL, not by where it leads. */
const OF_THE_TEXT = new Set(['scheme_not_allowed', 'userinfo_present', 'url_too_long']);
const blocked = literal.filter((one) => one.expect === 'block' && !OF_THE_TEXT.has(one.reason));

const guardWith = (settings: Partial<GuardSettings> = {}, addresses: readonly string[] = [PUBLIC]): AddressGuard =>
  createAddressGuard({
    policy: guardPolicy({ allowCidrs: [], ...settings }),
    resolve: async () => addresses,
    dnsTimeoutMs: 1000,
  });

const ruleFor = (guard: AddressGuard, host: string, port = 80): Promise<string> =>
  guard.admit(host, port).then(
    (addresses) => `admitted to ${addresses.join(' ')}`,
    (error: { rule?: string }) => error.rule ?? 'no rule',
  );

describe('without a check of the URL', () => {
  test.each(blocked.map((one) => [one.id, one] as const))('%s is refused at the connection', async (_, one) => {
    const url = new URL(one.url);
    expect(await ruleFor(guardWith(), unbracketHost(url.hostname), portOf(url))).toBe(one.reason.replaceAll('_', '-'));
  });

  test('most of the cases are among them', () => expect(blocked.length).toBeGreaterThan(110));
});

test('a name with a public address gets the ports of one, although a range is open', async () => {
  const guard = guardWith({ allowCidrs: ['10.0.0.0/8'] });
  expect(await ruleFor(guard, 'docs.example.com', 3000)).toBe('port-not-allowed');
  expect(await ruleFor(guard, 'docs.example.com', 8080)).toBe(`admitted to ${PUBLIC}`);
  const inside = guardWith({ allowCidrs: ['10.0.0.0/8'] }, ['10.0.0.7']);
  expect(await ruleFor(inside, 'docs.example.com', 3000)).toBe('admitted to 10.0.0.7');
  expect(await ruleFor(inside, 'docs.example.com', 5432)).toBe('port-not-allowed');
});

test('a name of an internal network resolves to what is opened, and to nothing else', async () => {
  const settings = { allowCidrs: ['10.0.0.0/8'] };
  expect(await ruleFor(guardWith(settings, ['10.0.0.7']), 'wiki.internal')).toBe('admitted to 10.0.0.7');
  expect(await ruleFor(guardWith(settings, ['192.168.0.7']), 'wiki.internal')).toBe('private');
  expect(await ruleFor(guardWith(settings, [PUBLIC]), 'wiki.internal')).toBe('internal-name');
});

test('localhost is never resolved by DNS', async () => {
  const guard = guardWith({ allowCidrs: ['127.0.0.0/8'] }, [PUBLIC]);
  expect(await ruleFor(guard, 'localhost')).toBe('admitted to 127.0.0.1');
  expect(await ruleFor(guardWith({ allowCidrs: ['127.0.0.0/8', '::1/128'] }), 'a.localhost.')).toBe(
    'admitted to 127.0.0.1 ::1',
  );
});

test('an opened name may not resolve to metadata', async () => {
  const guard = guardWith({ allowHosts: ['docs.corp.example'] }, ['169.254.169.254']);
  expect(await ruleFor(guard, 'docs.corp.example')).toBe('metadata');
});

test('an address with a zone is refused', async () => {
  const guard = guardWith({ allowCidrs: ['::/0', '0.0.0.0/0'] }, ['fe80::1%eth0']);
  expect(await ruleFor(guard, 'zone.example')).toBe('not-an-address');
});
