// A real HTTP server that implements the three protocols in front of a real model, and misbehaves on request.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Embedder } from '../../src/embed/port.ts';

export type Fault =
  | 'busy'
  | 'error'
  | 'silent'
  | 'short-vectors'
  | 'cut-off'
  | 'not-json'
  | 'one-missing'
  | 'forbidden';

export interface EmbeddingServer {
  readonly url: string;
  /** Applied one per request, before the server behaves normally again. */
  readonly faults: Fault[];
  /** Texts that make the server reject the whole batch. */
  readonly badTexts: Set<string>;
  /** What each request contained. */
  readonly requests: Array<{ readonly path: string; readonly authorization: string | null; readonly json: unknown }>;
  close(): Promise<void>;
}

type Vectors = ReadonlyArray<readonly number[]>;

/** The order of OpenAI results is reversed, as a parallel server may do. */
const ANSWERS: Readonly<Record<string, (vectors: Vectors) => unknown>> = {
  '/embed': (vectors) => vectors,
  '/v1/embeddings': (vectors) => ({ data: vectors.map((embedding, index) => ({ index, embedding })).toReversed() }),
  '/api/embed': (vectors) => ({ embeddings: vectors }),
};

const INFO: Readonly<Record<string, unknown>> = {
  '/info': {
    model_id: 'sentence-transformers/all-MiniLM-L6-v2',
    model_sha: 'abc123',
    model_dtype: 'float32',
    model_type: { embedding: { pooling: 'mean' } },
    max_input_length: 256,
  },
  '/api/tags': { models: [{ name: 'minilm:latest', digest: 'sha256-1' }] },
};

export async function startEmbeddingServer(embedder: Embedder): Promise<EmbeddingServer> {
  const faults: Fault[] = [];
  const badTexts = new Set<string>();
  const requests: Array<EmbeddingServer['requests'][number]> = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const info = INFO[path];
    if (info !== undefined) return void response.end(JSON.stringify(info));
    const json = JSON.parse(await bodyOf(request)) as { inputs?: string[]; input?: string[] };
    requests.push({ path, authorization: request.headers.authorization ?? null, json });
    const texts = json.inputs ?? json.input ?? [];
    const fault = faults.shift();
    if (fault === 'busy') return void response.writeHead(429, { 'retry-after': '1' }).end();
    if (fault === 'error') return void response.writeHead(500).end('boom');
    if (fault === 'forbidden') return void response.writeHead(401).end();
    if (fault === 'silent') return;
    if (texts.some((text) => badTexts.has(text))) return void response.writeHead(422).end();
    const outcomes = await embedder.embed(texts, 'passage');
    const vectors = outcomes.map((outcome) => (outcome.kind === 'embedded' ? [...outcome.vector] : []));
    response.setHeader('content-type', 'application/json');
    spoil(response, fault, JSON.stringify(ANSWERS[path]?.(broken(vectors, fault))));
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    badTexts,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function broken(vectors: Vectors, fault: Fault | undefined): Vectors {
  if (fault === 'short-vectors') return vectors.map((vector) => vector.slice(1));
  return fault === 'one-missing' ? vectors.slice(1) : vectors;
}

function spoil(response: ServerResponse, fault: Fault | undefined, body: string): void {
  if (fault === 'not-json') return void response.end('<html>');
  if (fault !== 'cut-off') return void response.end(body);
  response.setHeader('content-length', body.length);
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
