// Loaded before the program with `node --import`: replaces its clock, plants the fault that PINAKES_PLANTED_FAULT names, and makes another copy
// of the program of what is imported as the previous build.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PLANTED_FAULTS, type Edit } from './planted-faults.table.ts';
import { PREVIOUS_BUILD, PREVIOUS_EDITS, SHARED_MODULES } from './previous-build.table.ts';

const ROOT = new URL('../../../', import.meta.url).href;
const SOURCE = `${ROOT}src/`;
const CLOCK = `${SOURCE}platform/clock.ts`;
const PARSER = new URL('simulated-parser.ts', import.meta.url).href;
const SIMULATED_CLOCK = new URL('simulated-clock.ts', import.meta.url).href;

const name = process.env['PINAKES_PLANTED_FAULT'];
const planted = PLANTED_FAULTS.find((fault) => fault.name === name);
if (name !== undefined && planted === undefined) throw new Error(`there is no planted fault ${name}`);

/** Modules that each build has for itself; the world around its processes is one. */
function isOfBuild(url: string): boolean {
  if (url === PARSER) return true;
  return url.startsWith(SOURCE) && !SHARED_MODULES.includes(url.slice(SOURCE.length));
}

function editsOf(file: string, isPrevious: boolean): readonly Edit[] {
  const edits = [planted, planted?.also, ...(isPrevious ? PREVIOUS_EDITS : [])];
  return edits.filter((edit) => edit !== undefined && `${SOURCE}${edit.file}` === file) as readonly Edit[];
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    if (resolved.url === CLOCK) return { ...resolved, url: SIMULATED_CLOCK };
    const isPrevious = context.parentURL?.endsWith(PREVIOUS_BUILD) === true && isOfBuild(resolved.url);
    return isPrevious ? { ...resolved, url: `${resolved.url}${PREVIOUS_BUILD}` } : resolved;
  },
  load(url, context, nextLoad) {
    const isPrevious = url.endsWith(PREVIOUS_BUILD);
    const file = isPrevious ? url.slice(0, -PREVIOUS_BUILD.length) : url;
    const edits = editsOf(file, isPrevious);
    if (edits.length === 0) return nextLoad(url, context);
    let source = readFileSync(fileURLToPath(file), 'utf8');
    for (const { file: edited, find, replace } of edits) {
      if (source.split(find).length !== 2) throw new Error(`${find}: it must occur once in ${edited}`);
      source = source.replace(find, () => replace);
    }
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
