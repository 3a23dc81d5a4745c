// Store contract: access tokens with their sources, their expiry, their two secrets and their last use.

import { expect, test } from 'vitest';
import type { Store } from '../../src/store/port.ts';
import type { NewToken } from '../../src/store/port/tokens.ts';

const HOUR_MS = 3_600_000;

export const newToken = (name: string, more: Partial<NewToken> = {}): NewToken => ({
  name,
  role: 'read',
  hash: `hash of ${name}`,
  sources: null,
  expiresInMs: null,
  requestsPerMinute: null,
  ...more,
});

export function tokensContract(store: () => Store): void {
  test('a token is found by its hash and keeps its sources', async () => {
    const { tokens } = store();
    expect(await tokens.isAny()).toBe(false);
    const sources = ['npm:*', 'handbook'];
    await tokens.add(newToken('one', { role: 'admin', sources, requestsPerMinute: 5 }));
    await expect(tokens.add(newToken('one', { hash: 'other' }))).rejects.toMatchObject({ code: 'token.exists' });
    expect(await tokens.isAny()).toBe(true);
    expect(await tokens.byHashes(['hash of one', 'unknown'])).toMatchObject([
      { name: 'one', role: 'admin', sources, requestsPerMinute: 5, previous: null, expiresAt: null, lastUsedAt: null },
    ]);
    expect(await tokens.revoke('one')).toBe(true);
    expect(await tokens.revoke('one')).toBe(false);
    expect(await tokens.byHashes(['hash of one'])).toEqual([]);
  });

  test('an expired token opens nothing and is still listed', async () => {
    const { tokens } = store();
    await tokens.add(newToken('past', { expiresInMs: -1 }));
    await tokens.add(newToken('future', { expiresInMs: HOUR_MS }));
    expect((await tokens.byHashes(['hash of past', 'hash of future'])).map(({ name }) => name)).toEqual(['future']);
    expect(await tokens.byName('past')).toBeNull();
    expect((await tokens.byName('future'))?.expiresAt).toBeInstanceOf(Date);
    expect((await tokens.list({ after: null, limit: 10 })).map(({ name }) => name)).toEqual(['future', 'past']);
  });

  test('a rotated token has two secrets for the overlap, and never three', async () => {
    const { tokens } = store();
    await tokens.add(newToken('one', { hash: 'first' }));
    expect(await tokens.rotate('one', 'second', HOUR_MS)).toBe(true);
    const names = async (hash: string) => (await tokens.byHashes([hash])).map(({ name }) => name);
    expect([await names('first'), await names('second')]).toEqual([['one'], ['one']]);
    await tokens.rotate('one', 'third', 0);
    expect([await names('first'), await names('second'), await names('third')]).toEqual([[], [], ['one']]);
    expect(await tokens.rotate('none', 'hash', 0)).toBe(false);
  });

  test('the last use is written once an hour', async () => {
    const { tokens } = store();
    await tokens.add(newToken('one'));
    await tokens.touch('one');
    const first = (await tokens.byName('one'))?.lastUsedAt;
    expect(first).toBeInstanceOf(Date);
    await tokens.touch('one');
    expect((await tokens.byName('one'))?.lastUsedAt).toEqual(first);
  });

  test('tokens are listed by pages, in the order of their names', async () => {
    const { tokens } = store();
    for (const name of ['b', 'A', 'c', 'a-1']) await tokens.add(newToken(name));
    const first = await tokens.list({ after: null, limit: 3 });
    expect(first.map(({ name }) => name)).toEqual(['A', 'a-1', 'b']);
    const next = await tokens.list({ after: 'b', limit: 3 });
    expect(next.map(({ name }) => name)).toEqual(['c']);
  });
}
