// The routes and the page of the gazetteer on both databases, by a client that was written from their names; and imports from the disk.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importPlaces } from '../../../src/actions/import-places.ts';
import { actionDeps } from '../../support/run-worker.ts';
import { createDatabase, openTestPostgres, openTestSqlite } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import type { Settings } from '../../support/program.ts';
import { createGazetteerClient } from './gazetteer-client.ts';

/** A line of GeoNames: 19 columns. */
function line(id: number, name: string, fields: Readonly<Record<number, string>>): string {
  const cells = Array.from({ length: 19 }, (_, at) => fields[at] ?? '');
  return [String(id), name, ...cells.slice(2)].join('\t');
}

const city = (id: number, name: string, fields: Readonly<Record<number, string>>): string =>
  line(id, name, { 6: 'P', 7: 'PPL', ...fields });

function geonamesFile(): string {
  const lines = [
    line(3012874, 'Île-de-France', { 6: 'A', 7: 'ADM1', 8: 'FR', 10: '11', 14: '12278210' }),
    city(2988507, 'Paris', { 3: 'Lutetia,Parigi', 8: 'FR', 10: '11', 14: '2138551' }),
    city(4717560, 'Paris', { 8: 'US', 10: 'TX', 14: '24171' }),
    line(1, 'A river', { 6: 'H', 7: 'STM', 8: 'FR' }),
    'not a line of that file',
  ];
  const file = join(temporaryDirectory(), 'places.txt');
  writeFileSync(file, `${lines.join('\r\n')}\r\n`);
  return file;
}

describe.each(['sqlite', 'postgres'] as const)('the gazetteer over HTTP (%s)', (engine) => {
  let server: TestServer;
  let client: ReturnType<typeof createGazetteerClient>;
  let settings: Settings = {};
  let dropDatabase = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const database = engine === 'postgres' ? await createDatabase() : null;
    if (database !== null) dropDatabase = () => database.drop();
    if (database !== null) settings = { PINAKES_DATABASE_URL: database.url };
    server = await startTestServer(settings);
    client = createGazetteerClient(server.url);
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    await dropDatabase();
  });

  test('it answers with zeros while it is empty', async () => {
    expect(await client.summary()).toMatchObject({ countries: 0, regions: 0, cities: 0, names: 0, hubs: 0 });
    expect(await client.places()).toEqual({ total: 0, rows: [] });
    const page = await client.page();
    expect(page).toContain('<dt>countries</dt>');
    expect(page.match(/<dd>0<\/dd>/g)).toHaveLength(6);
  });

  test('a malformed id is a 400 that says what it must be, and an unknown place a 404', async () => {
    for (const id of ['0', '-1', 'x', '1.5']) {
      const { status, text } = await client.status(`place/${id}`);
      expect([id, status]).toEqual([id, 400]);
      expect(text).toContain('positive integer');
    }
    const unknown = await client.status('place/999999');
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('Not found');
  });

  test('what is imported is listed, shown, resolved and on the page', async () => {
    await server.stop();
    server = await startTestServer(settings, async (library) => {
      for (const from of ['countries', geonamesFile()]) await library.call('import_places', { from });
    });
    client = createGazetteerClient(server.url);
    expect(await client.summary()).toMatchObject({ countries: 249, regions: 1, cities: 2 });
    const { total, rows } = await client.places('?q=paris&kind=city&pageSize=1');
    expect([total, rows.length, rows[0]]).toMatchObject([2, 1, { name: 'Paris', country_code: 'FR' }]);
    const paris = await client.place(rows[0]?.id ?? 0);
    expect(paris.parents.map(({ name }) => name)).toEqual(['Île-de-France', 'France']);
    expect(paris.names.map(({ name }) => name)).toEqual(['Paris', 'Lutetia', 'Parigi']);
    expect((await client.resolve('?q=parigi')).map(({ country_code: country }) => country)).toEqual(['FR']);
    const away = await client.resolve(`?q=Paris&url=${encodeURIComponent('https://x.example/us/paris')}`);
    expect(away.map(({ country_code: country }) => country)).toEqual(['US', 'FR']);
    const named = await client.resolve(`?url=${encodeURIComponent('https://x.example/sport/south-africa')}`);
    expect(named.map(({ name }) => name)).toEqual(['South Africa']);
    expect(await client.articles(rows[0]?.id ?? 0)).toEqual([]);
    const page = await client.page('?cc=FR');
    expect(page).toContain('<dd>249</dd>');
    expect(page).toContain('>Paris</a>');
    expect(page).not.toContain('>Somalia</a>');
  });
});

test.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
])('an import counts what it leaves out, can be repeated, and rejects another file (%s)', async (_, open) => {
  const { store, close } = await open({ startDelayMs: 1000 });
  try {
    const file = geonamesFile();
    const imported = { read: 3, ignored: 1, malformed: 1, isTruncated: false };
    expect(await importPlaces.run({ from: file }, actionDeps(store))).toEqual({ ...imported, added: 3 });
    expect(await importPlaces.run({ from: file }, actionDeps(store))).toEqual({ ...imported, added: 0 });
    expect(await store.gazetteer.counts()).toMatchObject({ regions: 1, cities: 2, names: 5 });
    const other = join(temporaryDirectory(), 'other.txt');
    writeFileSync(other, 'one\ttwo\n'.repeat(10));
    await expect(importPlaces.run({ from: other }, actionDeps(store))).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(importPlaces.run({ from: `${other}.none` }, actionDeps(store))).rejects.toMatchObject({
      code: 'files.unreadable',
    });
    expect(await store.verify()).toEqual([]);
  } finally {
    await close();
  }
});
