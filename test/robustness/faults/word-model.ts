// An embedding server in the test process: its vectors are computed from the words of a text, each model has its own
// dimensions, and it can be slow or fail. It records its requests.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../../support/program.ts';

export interface WordModel {
  /** The settings with which the program uses one of its models. */
  settings(model: string): Settings;
  /** Every text of every request, in order. */
  readonly texts: readonly string[];
  /** Requests waiting for their response. */
  readonly open: () => number;
  /** Until the returned function is called, it answers one request with 500 and the next not at all. */
  breakDown(): () => void;
  /** From now on this model returns vectors of another size, under its old name. */
  resize(model: string, dimensions: number): void;
  close(): Promise<void>;
}

export async function startWordModel(sizes: Readonly<Record<string, number>>, answerMs: number): Promise<WordModel> {
  const dimensionsOf = new Map(Object.entries(sizes));
  const texts: string[] = [];
  const silenced = new Set<ServerResponse>();
  let open = 0;
  let isBroken = false;
  let failures = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { input, model } = JSON.parse(await text(request)) as { input: string[]; model: string };
    texts.push(...input);
    if (isBroken) {
      failures += 1;
      if (failures % 2 === 0) silenced.add(response);
      else response.writeHead(500).end();
      return;
    }
    await wait(answerMs);
    const dimensions = dimensionsOf.get(model) ?? 1;
    const data = input.map((words, index) => ({ index, embedding: wordVector(words, dimensions) }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  }

  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
    void answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: (model) => ({
      PINAKES_EMBED_PROVIDER: 'openai',
      PINAKES_EMBED_URL: url,
      PINAKES_EMBED_MODEL: model,
      PINAKES_EMBED_BATCH_TEXTS: '4',
      PINAKES_EMBED_LEASE_MS: '1000',
    }),
    texts,
    open: () => open,
    breakDown() {
      isBroken = true;
      return () => {
        isBroken = false;
        for (const response of silenced) response.destroy();
        silenced.clear();
      };
    },
    resize: (model, dimensions) => void dimensionsOf.set(model, dimensions),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Each word adds to one component of the vector; the last component keeps it from being zero. */
function wordVector(words: string, dimensions: number): number[] {
  const vector: number[] = Array.from({ length: dimensions }, (_, i) => (i === dimensions - 1 ? 0.1 : 0));
  for (const word of words.toLowerCase().match(/\w+/g) ?? []) {
    const at = createHash('sha256').update(word).digest().readUInt32LE() % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}
