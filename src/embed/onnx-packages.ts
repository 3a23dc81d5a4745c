// The two packages behind local models. They are large and not part of the install: whoever wants a local model adds them.

import type { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { pinakesError } from '../core/model/errors.ts';

export interface OnnxPackages {
  readonly InferenceSession: typeof InferenceSession;
  readonly Tensor: typeof Tensor;
  readonly Tokenizer: typeof Tokenizer;
}

export const ONNX_PACKAGES = ['onnxruntime-node@1.30.0', '@huggingface/tokenizers@0.2.0'] as const;

/** Raises `embed.packages-missing`, which says what to install. */
export async function loadOnnxPackages(): Promise<OnnxPackages> {
  try {
    const [onnx, tokenizers] = await Promise.all([import('onnxruntime-node'), import('@huggingface/tokenizers')]);
    return { InferenceSession: onnx.InferenceSession, Tensor: onnx.Tensor, Tokenizer: tokenizers.Tokenizer };
  } catch (error) {
    throw pinakesError('embed.packages-missing', { packages: ONNX_PACKAGES.join(' ') }, error);
  }
}
