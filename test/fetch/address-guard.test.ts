// The guard at the connection stands alone: it closes what is closed even when nothing was judged before.

import { describe, expect, test } from 'vitest';
import { guardPolicy, type GuardSettings } from '../../src/core/ssrf/guard-policy.ts';
import { bareHost, portOf } from '../../src/core/ssrf/ssrf-verdict.ts';
import { createAddressGuard, type AddressGuard } from '../../src/fetch/http/address-guard.ts';
import { readCases } from '../support/read-cases.ts';
import { PUBLIC } from './guarded-fetch.ts';

interface LiteralCase {
  readonly id: string;
  readonly url: string;
  readonly expect: string;
  readonly reason: string;
}

const { literal } = readCases('ssrf-urls') as { literal: LiteralCase[] };

/** What is a matter of the URL's text, not of where it leads. */
const OF_THE_TEXT = new Set(['scheme_not_allowed', 'userinfo_present', 'url_too_long']);
const blocked = literal.filter((one) => one.expect === 'block' && !OF_THE_TEXT.has(one.reason));

const guardWith = (settings: Partial<GuardSettings> = {}, answers: readonly string[] = [PUBLIC]): AddressGuard =>
  createAddressGuard({
    policy: guardPolicy({ allowCidrs: [], ...settings }),
    resolve: async () => answers,
    dnsTimeoutMs: 1000,
  });

const ruleFor = (guard: AddressGuard, host: string, port = 80): Promise<string> =>
  guard.admit(host, port).then(
    (addresses) => `admitted to ${addresses.join(' ')}`,
    (error: { rule?: string }) => error.rule ?? 'no rule',
  );

describe('without a judgement of the URL', () => {
  test.each(blocked.map((one) => [one.id, one] as const))('%s is refused at the connection', async (_, one) => {
    const url = new URL(one.url);
    expect(await ruleFor(guardWith(), bareHost(url.hostname), portOf(url))).toBe(one.reason.replaceAll('_', '-'));
  });

  test('most of the cases are among them', () => expect(blocked.length).toBeGreaterThan(110));
});

test('a name that leads to a public address has the ports of a public address, although a range is open', async () => {
  const guard = guardWith({ allowCidrs: ['10.0.0.0/8'] });
  expect(await ruleFor(guard, 'docs.example.com', 3000)).toBe('port-not-allowed');
  expect(await ruleFor(guard, 'docs.example.com', 8080)).toBe(`admitted to ${PUBLIC}`);
  const inside = guardWith({ allowCidrs: ['10.0.0.0/8'] }, ['10.0.0.7']);
  expect(await ruleFor(inside, 'docs.example.com', 3000)).toBe('admitted to 10.0.0.7');
  expect(await ruleFor(inside, 'docs.example.com', 5432)).toBe('port-not-allowed');
});

test('a name of an inner network leads to what is opened, and nowhere else', async () => {
  const settings = { allowCidrs: ['10.0.0.0/8'] };
  expect(await ruleFor(guardWith(settings, ['10.0.0.7']), 'wiki.internal')).toBe('admitted to 10.0.0.7');
  expect(await ruleFor(guardWith(settings, ['192.168.0.7']), 'wiki.internal')).toBe('private');
  expect(await ruleFor(guardWith(settings, [PUBLIC]), 'wiki.internal')).toBe('internal-name');
});

test('localhost is never asked of DNS', async () => {
  const guard = guardWith({ allowCidrs: ['127.0.0.0/8'] }, [PUBLIC]);
  expect(await ruleFor(guard, 'localhost')).toBe('admitted to 127.0.0.1');
  expect(await ruleFor(guardWith({ allowCidrs: ['127.0.0.0/8', '::1/128'] }), 'a.localhost.')).toBe(
    'admitted to 127.0.0.1 ::1',
  );
});

test('an opened name may not lead to metadata', async () => {
  const guard = guardWith({ allowHosts: ['docs.corp.example'] }, ['169.254.169.254']);
  expect(await ruleFor(guard, 'docs.corp.example')).toBe('metadata');
});

test('an answer with a zone is refused', async () => {
  const guard = guardWith({ allowCidrs: ['::/0', '0.0.0.0/0'] }, ['fe80::1%eth0']);
  expect(await ruleFor(guard, 'zone.example')).toBe('not-an-address');
});
