// Two stores over one database, as two processes have them, behind one: each call goes to the other one than the call before. What a
// store remembers is wrong as soon as it depends on having made all changes itself.

import type { Store } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import type { StoreSettings } from '../../src/store/sql/create-sql-store.ts';
import { createMigratedDatabase, execute, TEST_SETTINGS, type OpenTestStore, type TestStore } from './stores.ts';

type Part = Readonly<Record<string, unknown>>;

/** Counts of wake-ups are those of one process. */
const OF_ONE_PROCESS: ReadonlySet<string> = new Set(['wakeups']);

export function alternate(stores: readonly [Store, Store]): Store {
  let calls = 0;
  const turn = (): number => (calls += 1) % stores.length;
  const method =
    (parts: readonly Part[], name: string) =>
    (...args: readonly unknown[]): unknown => {
      const { [name]: called } = parts[turn()] ?? {};
      return (called as (...values: readonly unknown[]) => unknown)(...args);
    };
  const merged = (parts: readonly Part[]): Part =>
    Object.fromEntries(
      Object.entries(parts[0] ?? {}).map(([name, value]) => {
        if (typeof value === 'function') return [name, method(parts, name)];
        const isPort = typeof value === 'object' && value !== null && !OF_ONE_PROCESS.has(name);
        return [name, isPort ? merged(parts.map((part) => part[name] as Part)) : value];
      }),
    );
  const close = async (): Promise<void> => void (await Promise.all(stores.map((store) => store.close())));
  return { ...(merged(stores as unknown as readonly Part[]) as unknown as Store), close };
}

export const openTwoTestPostgres: OpenTestStore = (settings) => openTwoPrepared(async () => undefined, settings);

/** `prepare` gets the URL of the database before the stores are opened. */
export async function openTwoPrepared(
  prepare: (url: string) => Promise<void>,
  settings: Partial<StoreSettings> = {},
): Promise<TestStore> {
  const database = await createMigratedDatabase();
  await prepare(database.url);
  const open = (): Promise<Store> =>
    openPostgresStore({ ...TEST_SETTINGS, ...settings, url: database.url, poolSize: 5, onError: () => undefined });
  const store = alternate([await open(), await open()]);
  return {
    store,
    sql: (text) => execute(database.url, `set session_replication_role = replica; ${text}`),
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
}
