// Reads npm's configuration: the registry of each scope and the credentials of each registry. From the environment and the user's own file
// only: the author of the working folder is not the operator.

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

export interface NpmConfig {
  readonly registryOf: (packageName: string) => string;
  /** The value of Authorization for a URL; null if npm would send none. */
  readonly authorizationFor: (url: string) => string | null;
}

/** What npm uses without a configuration. */
export const PUBLIC_REGISTRY = 'https://registry.npmjs.org';
const MAX_BYTES = 1_048_576;

export function readNpmConfig(env: Environment): NpmConfig {
  return parseNpmConfig(readUserFile(env), env);
}

function readUserFile(env: Environment): string {
  const file = env['npm_config_userconfig'] || env['NPM_CONFIG_USERCONFIG'] || join(env['HOME'] || homedir(), '.npmrc');
  try {
    return readFileSync(file, 'utf8').slice(0, MAX_BYTES);
  } catch {
    return '';
  }
}

export function parseNpmConfig(text: string, env: Environment): NpmConfig {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line.slice(0, 4000)) ?? [];
    if (key !== undefined && value !== undefined) values.set(key, expand(value.replace(/^(["'])(.*)\1$/, '$2'), env));
  }
  const main = env['npm_config_registry'] || env['NPM_CONFIG_REGISTRY'] || values.get('registry') || PUBLIC_REGISTRY;
  // npm's keys name no scheme. Without TLS a login is sent only to a registry that the operator named so: an address in a lockfile or a
  // package's metadata must not bring it into the open.
  const named = new Set(
    [main, ...[...values].flatMap(([key, value]) => (key.endsWith(':registry') ? [value] : []))].map(originOf),
  );
  const mayCarryLogin = (url: string): boolean => {
    const origin = originOf(url);
    return origin !== null && (origin.startsWith('https:') || named.has(origin));
  };
  return {
    registryOf(name) {
      const scope = name.startsWith('@') ? values.get(`${name.slice(0, name.indexOf('/'))}:registry`) : undefined;
      return scope ?? main;
    },
    authorizationFor(url) {
      if (!mayCarryLogin(url)) return null;
      for (const folder of foldersOf(url)) {
        const token = values.get(`${folder}:_authToken`);
        if (token !== undefined) return `Bearer ${token}`;
        const login = values.get(`${folder}:_auth`);
        if (login !== undefined) return `Basic ${login}`;
      }
      return null;
    },
  };
}

function originOf(url: string): string | null {
  return URL.parse(url)?.origin ?? null;
}

/** `${NPM_TOKEN}` is the variable of the environment. */
function expand(value: string, env: Environment): string {
  return value.replaceAll(/\$\{(\w{1,100})\}/g, (whole, name: string) => env[name] ?? whole);
}

/** `//host/a/b/`, `//host/a/`, `//host/`: the keys that npm looks for, the longest first. */
function foldersOf(text: string): string[] {
  const url = URL.parse(text);
  if (url === null) return [];
  const parts = url.pathname.split('/').slice(1, -1).slice(0, 10);
  return Array.from({ length: parts.length + 1 }, (_, cut) =>
    ['/', url.host, ...parts.slice(0, parts.length - cut), ''].join('/'),
  );
}
