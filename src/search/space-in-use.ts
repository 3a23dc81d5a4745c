// Which space answers a question. It is the space of the model that the settings name, once enough texts have their vectors
// there. Until then it is the latest space that is full and whose model is still at hand, so that another model takes
// nothing away while its vectors are made.

import { fingerprintOf } from '../core/vector/space.ts';
import type { Embedder } from '../embed/port.ts';
import type { Space, Store } from '../store/port.ts';

export interface DenseModels {
  /** The model that the settings name. Called with every question: whoever opens it keeps it, until it is another one. */
  readonly open: () => Promise<Embedder>;
  /** The model that made a space earlier, or null where it is gone. It may be closed more than once. */
  readonly openFormer: (fingerprint: string) => Promise<Embedder | null>;
}

export interface UsedSpace {
  readonly space: Space;
  readonly embedder: Embedder;
}

/** Null where words alone answer. Raises what opening the model raises. */
export type SpaceInUse = () => Promise<UsedSpace | null>;

/** While fewer texts have vectors, those without would stand lower for no reason of their own. */
const ENOUGH_EMBEDDED = 0.9;
const LOOK_AGAIN_MS = 5000;
const LOOK_FOR_MODEL_MS = 30_000;

export function createSpaceInUse(
  { vectors }: Pick<Store, 'vectors'>,
  models: DenseModels,
  now: () => number,
): SpaceInUse {
  const embedderNow = createLateEmbedder(models.open, now);
  const former = createFormerEmbedder(models.openFormer, now);
  let known: { readonly used: UsedSpace | null; readonly untilMs: number } = { used: null, untilMs: 0 };

  async function isFull({ id }: Space): Promise<boolean> {
    const { wanted, embedded } = await vectors.progress(id);
    return embedded > 0 && embedded >= ENOUGH_EMBEDDED * (embedded + wanted);
  }

  async function formerSpace(current: string): Promise<UsedSpace | null> {
    const latestFirst = [...(await vectors.spaces())].sort((a, b) => b.id - a.id);
    for (const space of latestFirst) {
      if (space.fingerprint === current || !(await isFull(space))) continue;
      const embedder = await former.of(space.fingerprint);
      if (embedder !== null) return { space, embedder };
    }
    return null;
  }

  async function look(embedder: Embedder): Promise<UsedSpace | null> {
    const fingerprint = fingerprintOf(embedder.space);
    const space = await vectors.findSpace(fingerprint);
    if (space === null || !(await isFull(space))) return formerSpace(fingerprint);
    await former.close();
    return { space, embedder };
  }

  return async () => {
    const embedder = await embedderNow();
    if (embedder === null) return null;
    if (now() >= known.untilMs) known = { used: await look(embedder), untilMs: now() + LOOK_AGAIN_MS };
    return known.used;
  };
}

/** After a failure questions pass without it for a while, and do not wait until it is there again. */
function createLateEmbedder(open: () => Promise<Embedder>, now: () => number): () => Promise<Embedder | null> {
  let opening: Promise<Embedder> | null = null;
  let hasFailed = false;
  let restUntilMs = 0;

  async function openOnce(): Promise<Embedder> {
    try {
      const embedder = await open();
      hasFailed = false;
      return embedder;
    } catch (error) {
      hasFailed = true;
      restUntilMs = now() + LOOK_FOR_MODEL_MS;
      throw error;
    } finally {
      opening = null;
    }
  }

  return async () => {
    if (opening === null && now() < restUntilMs) return null;
    opening ??= openOnce();
    if (!hasFailed) return opening;
    opening.catch(() => undefined);
    return null;
  };
}

interface FormerEmbedder {
  of(fingerprint: string): Promise<Embedder | null>;
  close(): Promise<void>;
}

/** At most one at a time. One that is not at hand is looked for again only after a while. */
function createFormerEmbedder(open: DenseModels['openFormer'], now: () => number): FormerEmbedder {
  const absent = new Map<string, number>();
  let opened: { readonly fingerprint: string; readonly embedder: Embedder } | null = null;
  const close = async (): Promise<void> => {
    const last = opened;
    opened = null;
    await last?.embedder.close();
  };
  return {
    close,
    async of(fingerprint) {
      if (opened?.fingerprint === fingerprint) return opened.embedder;
      if (now() < (absent.get(fingerprint) ?? 0)) return null;
      const embedder = await open(fingerprint).catch(() => null);
      if (embedder === null) {
        absent.set(fingerprint, now() + LOOK_FOR_MODEL_MS);
        return null;
      }
      await close();
      opened = { fingerprint, embedder };
      return embedder;
    },
  };
}
