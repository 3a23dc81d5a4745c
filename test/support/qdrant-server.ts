// A real Qdrant for tests: the one that PINAKES_TEST_QDRANT_URL names, or a private one that scripts/qdrant.sh starts. Where
// none can be had, the tests that need one are skipped, with a printed reason.

import { execFile, execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from './temporary-folder.ts';

type SharedNodeFault = 'kill' | 'start' | 'stop' | 'continue' | 'keep' | 'revert';
/** As scripts/qdrant.sh describes them. The last four only of nodes that are set apart. */
export type NodeFault = SharedNodeFault | 'cut' | 'heal' | 'fill' | 'free';

export interface QdrantServer {
  readonly urls: readonly string[];
  readonly areApart: boolean;
  /** Only of a private server. Questions go on in the meantime, so it does not block. */
  readonly control: ((fault: NodeFault, node: number) => Promise<void>) | null;
  readonly close: () => void;
}

const SCRIPT = new URL('../../scripts/qdrant.sh', import.meta.url).pathname;

interface ServerOptions {
  readonly nodes?: number;
  /** Each node has its own network and disk, which takes root. */
  readonly areApart?: boolean;
}

/** Null if there is none. A named server is used as it is, whatever its number of nodes. */
export function startQdrant({ nodes = 1, areApart = false }: ServerOptions = {}): QdrantServer | null {
  const named = process.env['PINAKES_TEST_QDRANT_URL'];
  if (named !== undefined) return { urls: named.split(','), areApart: false, control: null, close: () => undefined };
  const folder = temporaryDirectory();
  const state = join(folder, 'state');
  const run = (...args: string[]): string =>
    execFileSync('bash', [SCRIPT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
  const control = async (fault: NodeFault, node: number): Promise<void> => {
    // A node that is started keeps the output of the script open.
    await promisify(execFile)('bash', ['-c', '"$@" >/dev/null', 'bash', 'bash', SCRIPT, fault, state, String(node)]);
  };
  const close = (): void => {
    run('down', state);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const urls = run('up', state, String(nodes), ...(areApart ? ['apart'] : []))
      .trim()
      .split(',');
    return { urls, areApart, control, close };
  } catch (error) {
    close();
    const { stderr = '' } = error as { readonly stderr?: string };
    console.warn(`Tests with Qdrant are skipped: ${stderr.trim() || String(error)}`);
    return null;
  }
}
