// Takes the pages that a version already has into a new run, in pieces, so that a recrawl of millions needs no long lock.

import type { RunId } from '../../core/model/run.ts';
import { FOUND_BY } from '../port.ts';
import { hashBytes, hex } from './codec.ts';
import { createTally } from './count.ts';
import { batch, type Engine } from './engine.ts';
import type { OfferDeps } from './offer-urls.ts';

const nextKnown = `select url_key from pages where version_id = $1 and url_key > $2 order by url_key limit $3`;

const takeKnown = batch(
  { url_key: 'bytes' },
  `update frontier set run_id = $2, state = 0, found_by = $3, attempts = 0, crashes = 0, hops = 0, offered_at = now_ms()
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id < $2
   returning frontier.host_id`,
  ['int', 'int', 'int'],
);

/** Returns the key to go on after; null when none is left. */
export async function offerKnown(
  deps: OfferDeps & { readonly engine: Engine },
  run: RunId,
  piece: { readonly after: string | null; readonly limit: number },
): Promise<string | null> {
  const { version } = await deps.facts.ofRun(run);
  return deps.engine.transaction(async (tx) => {
    const keys = await tx.all<{ url_key: Uint8Array }>(nextKnown, [version, hashBytes(piece.after ?? ''), piece.limit]);
    const entered = await tx.each<{ host_id: number }>(
      takeKnown,
      keys.map(({ url_key }) => [url_key]),
      [version, run, FOUND_BY.indexOf('known')],
    );
    const hosts = [...new Set(entered.map((row) => row.host_id))].sort((a, b) => a - b);
    if (hosts.length > 0) await deps.wakeHosts(tx, run, hosts);
    const tally = createTally();
    tally.count(run, 'found', entered.length);
    await tally.write(tx);
    const last = keys.at(-1);
    return last === undefined || keys.length < piece.limit ? null : hex(last.url_key);
  });
}
