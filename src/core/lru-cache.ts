// A bounded cache that evicts the least recently used entry. A map that empties itself when it is full forgets what is in use:
// with one key more than it can hold, all others are loaded again.

export interface LruCache<Key, Value> {
  /** Undefined if the key is not cached. The entry counts as used. */
  get(key: Key): Value | undefined;
  /** `weight` counts towards the maximum weight of all entries; 0 by default. */
  set(key: Key, value: Value, weight?: number): void;
  delete(key: Key): void;
}

interface Entry<Key, Value> {
  readonly key: Key;
  value: Value;
  weight: number;
  older: Entry<Key, Value>;
  newer: Entry<Key, Value>;
}

/**
 * Entries are linked by age. To delete a key and set it again, so that the map itself is in this order, costs several times as
 * much per hit; and a full map walks over the slots of all that it deleted before it reaches the oldest key.
 */
export function createLruCache<Key, Value>(maxEntries: number, maxWeight = Infinity): LruCache<Key, Value> {
  const entries = new Map<Key, Entry<Key, Value>>();
  /** Null while the cache is empty. Its `newer` is the oldest entry: the list is a ring. */
  let newest: Entry<Key, Value> | null = null;
  let totalWeight = 0;

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
    if (entry === undefined) return;
    unlink(entry);
    entries.delete(key);
    totalWeight -= entry.weight;
  }

  return {
    get: (key) => use(key)?.value,
    set(key, value, weight = 0) {
      const entry = use(key) ?? ({ key, value, weight: 0, older: newest, newer: newest } as Entry<Key, Value>);
      entry.value = value;
      totalWeight += weight - entry.weight;
      entry.weight = weight;
      if (entry !== newest) {
        makeNewest(entry);
        entries.set(key, entry);
      }
      // The newest entry stays, whatever it weighs.
      while (entry.newer !== entry && (entries.size > maxEntries || totalWeight > maxWeight)) remove(entry.newer.key);
    },
    delete: remove,
  };
}

const UNWEIGHTED = { maxWeight: Infinity, weightOf: () => 0 };

/**
 * Loads each key once while it is cached, however many callers ask for it at a time. A failed load is tried again.
 * `weights` limits how much the loaded values weigh together.
 */
export function cacheLoads<Key, Args extends readonly unknown[], Value>(
  maxEntries: number,
  load: (key: Key, ...args: Args) => Promise<Value>,
  weights: { readonly maxWeight: number; readonly weightOf: (value: Value) => number } = UNWEIGHTED,
): (key: Key, ...args: Args) => Promise<Value> {
  const cache = createLruCache<Key, Promise<Value>>(maxEntries, weights.maxWeight);
  return (key, ...args) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const loading = load(key, ...args);
    cache.set(key, loading);
    const ifCurrent = (change: () => void): void => (cache.get(key) === loading ? change() : undefined);
    loading.then(
      (value) => ifCurrent(() => cache.set(key, loading, weights.weightOf(value))),
      () => ifCurrent(() => cache.delete(key)),
    );
    return loading;
  };
}
