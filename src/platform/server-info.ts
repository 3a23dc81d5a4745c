// Where the server of a data directory listens: server.json in it, for commands that look for the server.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ServerInfo {
  readonly url: string;
  readonly pid: number;
}

/** The result removes it again. The directory is owned by this process, so there is one at most. */
export function writeServerInfo(dataDir: string, url: string): () => void {
  const file = fileIn(dataDir);
  writeFileSync(file, `${JSON.stringify({ url, pid: process.pid } satisfies ServerInfo)}\n`, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** After a kill it stays behind: the caller checks whether a server listens there. Null without a usable one. */
export function readServerInfo(dataDir: string): ServerInfo | null {
  try {
    const { url, pid } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Partial<ServerInfo>;
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid } : null;
  } catch {
    return null;
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'server.json');
}
