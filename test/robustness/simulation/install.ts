// Loaded before the program with `node --import`: replaces its clock, and plants the fault that PINAKES_PLANTED_FAULT names.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PLANTED_FAULTS } from './planted-faults.table.ts';

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
    const edit = [planted, planted?.also].find((one) => one !== undefined && url === `${ROOT}src/${one.file}`);
    if (edit === undefined) return nextLoad(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    if (source.split(edit.find).length !== 2) throw new Error(`${name}: its text must occur once in ${edit.file}`);
    return {
      format: 'module-typescript',
      source: source.replace(edit.find, () => edit.replace),
      shortCircuit: true,
    };
  },
});
