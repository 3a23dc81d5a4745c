// A worker that is asked to stop hands back its run, whatever it was doing.

import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { addSite, openCrawler } from '../incremental/crawl.ts';
import { openTestPostgres, openTestSqlite } from '../support/stores.ts';

for (const open of [openTestSqlite, openTestPostgres]) {
  test(`${open.name}: a run that was stopped while its site was asked for robots.txt is free at once`, async () => {
    const { store, close } = await open();
    const deaf = createServer().listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const source = await addSite(store, 'deaf', `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`);
    const crawler = openCrawler(store);
    const asked = once(deaf, 'connection');
    await store.runs.start(source.versions[0]!.id, 'incremental', {});
    const [socket] = await asked;
    await crawler.close();
    expect(await store.runs.lease('the next worker', 1000)).not.toBeNull();
    socket.destroy();
    deaf.close();
    await close();
  });
}
