// A real Qdrant for tests: the one that PINAKES_TEST_QDRANT_URL names, or a private one that scripts/qdrant.sh starts. Where
// none can be had, the tests that need one are skipped, with a printed reason.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type NodeSignal = 'kill' | 'start' | 'stop' | 'continue';

export interface QdrantServer {
  readonly urls: readonly string[];
  /** Only of a private server: ends a node with SIGKILL, starts it again, makes it hang, and lets it continue. */
  readonly control: ((signal: NodeSignal, node: number) => void) | null;
  readonly close: () => void;
}

const SCRIPT = new URL('../../scripts/qdrant.sh', import.meta.url).pathname;

/** Null if there is none. A named server is used as it is, whatever its number of nodes. */
export function startQdrant(nodes = 1): QdrantServer | null {
  const named = process.env['PINAKES_TEST_QDRANT_URL'];
  if (named !== undefined) return { urls: named.split(','), control: null, close: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'pinakes-qdrant-state-'));
  const state = join(folder, 'state');
  const run = (...args: string[]): string =>
    execFileSync('bash', [SCRIPT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
  const close = (): void => {
    run('down', state);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const urls = run('up', state, String(nodes)).trim().split(',');
    return { urls, control: (signal, node) => void run(signal, state, String(node)), close };
  } catch (error) {
    close();
    const { stderr = '' } = error as { readonly stderr?: string };
    console.warn(`Tests with Qdrant are skipped: ${stderr.trim() || String(error)}`);
    return null;
  }
}
