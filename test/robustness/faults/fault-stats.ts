// Statistics over many trials of one fault.

import { LEASE_MS, type TrialResult } from './trial.ts';
import type { Fault } from './fault-fixture.ts';

const DEFAULT_LEASE_MS = 30_000;

export function nameOf({ engine, variant }: Fault): string {
  return variant === undefined ? engine : `${engine}, ${variant}`;
}

/** What waits for a lease would wait for the whole of a longer one; the rest takes the same time. */
export function secondsAtDefaultLease(fault: Fault, resumedInMs: number | null): number | null {
  if (resumedInMs === null) return null;
  const ms = fault.waitsForLease ? Math.max(0, resumedInMs - LEASE_MS) + DEFAULT_LEASE_MS : resumedInMs;
  return Math.round(ms / 100) / 10;
}

export interface FaultStats {
  readonly id: string;
  readonly on: string;
  readonly trials: number;
  readonly violations: number;
  readonly lost: number;
  readonly different: number;
  readonly doubled: number;
  readonly unmet: readonly string[];
  readonly worstResume: { readonly leases: number; readonly secondsAtDefaultLease: number | null } | null;
  /** The worst of the fault's own measurements, in ms. */
  readonly measured?: Readonly<Record<string, number>>;
  readonly notRun?: string;
}

export function faultStats(fault: Fault, results: readonly TrialResult[]): FaultStats {
  const sum = (field: 'lost' | 'different' | 'doubled'): number =>
    results.reduce((total, result) => total + result[field], 0);
  const measured: Record<string, number> = {};
  for (const [what, ms] of results.flatMap((result) => Object.entries(result.measured)))
    measured[what] = Math.max(measured[what] ?? 0, ms);
  const worst = Math.max(-1, ...results.map(({ resumedInMs }) => resumedInMs ?? -1));
  return {
    id: fault.id,
    on: nameOf(fault),
    trials: results.length,
    violations: results.reduce((total, { violations }) => total + violations.length, 0),
    lost: sum('lost'),
    different: sum('different'),
    doubled: sum('doubled'),
    unmet: results.flatMap(({ unmet }) => unmet.map((sentence) => sentence.slice(0, 300))),
    ...(Object.keys(measured).length === 0 ? {} : { measured }),
    worstResume:
      worst < 0
        ? null
        : {
            leases: Math.round((worst / LEASE_MS) * 10) / 10,
            secondsAtDefaultLease: secondsAtDefaultLease(fault, worst),
          },
  };
}
