// A Chromium that another program has started, with none of our flags.

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { killProcesses, readProcessTree } from '../../../src/render/process-tree.ts';
import { CHROMIUM } from './test-renderer.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

export interface RemoteBrowser {
  /** The endpoint of its DevTools Protocol. */
  readonly endpoint: string;
  close(): Promise<void>;
}

export async function startRemoteBrowser(): Promise<RemoteBrowser> {
  const profile = temporaryDirectory();
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
