// Sites of test/data/corpora as these tests use them: their origins, their files on disk, and how they are changed.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../data/corpora/serve-corpora.sh', import.meta.url));

export interface CorpusSite {
  readonly name: string;
  readonly origin: string;
  readonly flags: ReadonlySet<string>;
  /** Paths that its robots.txt, as written there, disallows. */
  readonly disallowed: readonly string[];
  /** Where its files are. */
  readonly root: string;
}

export interface Corpora {
  readonly state: string;
  sites(): readonly CorpusSite[];
  site(name: string): CorpusSite;
  run(command: string, ...args: readonly string[]): string;
}

export function openCorpora(state: string, portOffset?: number): Corpora {
  const env = { ...process.env, ...(portOffset === undefined ? {} : { CORPORA_PORT_OFFSET: String(portOffset) }) };
  const run = (command: string, ...args: readonly string[]): string =>
    execFileSync('bash', [SCRIPT, command, state, ...args], {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const sites = (): CorpusSite[] =>
    run('list')
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', port = '', , , flags = ''] = line.split('\t');
        const root = join(state, 'www', name);
        const origin = `http://127.0.0.1:${port}`;
        return { name, origin, flags: new Set(flags.split(',')), disallowed: disallowedIn(root), root };
      });
  return {
    state,
    sites,
    site(name) {
      const found = sites().find((one) => one.name === name);
      if (found === undefined) throw new Error(`there is no site ${name}`);
      return found;
    },
    run,
  };
}

/** Every `Disallow` of the file: each of them names all robots, and none has a wildcard. */
function disallowedIn(root: string): readonly string[] {
  const robots = readIfThere(join(root, 'robots.txt')) ?? '';
  return [...robots.matchAll(/^Disallow:[ \t]*(\S+)/gim)].map(([, path = '']) => path);
}

export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
