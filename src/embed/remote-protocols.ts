// The protocols of embedding servers: requests, validated responses, and what each reports about its model.

import { z } from 'zod';
import type { SpaceSettings } from '../core/vector/space.ts';
import type { SendRequest } from './port.ts';

export type ProtocolName = 'tei' | 'openai' | 'ollama';

export interface RemoteProtocol {
  readonly path: string;
  requestBody(texts: readonly string[], model: string): unknown;
  /** In the order of the texts; null if the response is invalid. */
  parseVectors(body: unknown): ReadonlyArray<readonly number[]> | null;
}

const Vectors = z.array(z.array(z.number()));
const OpenAiResponse = z.object({ data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })) });
const OllamaResponse = z.object({ embeddings: Vectors });

export const remoteProtocols: Readonly<Record<ProtocolName, RemoteProtocol>> = {
  tei: {
    path: '/embed',
    // Without `truncate` this server rejects a whole batch because of one long text.
    requestBody: (texts) => ({ inputs: texts, truncate: true, normalize: true }),
    parseVectors: (body) => Vectors.safeParse(body).data ?? null,
  },
  openai: {
    path: '/v1/embeddings',
    requestBody: (texts, model) => ({ input: texts, model, encoding_format: 'float' }),
    parseVectors(body) {
      const data = OpenAiResponse.safeParse(body).data?.data;
      if (data === undefined) return null;
      // Servers that work in parallel return vectors in any order; only the index identifies the text.
      const sorted = data.toSorted((a, b) => a.index - b.index);
      return sorted.every(({ index }, at) => index === at) ? sorted.map(({ embedding }) => embedding) : null;
    },
  },
  ollama: {
    path: '/api/embed',
    requestBody: (texts, model) => ({ input: texts, model, truncate: true }),
    parseVectors: (body) => OllamaResponse.safeParse(body).data?.embeddings ?? null,
  },
};

/** What a server reports about its model, for the fingerprint of the space. Without it, only the model's name tells spaces apart. */
type ServerInfo = Partial<Pick<SpaceSettings, 'model' | 'revision' | 'dtype' | 'pooling' | 'maxTokens'>>;

const TeiInfo = z.object({
  model_id: z.string(),
  model_sha: z.string().nullish(),
  model_dtype: z.string().nullish(),
  model_type: z.object({ embedding: z.object({ pooling: z.string() }).nullish() }).nullish(),
  max_input_length: z.int().min(1).nullish(),
});

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string() })) });

interface RemoteServer {
  readonly sendRequest: SendRequest;
  readonly base: string;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function fetchServerInfo(
  protocol: ProtocolName,
  server: RemoteServer,
  signal?: AbortSignal,
): Promise<ServerInfo> {
  switch (protocol) {
    case 'tei':
      return parseTeiInfo(await fetchJson('/info', server, signal));
    case 'ollama':
      return parseOllamaTags(await fetchJson('/api/tags', server, signal), server.model);
    case 'openai':
      return {};
  }
}

async function fetchJson(
  path: string,
  { sendRequest, base, headers }: RemoteServer,
  signal?: AbortSignal,
): Promise<unknown> {
  const outcome = await sendRequest({ url: `${base}${path}`, json: null, headers }, signal);
  if (outcome.kind !== 'answered' || outcome.status !== 200) return undefined;
  try {
    return JSON.parse(outcome.body);
  } catch {
    return undefined; // fails the schema below
  }
}

function parseTeiInfo(body: unknown): ServerInfo {
  const { data } = TeiInfo.safeParse(body);
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

function parseOllamaTags(body: unknown, model: string): ServerInfo {
  const { data } = OllamaTags.safeParse(body);
  const found = data?.models.find(({ name }) => name === model || name === `${model}:latest`);
  return found === undefined ? {} : { revision: found.digest };
}
