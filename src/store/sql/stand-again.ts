// Lets folded pages stand again. Their chunks went when they were folded; an empty `made_by` says that they are to be made
// from the stored body.

import type { Run } from '../port.ts';
import type { Tally } from './runs/tally.ts';
import { batch, type Executor } from './engine/engine.ts';

const PAGE_KEY = { url_key: 'bytes' } as const;

const aliases = batch(
  PAGE_KEY,
  `select pages.url_key from pages, {rows} r where pages.version_id = $1 and pages.alias_key = r.url_key`,
  ['int'],
);

const unfold = batch(
  PAGE_KEY,
  `update pages set alias_key = null, made_by = '' from {rows} r where pages.version_id = $1 and pages.url_key = r.url_key and pages.alias_key is not null`,
  ['int'],
);

/** It was asked in this run, did not change, and is no alias any more. */
const settleAsUnchanged = batch(
  PAGE_KEY,
  `update frontier set outcome = 3, target_key = null from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key
     and frontier.state = 3 and frontier.outcome = 6 returning frontier.run_id`,
  ['int'],
);

/** Keys of the pages that are folded into these. */
export async function aliasesOf(tx: Executor, version: number, keys: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const rows = await tx.each<{ url_key: Uint8Array }>(
    aliases,
    keys.map((key) => [key]),
    [version],
  );
  return rows.map(({ url_key }) => url_key);
}

export async function standAgain(tx: Executor, run: Run, keys: readonly Uint8Array[], tally: Tally): Promise<void> {
  const rows = keys.map((key) => [key]);
  await tx.each(unfold, rows, [run.version]);
  const settled = await tx.each<{ run_id: number }>(settleAsUnchanged, rows, [run.version]);
  const ofRun = settled.filter(({ run_id }) => run_id === run.id).length;
  tally.count(run.id, 'moved', -ofRun);
  tally.count(run.id, 'unchanged', ofRun);
}
