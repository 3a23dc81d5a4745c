// Downloads or imports an embedding model. It writes to the local disk, so only the command line offers it.

import { z } from 'zod';
import { action, localAccessOf } from './action.ts';

export const pullModel = action({
  name: 'pull_model',
  summary: 'Download an embedding model, or import one from a folder',
  effect: 'admin',
  input: z.strictObject({
    model: z.string().min(1).describe('minilm, granite-small, multilingual, quality, or a folder with an ONNX model'),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must consist of lower-case letters, digits, dots, dashes and underscores')
      .optional()
      .describe('A name for a model imported from a folder'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
      .optional()
      .describe('SHA-256 of the ONNX file, for a model that is not built in'),
    pooling: z.enum(['mean', 'cls', 'last']).optional().describe('How token vectors are pooled'),
    dimensions: z.int().min(1).max(16_000).optional().describe('Vector dimensions'),
  }),
  output: z.object({
    name: z.string(),
    model: z.string(),
    dimensions: z.int(),
    isVerified: z.boolean().describe('Whether a test compared its vectors with reference vectors'),
  }),
  bindings: {
    cli: {
      command: 'models pull',
      group: 'maintain',
      positional: ['model'],
      example: 'pinakes models pull minilm',
      paths: ['model'],
    },
  },

  async run({ model, name, ...declared }, deps) {
    const isPath = /[/\\]/.test(model);
    const modelName = name ?? (isPath ? lastSegment(model) : model);
    const request = { ...declared, name: modelName, path: isPath ? model : null };
    const pulled = await localAccessOf(deps).pullModel(request, (step, done, total) =>
      deps.onProgress({ step, done, total }),
    );
    return { name: pulled.name, model: pulled.model, dimensions: pulled.dimensions, isVerified: pulled.verified };
  },
});

function lastSegment(path: string): string {
  const segment = path.split(/[/\\]/).findLast((one) => one !== '') ?? '';
  return segment.toLowerCase().replaceAll(/[^a-z0-9._-]/g, '-');
}
