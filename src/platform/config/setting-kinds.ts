// The kinds of settings that several groups have, and what a setting can say about itself.

import { z } from 'zod';

declare module 'zod' {
  interface GlobalMeta {
    /** The value contains a password or a key: it is masked wherever it is shown. */
    secret?: boolean;
    /** Text of the reference page if the default depends on the machine. */
    defaultText?: string;
    /** A path, or a list of paths. A relative one starts at the folder of the file that sets it, otherwise at the working folder. */
    isPath?: boolean;
    /** How a config file in the working folder may narrow the setting. Absent: it may not set it. */
    inWorkingFolder?: FolderNarrowing;
  }
}

/**
 * The author of the working folder, which may be a cloned repository, is not the operator. Files in it may
 * lower a limit, raise a delay or turn a restriction on. They never decide where a secret, a query or the data goes, or what
 * may be reached.
 */
export type FolderNarrowing = 'lower' | 'raise' | 'enable';

export const lower = { inWorkingFolder: 'lower' } as const;
export const raise = { inWorkingFolder: 'raise' } as const;
export const enable = { inWorkingFolder: 'enable' } as const;

export const ms = (initial: number) => z.int().min(1).max(86_400_000).default(initial);
/** 0 means none. */
export const delay = (initial: number) => z.int().min(0).max(86_400_000).default(initial);
export const minutes = (initial: number) => z.number().positive().max(5_256_000).default(initial);
export const count = (initial: number, max: number) => z.int().min(1).max(max).default(initial);

/** A number of days; 0 means forever. */
export const days = (value: number) => z.int().min(0).max(36_500).default(value);
