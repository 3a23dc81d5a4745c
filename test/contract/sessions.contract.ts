// Store contract: sessions of the dashboard, their rights and their end.

import { expect, test } from 'vitest';
import type { Store } from '../../src/store/port.ts';
import type { NewSession } from '../../src/store/port/sessions.ts';

const HOUR_MS = 3_600_000;

const newSession = (hash: string, more: Partial<NewSession> = {}): NewSession => ({
  hash,
  principal: 'oauth:ada',
  displayName: 'Ada',
  role: 'read',
  sources: null,
  expiresInMs: HOUR_MS,
  ...more,
});

export function sessionsContract(store: () => Store): void {
  test('a session is found by its hash with the rights that it began with', async () => {
    const { sessions } = store();
    const expiresAt = await sessions.add(newSession('one', { role: 'admin', sources: ['npm:*'] }));
    await sessions.add(newSession('two', { sources: [] }));
    expect(await sessions.byHashes(['one', 'unknown', 'two'])).toEqual([
      { hash: 'one', principal: 'oauth:ada', displayName: 'Ada', role: 'admin', sources: ['npm:*'], expiresAt },
      expect.objectContaining({ hash: 'two', role: 'read', sources: [] }),
    ]);
  });

  test('a session that ended or expired is not found', async () => {
    const { sessions } = store();
    for (const hash of ['one', 'two']) await sessions.add(newSession(hash));
    await sessions.add(newSession('past', { expiresInMs: -1 }));
    await sessions.end('one');
    await sessions.end('unknown');
    expect((await sessions.byHashes(['one', 'two', 'past'])).map(({ hash }) => hash)).toEqual(['two']);
  });

  test('a hash belongs to one session', async () => {
    const { sessions } = store();
    await sessions.add(newSession('one'));
    await expect(sessions.add(newSession('one', { principal: 'oauth:eve' }))).rejects.toThrow();
    expect(await sessions.byHashes(['one'])).toMatchObject([{ principal: 'oauth:ada' }]);
  });

  test('expired sessions are deleted when another begins', async () => {
    const { sessions } = store();
    await sessions.add(newSession('past', { expiresInMs: -1 }));
    await sessions.add(newSession('one'));
    // Its hash is free again.
    await sessions.add(newSession('past'));
    expect(await sessions.byHashes(['past'])).toHaveLength(1);
  });
}
