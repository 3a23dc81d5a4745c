// What a run has reached, in words.

/** What a kind means. Any other kind is its own message. */
const MESSAGES: Readonly<Record<string, string>> = {
  seeded: 'The first URLs of the site are in the queue',
  'files-listed': 'The files of the folder are in the queue',
  aborted: 'The run ends early',
};

interface MilestoneFacts {
  readonly kind: string;
  readonly scope: string;
  readonly target: string;
  readonly message: string;
}

/** The fields of a milestone in lists and events alike; its target is always a run. */
export function milestoneFacts(run: number, kind: string): MilestoneFacts {
  return { kind, scope: 'run', target: `run ${run}`, message: MESSAGES[kind] ?? kind };
}
