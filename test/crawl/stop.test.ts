// A worker that is stopped releases its run, whatever it was doing.

import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { addSite, openCrawler } from '../incremental/crawl.ts';
import { openTestPostgres, openTestSqlite } from '../support/stores.ts';

for (const open of [openTestSqlite, openTestPostgres]) {
  test(`${open.name}: a run stopped while robots.txt is being fetched is released immediately`, async () => {
    const { store, close } = await open();
    const deaf = createServer().listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const source = await addSite(store, 'deaf', `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`);
    const crawler = openCrawler(store);
    const connected = once(deaf, 'connection');
    await store.runs.start(source.versions[0]!.id, 'incremental', {});
    const [socket] = await connected;
    await crawler.close();
    expect(await store.runs.lease('the next worker', 1000)).not.toBeNull();
    socket.destroy();
    deaf.close();
    await close();
  });
}
