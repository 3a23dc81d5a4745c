// The memory of a process, as the kernel reports it.

import { readFileSync } from 'node:fs';

type MemoryField = 'VmRSS' | 'VmHWM' | 'RssAnon' | 'RssShmem';

/** 0 for a process that has just exited; throws once it is gone. */
export function memoryMegabytes(pid: number | string | undefined, field: MemoryField): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024) / 1e6;
}
