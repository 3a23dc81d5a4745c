// Brings an embedding model to this machine. It writes to its disk, so only the command line has it.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { action } from './action.ts';

export const pullModel = action({
  name: 'pull_model',
  summary: 'Bring an embedding model to this machine, by a preset or from a folder',
  effect: 'admin',
  input: z.strictObject({
    model: z.string().min(1).describe('default, minilm, multilingual, quality, or a folder with an ONNX model'),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)
      .optional()
      .describe('How a model from a folder is called'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe('SHA-256 of the ONNX file, for a model whose hash is not known here'),
    pooling: z.enum(['mean', 'cls', 'last']).optional().describe('How the model makes one vector out of many'),
    dimensions: z.int().min(1).max(16_384).optional().describe('Numbers of a vector'),
  }),
  output: z.object({
    name: z.string(),
    model: z.string(),
    dimensions: z.int(),
    verified: z.boolean().describe('Whether a test has compared its vectors with reference ones'),
  }),
  doors: {
    cli: { command: 'model pull', positional: ['model'], example: 'pinakes model pull minilm', paths: ['model'] },
  },

  async run({ model, name, ...claims }, deps) {
    if (deps.local === null) throw pinakesError('local.forbidden', {});
    const isPath = /[/\\]/.test(model);
    const called = name ?? (isPath ? lastPart(model) : model);
    const request = { ...claims, name: called, path: isPath ? model : null };
    const pulled = await deps.local.pullModel(request, (step, done, of) => deps.tell({ step, done, of }));
    return { name: pulled.name, model: pulled.model, dimensions: pulled.dimensions, verified: pulled.verified };
  },
});

function lastPart(path: string): string {
  const part = path.split(/[/\\]/).findLast((piece) => piece !== '') ?? '';
  return part.toLowerCase().replaceAll(/[^a-z0-9._-]/g, '-');
}
