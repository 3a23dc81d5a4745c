// A bounded cache that evicts the least recently used entry. A map that empties itself when it is full forgets what is in use:
// with one key more than it can hold, all others are loaded again.

export interface LruCache<Key, Value> {
  /** Undefined if the key is not cached. The entry counts as used. */
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

interface Entry<Key, Value> {
  readonly key: Key;
  value: Value;
  older: Entry<Key, Value>;
  newer: Entry<Key, Value>;
}

/**
 * Entries are linked by age. To delete a key and set it again, so that the map itself is in this order, costs several times as
 * much per hit; and a full map walks over the slots of all that it deleted before it reaches the oldest key.
 */
export function createLruCache<Key, Value>(maxEntries: number): LruCache<Key, Value> {
  const entries = new Map<Key, Entry<Key, Value>>();
  /** Null while the cache is empty. Its `newer` is the oldest entry: the list is a ring. */
  let newest: Entry<Key, Value> | null = null;

  function unlink(entry: Entry<Key, Value>): void {
    if (newest === entry) newest = entry.older === entry ? null : entry.older;
    entry.older.newer = entry.newer;
    entry.newer.older = entry.older;
  }

  function makeNewest(entry: Entry<Key, Value>): void {
    const older = newest ?? entry;
    const oldest = newest?.newer ?? entry;
    entry.older = older;
    entry.newer = oldest;
    older.newer = entry;
    oldest.older = entry;
    newest = entry;
  }

  function use(key: Key): Entry<Key, Value> | undefined {
    const entry = entries.get(key);
    if (entry === undefined || entry === newest) return entry;
    unlink(entry);
    makeNewest(entry);
    return entry;
  }

  function remove(key: Key): void {
    const entry = entries.get(key);
    if (entry !== undefined) unlink(entry);
    entries.delete(key);
  }

  return {
    get: (key) => use(key)?.value,
    set(key, value) {
      const entry = use(key) ?? ({ key, value, older: newest, newer: newest } as Entry<Key, Value>);
      entry.value = value;
      if (entry === newest) return;
      makeNewest(entry);
      entries.set(key, entry);
      if (entries.size > maxEntries) remove(entry.newer.key);
    },
    delete: remove,
  };
}

/** Loads each key once while it is cached, however many callers ask for it at a time. A failed load is tried again. */
export function cacheLoads<Key, Args extends readonly unknown[], Value>(
  maxEntries: number,
  load: (key: Key, ...args: Args) => Promise<Value>,
): (key: Key, ...args: Args) => Promise<Value> {
  const cache = createLruCache<Key, Promise<Value>>(maxEntries);
  return (key, ...args) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const loading = load(key, ...args);
    cache.set(key, loading);
    loading.catch(() => {
      if (cache.get(key) === loading) cache.delete(key);
    });
    return loading;
  };
}
