// A Chromium that somebody else has started, with none of our flags.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killProcesses, readProcessTree } from '../../src/render/process-tree.ts';
import { CHROMIUM } from './test-renderer.ts';

export interface RemoteBrowser {
  /** Of its DevTools Protocol. */
  readonly endpoint: string;
  close(): Promise<void>;
}

export async function startRemoteBrowser(): Promise<RemoteBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'remote-browser-'));
  const child = spawn(
    CHROMIUM,
    ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const endpoint = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (part) => {
      text += String(part);
      const [, found] = /DevTools listening on (ws:\S+)/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(text)));
  });
  return {
    endpoint,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      killProcesses(readProcessTree(child.pid ?? 0).map(({ pid }) => pid));
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
