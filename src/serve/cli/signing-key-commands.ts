// `pinakes signing-keys`: creates and rotates the keys that sign requests to sites.

import { InvalidArgumentError, type Command } from 'commander';
import { now } from '../../platform/clock.ts';
import type { SigningKey } from '../../platform/signing-keys.ts';
import type { CliRuntime } from './cli-runtime.ts';
import { inGroup } from './program-help.ts';

const HOUR_MS = 3_600_000;
const OVERLAP_HOURS = 24;

export function addSigningKeyCommands(program: Command, runtime: CliRuntime): void {
  const parent = inGroup(program.command('signing-keys'), 'maintain')
    .summary('Commands: generate, rotate')
    .description('Create and rotate the keys that sign requests to sites (Web Bot Auth)');
  parent
    .command('generate')
    .summary('Create a file with a key that signs requests')
    .description(
      'Create a file with a key that signs requests to sites, readable by this user only. PINAKES_FETCH_SIGNING_KEYS names it to the program.\n\nExample:\n  $ pinakes signing-keys generate ~/.config/pinakes/signing-keys.json',
    )
    .argument('<file>', 'The file to create')
    .option('--json', 'Print the result as JSON')
    .action(async (file: string, { json = false }: { readonly json?: boolean }) => {
      const { generateSigningKeys } = await import('../../platform/signing-keys.ts');
      print(runtime, generateSigningKeys(file, now()), json);
    });
  parent
    .command('rotate')
    .summary('Add a key that replaces the present one')
    .description(
      'Add a key that replaces the present one. It is published at once and signs after the overlap, when verifiers know it; the present one stays published for as long again. Running processes need no restart.\n\nExamples:\n  $ pinakes signing-keys rotate ~/.config/pinakes/signing-keys.json\n  $ pinakes signing-keys rotate ~/.config/pinakes/signing-keys.json --revoke',
    )
    .argument('<file>', 'A file written by pinakes signing-keys generate')
    .option('--overlap <hours>', 'Hours before the new key signs, from 1 to 720; 24 by default', hours)
    .option('--revoke', 'The present keys are compromised: delete them, and sign with the new one at once')
    .option('--json', 'Print the result as JSON')
    .action(
      async (
        file: string,
        flags: { readonly overlap?: number; readonly revoke?: boolean; readonly json?: boolean },
      ) => {
        const { overlap = OVERLAP_HOURS, revoke = false, json = false } = flags;
        const { rotateSigningKeys } = await import('../../platform/signing-keys.ts');
        const keys = rotateSigningKeys(file, { now: now(), overlapMs: overlap * HOUR_MS, revokes: revoke });
        print(runtime, keys, json);
      },
    );
}

function print(runtime: CliRuntime, keys: readonly SigningKey[], json: boolean): void {
  const shown = keys.map(({ keyId, signsFrom, publishedUntil }) => ({
    keyId,
    signsFrom: new Date(signsFrom).toISOString(),
    publishedUntil: publishedUntil === null ? null : new Date(publishedUntil).toISOString(),
  }));
  runtime.out(json ? `${JSON.stringify({ keys: shown })}\n` : shown.map(renderKey).join(''));
}

function renderKey(key: {
  readonly keyId: string;
  readonly signsFrom: string;
  readonly publishedUntil: string | null;
}): string {
  const until = key.publishedUntil === null ? '' : `, published until ${key.publishedUntil}`;
  return `${key.keyId}  signs from ${key.signsFrom}${until}\n`;
}

function hours(text: string): number {
  const value = Number(text);
  if (!/^\d{1,3}$/.test(text) || value < 1 || value > 720)
    throw new InvalidArgumentError('It is not a number of hours from 1 to 720.');
  return value;
}
