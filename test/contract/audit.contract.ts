// Store contract: the audit log.

import { expect, test } from 'vitest';
import type { AuditEntry } from '../../src/core/model/audit-entry.ts';
import type { Store } from '../../src/store/port.ts';

const entry = (more: Partial<AuditEntry>): AuditEntry => ({
  principal: 'laptop',
  via: 'http',
  action: 'recrawl_source',
  source: 'guide',
  outcome: 'ok',
  requestId: 'r-1',
  query: null,
  ...more,
});

const ALL = { principal: null, action: null, source: null, outcome: null, before: null, after: null, limit: 10 };

export function auditContract(store: () => Store): void {
  test('entries are listed newest first, and by what they are about', async () => {
    const { audit } = store();
    await audit.append([entry({}), entry({ principal: null, via: 'local', outcome: 'source.unknown' })]);
    await audit.append([]);
    await audit.append([entry({ action: 'create_token', source: null, requestId: null, query: 'words' })]);
    const all = await audit.list(ALL);
    expect(all.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['create_token', 'ok'],
      ['recrawl_source', 'source.unknown'],
      ['recrawl_source', 'ok'],
    ]);
    expect(all[0]).toMatchObject({ principal: 'laptop', source: null, requestId: null, query: 'words' });
    expect(await audit.list({ ...ALL, principal: 'laptop', source: 'guide' })).toHaveLength(1);
    expect(await audit.list({ ...ALL, outcome: 'source.unknown' })).toHaveLength(1);
    expect((await audit.list({ ...ALL, before: all[0]!.id, limit: 1 }))[0]?.id).toBe(all[1]?.id);
  });

  test('old entries are deleted, and recent ones stay', async () => {
    const { audit } = store();
    await audit.append([entry({}), entry({})]);
    expect(await audit.prune(60_000, 10)).toBe(0);
    expect(await audit.prune(-1000, 1)).toBe(1);
    expect(await audit.list(ALL)).toHaveLength(1);
  });
}
