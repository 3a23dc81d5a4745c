// Presets of embedding models. A preset without hashes is pulled only with `--sha256`; one whose vectors are not tested
// against reference vectors is marked as unverified wherever it is shown.

import type { LocalModel } from './local-model.ts';

export interface ModelPreset extends Omit<LocalModel, 'files' | 'verified'> {
  readonly summary: string;
  readonly license: string;
  /** Base URL of its files; `paths` are relative to it. */
  readonly from: string;
  readonly paths: Readonly<Record<keyof LocalModel['files'], string>>;
  /** Null if not pinned yet. */
  readonly files: LocalModel['files'] | null;
  readonly verified: boolean;
}

const HUB = 'https://huggingface.co';
const HUB_PATHS = {
  model: 'onnx/model_quantized.onnx',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
} as const;
const GRANITE = {
  dtype: 'q8',
  pooling: 'cls',
  queryPrefix: '',
  passagePrefix: '',
  maxTokens: 512,
  license: 'Apache-2.0',
  paths: HUB_PATHS,
  files: null,
  verified: false,
} as const;

export const modelPresets: readonly ModelPreset[] = [
  {
    ...GRANITE,
    name: 'granite-small',
    summary: 'Small and good on technical English',
    model: 'ibm-granite/granite-embedding-small-english-r2',
    from: `${HUB}/onnx-community/granite-embedding-small-english-r2-ONNX/resolve/main`,
    dimensions: 384,
  },
  {
    name: 'minilm',
    summary: 'Smallest and fastest, for English',
    model: 'sentence-transformers/all-MiniLM-L6-v2',
    dtype: 'q8',
    pooling: 'mean',
    queryPrefix: '',
    passagePrefix: '',
    maxTokens: 256,
    dimensions: 384,
    license: 'Apache-2.0',
    from: `${HUB}/Xenova/all-MiniLM-L6-v2/resolve/main`,
    paths: HUB_PATHS,
    files: {
      model: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
      tokenizer: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
      tokenizerConfig: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
    },
    verified: true,
  },
  {
    ...GRANITE,
    name: 'multilingual',
    summary: 'For documentation in many languages',
    model: 'ibm-granite/granite-embedding-97m-multilingual-r2',
    from: `${HUB}/onnx-community/granite-embedding-97m-multilingual-r2-ONNX/resolve/main`,
    dimensions: 384,
  },
  {
    ...GRANITE,
    name: 'quality',
    summary: 'The best of these for English, and the slowest',
    model: 'ibm-granite/granite-embedding-english-r2',
    from: `${HUB}/onnx-community/granite-embedding-english-r2-ONNX/resolve/main`,
    dimensions: 768,
  },
];

export function findPreset(name: string): ModelPreset | null {
  return modelPresets.find((preset) => preset.name === name) ?? null;
}
