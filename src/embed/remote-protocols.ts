// What the servers speak: how each is asked, and how its answer is read. Nothing of an answer is believed unchecked.

import { z } from 'zod';

export type ProtocolName = 'tei' | 'openai' | 'ollama';

export interface RemoteProtocol {
  readonly path: string;
  question(texts: readonly string[], model: string): unknown;
  /** In the order of the texts; null where the answer is not one. */
  vectorsOf(answer: unknown): ReadonlyArray<readonly number[]> | null;
}

const Vectors = z.array(z.array(z.number()));
const OpenAiAnswer = z.object({ data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })) });
const OllamaAnswer = z.object({ embeddings: Vectors });

export const remoteProtocols: Readonly<Record<ProtocolName, RemoteProtocol>> = {
  tei: {
    path: '/embed',
    // Unless it is told to cut, this server refuses a whole batch for one long text.
    question: (texts) => ({ inputs: texts, truncate: true, normalize: true }),
    vectorsOf: (answer) => Vectors.safeParse(answer).data ?? null,
  },
  openai: {
    path: '/v1/embeddings',
    question: (texts, model) => ({ input: texts, model, encoding_format: 'float' }),
    vectorsOf(answer) {
      const data = OpenAiAnswer.safeParse(answer).data?.data;
      if (data === undefined) return null;
      // Servers that work in parallel answer in any order: only the index tells whose vector it is.
      const sorted = data.toSorted((a, b) => a.index - b.index);
      return sorted.every(({ index }, at) => index === at) ? sorted.map(({ embedding }) => embedding) : null;
    },
  },
  ollama: {
    path: '/api/embed',
    question: (texts, model) => ({ input: texts, model, truncate: true }),
    vectorsOf: (answer) => OllamaAnswer.safeParse(answer).data?.embeddings ?? null,
  },
};
