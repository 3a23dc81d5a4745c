// The configuration for people and for the redactor: each setting with its value and origin, and the secrets it holds.

import { decodePercent } from '../../core/text/decode-percent.ts';
import { createRedactor, redactText, type Redact } from '../redact.ts';
import { secretEnvValues } from '../secrets.ts';
import type { Origin } from './setting-input.ts';
import type { LoadedConfig } from './load-config.ts';
import type { Config } from './schema.ts';
import { describeSettings, settingValue, TOKEN_ENV } from './settings.ts';
import type { Environment } from './standard-folders.ts';

export interface PrintedSetting {
  readonly setting: string;
  readonly env: string;
  /** JSON types; null if not set. */
  readonly value: unknown;
  readonly origin: Origin;
}

/** Every setting with its value and origin, secrets masked. */
export function printConfig({ config, origins }: Pick<LoadedConfig, 'config' | 'origins'>): readonly PrintedSetting[] {
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

/** A URL stays readable without its password; of any other secret only its presence is shown. */
function maskSecret(text: string): string {
  return URL.canParse(text) ? redactText(text) : '[set]';
}

export function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'default':
      return 'default';
    case 'program':
      return 'from the program';
    case 'file':
      return `from ${origin.file}`;
    case 'env':
    case 'flag':
      return `from ${origin.name}`;
  }
}

/** Removes every secret that the configuration holds or names a variable of. */
export function createConfigRedactor(config: Config, env: Environment): Redact {
  const { fetch, embed } = config;
  return createRedactor([
    ...secretValues(config),
    ...secretEnvValues(fetch.secrets, env),
    env[embed.keyEnv ?? ''] ?? '',
    env[TOKEN_ENV] ?? '',
  ]);
}

/** The secrets in the configuration, for the redactor: no log line may contain one of them. */
export function secretValues(config: Config): readonly string[] {
  const values = describeSettings()
    .filter(({ secret }) => secret)
    .map(({ path }) => settingValue(config, path))
    .filter((value) => typeof value === 'string');
  return values.flatMap((value) => [value, ...passwordsOf(value)]);
}

/** Drivers take a URL apart, so its password may also appear alone, as written or decoded. */
function passwordsOf(text: string): string[] {
  const url = URL.parse(text);
  const written = [url?.password, url?.searchParams.get('password')].filter((password) => !!password) as string[];
  return written.flatMap((password) => [password, decodePercent(password)]);
}
