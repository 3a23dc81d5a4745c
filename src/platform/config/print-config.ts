// What `config print` shows: each setting with its value and where the value comes from. Secrets are masked.

import { redactText } from '../redact.ts';
import type { Config } from './schema.ts';
import type { LoadedConfig, Origin } from './load-config.ts';
import { describeSettings } from './settings.ts';

export interface PrintedSetting {
  readonly setting: string;
  readonly env: string;
  /** JSON types; null where nothing is set. */
  readonly value: unknown;
  readonly origin: Origin;
}

export function printConfig({ config, origins }: LoadedConfig): readonly PrintedSetting[] {
  return describeSettings().map(({ path, env, secret }) => {
    const value = valueAt(config, path) ?? null;
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

function valueAt(config: Config, path: string): unknown {
  return path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], config);
}
