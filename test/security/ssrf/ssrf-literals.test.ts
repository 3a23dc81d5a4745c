// The literal and policy cases of test/data/cases/ssrf-urls.json.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardPolicy, guardWarnings } from '../../../src/core/ssrf/guard-policy.ts';
import { readCases } from '../../support/read-cases.ts';
import { guardedFetch, PUBLIC, type GuardedFetch } from '../../support/guarded-fetch.ts';

interface LiteralCase {
  readonly id: string;
  readonly category: string;
  readonly url: string;
  readonly expect: 'allow' | 'block' | 'reject_parse';
  readonly reason: string;
  readonly note?: string;
  readonly whatwg: {
    readonly host?: string;
    readonly port?: string;
    readonly protocol?: string;
    readonly error?: string;
  };
}

interface PolicyCase {
  readonly id: string;
  readonly setting: string;
  readonly url: string;
  readonly expected: string;
}

const { literal, policy } = readCases('ssrf-urls') as { literal: LiteralCase[]; policy: PolicyCase[] };

/** Every name of the cases resolves to a public address, so that only the guard can refuse it. */
const names = Object.fromEntries(
  literal.flatMap(({ whatwg }) => (whatwg.host === undefined ? [] : [[whatwg.host, [PUBLIC]]])),
);

describe('a URL', () => {
  let guarded: GuardedFetch;
  beforeAll(async () => {
    guarded = await guardedFetch({ names });
  });
  afterAll(() => guarded.close());

  test.each(literal.map((one) => [one.id, one.category, one] as const))('%s (%s)', async (_, __, one) => {
    const before = guarded.dialled.length;
    const outcome = await guarded.send(one.url);
    const dialled = guarded.dialled.slice(before);

    switch (one.expect) {
      case 'reject_parse':
        expect(outcome).toMatchObject({ kind: 'failed', code: 'url.invalid', retryable: false });
        expect(dialled).toEqual([]);
        break;
      case 'block':
        expect(outcome).toMatchObject({ kind: 'failed', reason: one.reason.replaceAll('_', '-'), retryable: false });
        expect(dialled).toEqual([]);
        break;
      case 'allow':
        expect(outcome).toMatchObject({ kind: 'fetched', status: 200 });
        expectOneHonestRequest(one, guarded);
        break;
    }
    expect(guarded.sentinel.connections()).toBe(0);
  });

  test('each case is run', () => expect(literal).toHaveLength(185));

  test('no name of a blocked case was looked up', () => {
    const blocked = new Set(literal.filter((one) => one.expect !== 'allow').map(({ whatwg }) => whatwg.host));
    const allowed = new Set(literal.filter((one) => one.expect === 'allow').map(({ whatwg }) => whatwg.host));
    expect(guarded.resolved.filter((name) => blocked.has(name) && !allowed.has(name))).toEqual([]);
  });
});

function expectOneHonestRequest(one: LiteralCase, { site, dialled }: GuardedFetch): void {
  const url = new URL(one.url);
  const request = site.requests.at(-1);
  expect(request?.rawHeaders.filter((name) => name.toLowerCase() === 'host')).toHaveLength(1);
  expect(request?.headers.host).toBe(url.host);
  expect(request?.headers).not.toHaveProperty('x-injected');
  expect(request?.url).toBe(url.pathname + url.search);
  // A socket opened for an earlier case of the same origin may have served this one.
  const addresses = dialled.map(({ address }) => address);
  const literalHost = url.hostname.replace(/[[\]]/g, '');
  expect(addresses).toContain(/[a-z]/.test(url.hostname) && !url.hostname.startsWith('[') ? PUBLIC : literalHost);
}

const WIDEST = ['0.0.0.0/0', '::/0'];

describe('a policy', () => {
  const ran = new Set<string>();
  const policyTest = (id: string, run: (one: PolicyCase) => Promise<void>): void => {
    const one = policy.find((candidate) => candidate.id === id);
    ran.add(id);
    test(`${id}: ${one?.setting} → ${one?.expected}`, () => run(one!));
  };

  const addressCase = (id: string, options: Parameters<typeof guardedFetch>[0], allow: boolean): void =>
    policyTest(id, async ({ url }) => {
      const guarded = await guardedFetch(options);
      const outcome = await guarded.send(url);
      if (allow) {
        expect(outcome).toMatchObject({ kind: 'fetched' });
        expect(guarded.dialled).toHaveLength(1);
      } else {
        expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address', retryable: false });
        expect(guarded.dialled).toEqual([]);
      }
      await guarded.close();
    });

  const corp = { names: { 'docs.corp.example': ['10.1.2.3'] }, allowHosts: ['docs.corp.example'] };
  addressCase('policy-01', {}, false);
  addressCase('policy-02', corp, true);
  addressCase('policy-03', corp, false);
  addressCase('policy-04', { allowCidrs: ['10.1.0.0/16'] }, true);
  addressCase('policy-05', { allowCidrs: ['10.1.0.0/16'] }, false);
  addressCase('policy-06', { allowCidrs: WIDEST }, true);
  addressCase('policy-07', { allowCidrs: WIDEST }, false);

  policyTest('policy-08', async () => {
    const ports: number[] = [];
    const guarded = await guardedFetch({ allowCidrs: WIDEST, ownPorts: () => ports });
    ports.push(guarded.sentinel.port);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '127.9.9.9']) {
      const outcome = await guarded.send(`http://${host}:${guarded.sentinel.port}/`);
      expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address', reason: 'own-listener' });
    }
    expect(guarded.dialled).toEqual([]);
    ports.pop();
    expect(await guarded.send(`http://127.0.0.1:${guarded.sentinel.port}/`)).toMatchObject({ kind: 'fetched' });
    await guarded.close();
  });

  policyTest('policy-09', async () => {
    const guarded = await guardedFetch({ allowCidrs: WIDEST, ownPorts: () => [15_432] });
    for (const port of [5432, 15_432, 6379, 22, 0]) {
      const outcome = await guarded.send(`http://127.0.0.1:${port}/`);
      expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address' });
    }
    expect(guarded.dialled).toEqual([]);
    await guarded.close();
  });

  addressCase('policy-10', { allowCidrs: ['169.254.169.254/32'] }, true);
  test('policy-10: the operator is warned at the start, and only if needed', () => {
    expect(guardWarnings(guardPolicy({ allowCidrs: ['169.254.169.254/32'] }))).toHaveLength(1);
    expect(guardWarnings(guardPolicy({ allowCidrs: [...WIDEST, '10.0.0.0/8'] }))).toEqual([]);
  });

  policyTest('policy-11', async () => {
    const guarded = await guardedFetch();
    const request = { allowPrivate: true, allowCidrs: WIDEST, allowHosts: ['10.0.0.5'], dial: null, proxies: null };
    const outcome = await guarded.send('http://10.0.0.5/', request as object);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address', reason: 'private' });
    await guarded.close();
  });

  policyTest('policy-12', async ({ url }) => {
    const guarded = await guardedFetch({ names: { 'wiki.example': ['192.168.1.10'] } });
    for (const target of [url, 'http://wiki.example/']) {
      const outcome = await guarded.send(target);
      expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address' });
      expect(JSON.stringify(outcome)).not.toContain('192.168');
    }
    await guarded.close();
  });

  test('each case is run', () => expect([...ran].toSorted()).toEqual(policy.map(({ id }) => id)));
});
