// Loaded before the program with `node --import`: replaces its clock, and plants the fault that PINAKES_PLANTED_FAULT names.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PLANTED_FAULTS, type Edit } from './planted-faults.table.ts';

const ROOT = new URL('../../../', import.meta.url).href;
const CLOCK = `${ROOT}src/platform/clock.ts`;
const SIMULATED_CLOCK = new URL('simulated-clock.ts', import.meta.url).href;

const name = process.env['PINAKES_PLANTED_FAULT'];
const planted = PLANTED_FAULTS.find((fault) => fault.name === name);
if (name !== undefined && planted === undefined) throw new Error(`there is no planted fault ${name}`);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    return resolved.url === CLOCK ? { ...resolved, url: SIMULATED_CLOCK } : resolved;
  },
  load(url, context, nextLoad) {
    const edits = [planted, planted?.also].filter((edit) => edit !== undefined && url === `${ROOT}src/${edit.file}`);
    if (edits.length === 0) return nextLoad(url, context);
    let source = readFileSync(fileURLToPath(url), 'utf8');
    for (const { file, find, replace } of edits as readonly Edit[]) {
      if (source.split(find).length !== 2) throw new Error(`${name}: its text must occur once in ${file}`);
      source = source.replace(find, () => replace);
    }
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
