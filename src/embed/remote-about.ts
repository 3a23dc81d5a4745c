// What a server says of its model, for the fingerprint of the space. What it does not say stays empty: then only the
// model's name tells spaces apart.

import { z } from 'zod';
import type { SpaceSettings } from '../core/vector/space.ts';
import type { AskServer } from './port.ts';
import type { ProtocolName } from './remote-protocols.ts';

export type ServerAbout = Partial<Pick<SpaceSettings, 'model' | 'revision' | 'dtype' | 'pooling' | 'maxTokens'>>;

const TeiInfo = z.object({
  model_id: z.string(),
  model_sha: z.string().nullish(),
  model_dtype: z.string().nullish(),
  model_type: z.object({ embedding: z.object({ pooling: z.string() }).nullish() }).nullish(),
  max_input_length: z.int().min(1).nullish(),
});

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string() })) });

interface Asking {
  readonly ask: AskServer;
  readonly base: string;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function askAbout(protocol: ProtocolName, asking: Asking, signal?: AbortSignal): Promise<ServerAbout> {
  switch (protocol) {
    case 'tei':
      return aboutTei(await answerOf('/info', asking, signal));
    case 'ollama':
      return aboutOllama(await answerOf('/api/tags', asking, signal), asking.model);
    case 'openai':
      return {};
  }
}

async function answerOf(path: string, { ask, base, headers }: Asking, signal?: AbortSignal): Promise<unknown> {
  const outcome = await ask({ url: `${base}${path}`, json: null, headers }, signal);
  if (outcome.kind !== 'answered' || outcome.status !== 200) return undefined;
  try {
    return JSON.parse(outcome.body);
  } catch {
    return undefined; // fails the schema below
  }
}

function aboutTei(answer: unknown): ServerAbout {
  const { data } = TeiInfo.safeParse(answer);
  if (data === undefined) return {};
  const pooling = data.model_type?.embedding?.pooling;
  return {
    model: data.model_id,
    ...(data.model_sha ? { revision: data.model_sha } : {}),
    ...(data.model_dtype ? { dtype: data.model_dtype } : {}),
    ...(pooling === 'mean' || pooling === 'cls' ? { pooling } : {}),
    ...(data.max_input_length ? { maxTokens: data.max_input_length } : {}),
  };
}

function aboutOllama(answer: unknown, model: string): ServerAbout {
  const { data } = OllamaTags.safeParse(answer);
  const found = data?.models.find(({ name }) => name === model || name === `${model}:latest`);
  return found === undefined ? {} : { revision: found.digest };
}
