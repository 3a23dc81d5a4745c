// Runs a program and watches what it costs: time, CPU time, memory.

import { spawn } from 'node:child_process';
import { memoryMegabytes } from './process-memory.ts';
import { childrenCpuMs } from './processor-time.ts';

export interface Watched {
  readonly answer: string;
  readonly seconds: number;
  readonly cpuMs: number;
  readonly peakMegabytes: number;
  /** Resident memory once a second, with the last message of the process. */
  readonly samples: ReadonlyArray<{ readonly megabytes: number; readonly lastMessage: string }>;
}

/** Runs Node with these arguments. CPU time is that of the whole process with all its threads. */
export async function watch(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Watched> {
  const cpuBefore = childrenCpuMs();
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let answer = '';
  let lastMessage = '';
  let peak = 0;
  const samples: Array<{ megabytes: number; lastMessage: string }> = [];
  child.stdout.on('data', (data: Buffer) => (answer += data.toString()));
  child.stderr.on('data', (data: Buffer) => (lastMessage = data.toString()));
  const sampler = setInterval(() => {
    try {
      peak = Math.max(peak, memoryMegabytes(child.pid, 'VmHWM'));
      const megabytes = memoryMegabytes(child.pid, 'VmRSS');
      if (megabytes > 0) samples.push({ megabytes, lastMessage });
    } catch {
      // it has just exited
    }
  }, 1000);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(sampler);
  // A crawl in which some pages failed exits with an error code, and prints its result all the same.
  if (code !== 0 && answer === '')
    throw new Error(`${args.join(' ')} ended with ${String(code)}: ${lastMessage.slice(-500)}`);
  const seconds = (performance.now() - started) / 1000;
  return { answer, seconds, cpuMs: childrenCpuMs() - cpuBefore, peakMegabytes: peak, samples };
}
