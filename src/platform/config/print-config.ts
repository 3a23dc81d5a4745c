// What `config print` shows: each setting with its value and where the value comes from. Secrets are masked.

import { redactText } from '../redact.ts';
import type { LoadedConfig, Origin } from './load-config.ts';
import { describeSettings, settingValue } from './settings.ts';

export interface PrintedSetting {
  readonly setting: string;
  readonly env: string;
  /** JSON types; null where nothing is set. */
  readonly value: unknown;
  readonly origin: Origin;
}

export function printConfig({ config, origins }: LoadedConfig): readonly PrintedSetting[] {
  return describeSettings().map(({ path, env, secret }) => {
    const value = settingValue(config, path) ?? null;
    return {
      setting: path,
      env,
      value: secret && typeof value === 'string' ? maskSecret(value) : value,
      origin: origins.get(path) ?? { kind: 'default' },
    };
  });
}

/** A URL stays readable without its password; of any other secret only its presence is told. */
function maskSecret(text: string): string {
  return URL.canParse(text) ? redactText(text) : '[set]';
}

export function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'default':
      return 'default';
    case 'file':
      return `from ${origin.file}`;
    case 'env':
      return `from ${origin.name}`;
  }
}
