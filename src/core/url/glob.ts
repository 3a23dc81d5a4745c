// Matches text against a glob in time proportional to text times pattern, whatever the two are: all places in the
// pattern are followed at once, so there is nothing to go back to.

import { compileGlobProgram, type GlobStep } from './glob-program.ts';

export interface Glob {
  readonly pattern: string;
  readonly steps: readonly GlobStep[];
}

/** Throws `pattern.invalid` with the reason. A pattern is checked when it is given, never while matching. */
export function compileGlob(pattern: string): Glob {
  return { pattern, steps: compileGlobProgram(pattern) };
}

export function matchesGlob(text: string, { steps }: Glob): boolean {
  // seen[place] is the turn in which a place was last reached, so that no turn has to clear it.
  const seen = new Uint32Array(steps.length + 1);
  let places: number[] = [];
  reach(0, { steps, seen, turn: 1, places });
  for (let at = 0; at < text.length && places.length > 0; at += 1) {
    const code = text.charCodeAt(at);
    const turn: Turn = { steps, seen, turn: at + 2, places: [] };
    for (const place of places) {
      const step = steps[place];
      if (step !== undefined && takes(step, code)) reach(loops(step) ? place : place + 1, turn);
    }
    places = turn.places;
  }
  return places.includes(steps.length);
}

interface Turn {
  readonly steps: readonly GlobStep[];
  readonly seen: Uint32Array;
  readonly turn: number;
  readonly places: number[];
}

/** Adds all places that can be reached from here without reading a character; forks themselves are left out. */
function reach(from: number, { steps, seen, turn, places }: Turn): void {
  if (seen[from] === turn) return;
  const open = [from];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (seen[place] === turn) continue;
    seen[place] = turn;
    const step = steps[place];
    if (step?.kind === 'fork') {
      for (const target of step.to) open.push(target);
      continue;
    }
    places.push(place);
    if (step !== undefined && loops(step)) open.push(place + 1);
  }
}

function loops(step: GlobStep): boolean {
  return step.kind === 'star' || step.kind === 'globstar';
}

const SLASH = 0x2f;

function takes(step: GlobStep, code: number): boolean {
  switch (step.kind) {
    case 'char':
      return step.code === code;
    case 'one-of':
      return step.codes.has(code);
    case 'any':
    case 'star':
      return code !== SLASH;
    case 'globstar':
      return true;
    case 'fork':
  }
  return false;
}
