// A client of `pinakes mcp` that checks every byte.

import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { COMPILED, MAIN, type Settings } from './program.ts';

export interface RpcMessage {
  readonly jsonrpc: string;
  readonly id?: number | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface StdioClient {
  readonly pid: number;
  /** Everything received on stdout. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  request(method: string, params?: object): Promise<RpcMessage>;
  send(line: string): void;
  begin(): Promise<RpcMessage>;
  /** Closes stdin and waits for the process to exit. */
  close(): Promise<number | null>;
  vanish(): void;
  /** Stops reading, so that further output is not consumed. */
  deafen(): void;
  readonly ended: Promise<number | null>;
}

export function startStdio(settings: Settings, ...args: readonly string[]): StdioClient {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PINAKES_'));
  const child = spawn(process.execPath, [MAIN, 'mcp', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: tmpdir(),
    env: { ...Object.fromEntries(inherited), ...COMPILED, ...settings },
  });
  let stdout = '';
  let stderr = '';
  let read = 0;
  let lastId = 0;
  const waiting = new Map<number, (message: RpcMessage) => void>();
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<number | null>();
  child.on('close', onEnd);
  child.stdin.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (let end = stdout.indexOf('\n', read); end !== -1; end = stdout.indexOf('\n', read)) {
      const message = JSON.parse(stdout.slice(read, end)) as RpcMessage;
      read = end + 1;
      waiting.get(Number(message.id))?.(message);
    }
  });
  const send = (line: string): void => void child.stdin.write(`${line}\n`);
  const request = (method: string, params: object = {}): Promise<RpcMessage> => {
    const id = (lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<RpcMessage>();
    waiting.set(id, resolve);
    void ended.then((code) => reject(new Error(`it ended with ${code}: ${stderr}`)));
    send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return promise;
  };
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    request,
    send,
    async begin() {
      const clientInfo = { name: 'test', version: '1' };
      const answer = await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
      return answer;
    },
    close() {
      child.stdin.end();
      return ended;
    },
    vanish: () => void child.kill('SIGKILL'),
    deafen: () => void child.stdout.destroy(),
    ended,
  };
}
