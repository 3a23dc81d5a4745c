// Webhooks, and the leases under which they are delivered to.

import { pinakesError } from '../../../core/model/errors.ts';
import type { Webhook, WebhookLease, Webhooks } from '../../port/webhooks.ts';
import { dateOf } from '../engine/codec.ts';
import type { Engine, Executor, Value } from '../engine/engine.ts';

const STATE = { active: 0, disabled: 1 } as const;

const COLUMNS = `id, name, url, source, secret, position, message_end, state, created_at, delivered_at, failures, failing_since, last_failure, due_at, fence`;
const insert = `insert into webhooks (name, url, source, secret, position, state, created_at, failures, due_at, fence)
  values ($1, $2, $3, $4, $5, ${STATE.active}, now_ms(), 0, now_ms(), 0) on conflict do nothing returning ${COLUMNS}`;
const selectAll = `select ${COLUMNS} from webhooks order by name`;
const selectSecret = `select secret from webhooks where name = $1`;
const remove = `delete from webhooks where name = $1 returning name`;
const enable = `update webhooks set state = ${STATE.active}, failures = 0, failing_since = null, last_failure = null, due_at = now_ms() where name = $1`;

const IS_DUE = `state = ${STATE.active} and due_at <= now_ms() and position < (select last_change from event_head)
  and (lease_until is null or lease_until <= now_ms())`;
const selectDue = `select id from webhooks where ${IS_DUE} order by due_at, id limit 1`;
const selectUndelivered = `select 1 as one from webhooks where state = ${STATE.active} and failures = 0 and position < (select last_change from event_head) limit 1`;
const takeLease = `update webhooks set worker = $2, lease_until = now_ms() + $3, fence = fence + 1 where id = $1 and ${IS_DUE} returning ${COLUMNS}`;
const HELD = `id = $1 and worker = $2 and fence = $3`;
const begin = `update webhooks set message_end = $4, lease_until = now_ms() + $5 where ${HELD} returning id`;
const deliver = `update webhooks set position = $4, message_end = null, failures = 0, failing_since = null, last_failure = null, delivered_at = now_ms() where ${HELD} returning id`;
const skip = `update webhooks set position = $4, message_end = null where ${HELD} returning id`;
const END_LEASE = `worker = null, lease_until = null`;
const fail = `update webhooks set ${END_LEASE}, failures = failures + 1, failing_since = coalesce(failing_since, now_ms()), last_failure = $4, due_at = now_ms() + $5 where ${HELD}`;
const disable = `update webhooks set ${END_LEASE}, state = ${STATE.disabled}, failures = failures + 1, failing_since = coalesce(failing_since, now_ms()), last_failure = $4 where ${HELD}`;
/** Disables the webhooks of a restored backup: they may have been removed since it was written. */
export const DISABLE_WEBHOOKS = `update webhooks set ${END_LEASE}, state = ${STATE.disabled}, last_failure = 'it is from a backup'`;
const release = `update webhooks set ${END_LEASE} where ${HELD}`;

interface WebhookRow {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly source: string | null;
  readonly secret: string;
  readonly position: number;
  readonly message_end: number | null;
  readonly state: number;
  readonly created_at: number;
  readonly delivered_at: number | null;
  readonly failures: number;
  readonly failing_since: number | null;
  readonly last_failure: string | null;
  readonly due_at: number;
  readonly fence: number;
}

export function createWebhooks(engine: Engine): Webhooks {
  const { reader } = engine;
  // A lost save only means that a message is sent again.
  const save = (statement: string, values: readonly Value[]): Promise<boolean> =>
    engine.transaction(async (tx) => (await tx.all(statement, values)).length > 0, 'later');
  return {
    async add({ name, url, source, secret, position }) {
      const [row] = await engine.transaction((tx) => tx.all<WebhookRow>(insert, [name, url, source, secret, position]));
      if (row === undefined) throw pinakesError('webhook.exists', { name });
      return toWebhook(row);
    },
    list: async () => (await reader.all<WebhookRow>(selectAll)).map(toWebhook),
    remove: (name) => save(remove, [name]),
    async secretOf(name) {
      const [row] = await reader.all<{ secret: string }>(selectSecret, [name]);
      return row?.secret ?? null;
    },
    enable: (name) => engine.transaction(async (tx) => void (await tx.all(enable, [name]))),
    areDue: async () => (await reader.all(selectUndelivered)).length > 0,
    async lease(worker, leaseMs) {
      // Read first: a transaction makes others wait, and nearly always there is nothing to deliver.
      const [due] = await reader.all<{ id: number }>(selectDue);
      return due === undefined ? null : engine.transaction((tx) => leaseWebhook(tx, due.id, worker, leaseMs), 'later');
    },
    begin: (lease, messageEnd, leaseMs) => save(begin, [...held(lease), messageEnd, leaseMs]),
    deliver: (lease, position, wasSent) => save(wasSent ? deliver : skip, [...held(lease), position]),
    fail: async (lease, reason, retryInMs) => void (await save(fail, [...held(lease), reason, retryInMs])),
    disable: async (lease, reason) => void (await save(disable, [...held(lease), reason])),
    release: async (lease) => void (await save(release, held(lease))),
  };
}

function held({ id, worker, fence }: WebhookLease): readonly Value[] {
  return [id, worker, fence];
}

async function leaseWebhook(tx: Executor, id: number, worker: string, leaseMs: number): Promise<WebhookLease | null> {
  const [row] = await tx.all<WebhookRow>(takeLease, [id, worker, leaseMs]);
  if (row === undefined) return null;
  return { id, worker, fence: row.fence, hook: toWebhook(row), secret: row.secret, messageEnd: row.message_end };
}

function toWebhook(row: WebhookRow): Webhook {
  const { name, url, source, position, failures } = row;
  return {
    name,
    url,
    source,
    position,
    state: row.state === STATE.disabled ? 'disabled' : 'active',
    createdAt: new Date(row.created_at),
    deliveredAt: dateOf(row.delivered_at),
    failures,
    failingSince: dateOf(row.failing_since),
    lastFailure: row.last_failure,
    dueAt: new Date(row.due_at),
  };
}
