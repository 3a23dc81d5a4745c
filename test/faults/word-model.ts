// An embedding server in the test process: its vectors are made of the words of a text, each model has its own size, and it
// can be slow or out of order. It notes what it was asked.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../e2e/program.ts';

export interface WordModel {
  /** How the program is told to use one of its models. */
  settings(model: string): Settings;
  /** Every text of every question that came, in their order. */
  readonly asked: readonly string[];
  /** Questions that wait for their answer. */
  readonly open: () => number;
  /** Until the returned function is called, it says 500 to one question and nothing to the next. */
  breakDown(): () => void;
  /** From now on this model gives vectors of another size, under its old name. */
  resize(model: string, dimensions: number): void;
  close(): Promise<void>;
}

export async function startWordModel(sizes: Readonly<Record<string, number>>, answerMs: number): Promise<WordModel> {
  const dimensionsOf = new Map(Object.entries(sizes));
  const asked: string[] = [];
  const silenced = new Set<ServerResponse>();
  let open = 0;
  let isBroken = false;
  let failures = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { input, model } = JSON.parse(await text(request)) as { input: string[]; model: string };
    asked.push(...input);
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
    asked,
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

/** Each word adds to one number of the vector; the last number keeps it from being nothing. */
function wordVector(words: string, dimensions: number): number[] {
  const vector: number[] = Array.from({ length: dimensions }, (_, i) => (i === dimensions - 1 ? 0.1 : 0));
  for (const word of words.toLowerCase().match(/\w+/g) ?? []) {
    const at = createHash('sha256').update(word).digest().readUInt32LE() % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}
