// A consumer of changes that may be killed at any moment: it applies each change in one transaction with its position, and begins where it was.

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '../../../src/client/index.ts';
import { PinakesError } from '../../../src/core/model/errors.ts';
import type { ChangeView } from '../../../src/actions/list-changes.ts';

const { CONSUMER_DB = '', CONSUMER_SERVER = '', CONSUMER_DELAY_MS = '0' } = process.env;

const database = new DatabaseSync(CONSUMER_DB, { timeout: 10_000 });
database.exec(`pragma journal_mode = wal;
  create table if not exists chunks (version_id integer, url text, id text, listing integer, primary key (version_id, url, id));
  create table if not exists seen (position text primary key);
  create table if not exists cursor (one integer primary key, position text, listing integer);
  insert or ignore into cursor values (1, null, 0)`);

function apply(change: ChangeView): void {
  database.exec('begin immediate');
  // A position that was seen before violates the key, and ends this process.
  database.prepare('insert into seen values (?)').run(`${listing()} ${change.position} ${change.kind}`);
  if (change.kind === 'list-end') database.prepare('delete from chunks where listing <> ?').run(listing());
  else {
    const { versionId, url, added, removed } = change;
    const add = database.prepare('insert or replace into chunks values (?, ?, ?, ?)');
    const remove = database.prepare('delete from chunks where version_id = ? and url = ? and id = ?');
    for (const id of removed) remove.run(versionId, url, id);
    for (const id of added) add.run(versionId, url, id, listing());
  }
  database.prepare('update cursor set position = ?').run(change.position);
  database.exec('commit');
}

function listing(): number {
  return (database.prepare('select listing from cursor').get() as { listing: number }).listing;
}

const library = connect({ server: CONSUMER_SERVER });
process.stdout.write('ready\n');
for (;;)
  try {
    const { position } = database.prepare('select position from cursor').get() as { position: string | null };
    for await (const change of library.changes({ since: position ?? undefined })) {
      apply(change);
      process.stdout.write('applied\n');
      if (Number(CONSUMER_DELAY_MS) > 0) await wait(Number(CONSUMER_DELAY_MS));
    }
  } catch (error) {
    if (!(error instanceof PinakesError) || error.code !== 'changes.expired') throw error;
    database.exec('update cursor set position = null, listing = listing + 1');
  }
