// Opens gzip by its magic number, whatever the server called it, and never gives more octets than allowed.

import { Gunzip } from 'fflate';

export interface Decompressor {
  /** Hands the octets on, decoded if they were compressed. False once nothing more will be taken. */
  push(octets: Uint8Array, last: boolean): boolean;
  readonly stopped: () => 'too-large' | 'malformed' | null;
}

/** A slice of this size grows to 16 MB at most, so that a bomb is noticed long before it fills the memory. */
const SLICE = 16_384;

export function createDecompressor(maxBytes: number, take: (octets: Uint8Array) => void): Decompressor {
  const state: State = { room: maxBytes, stopped: null, gunzip: null, started: false, held: new Uint8Array() };
  const give = (octets: Uint8Array): void => {
    if (state.stopped !== null) return;
    const some = octets.subarray(0, state.room);
    state.room -= some.length;
    if (some.length > 0) take(some);
    if (some.length < octets.length) state.stopped = 'too-large';
  };
  return {
    push(octets, last) {
      if (state.stopped !== null) return false;
      // Two octets decide; the first chunk may hold only one.
      const all = state.held.length === 0 ? octets : joined(state.held, octets);
      const undecided = !state.started && all.length < 2 && !last;
      state.held = undecided ? all : new Uint8Array();
      if (undecided) return true;
      if (!state.started && all[0] === 0x1f && all[1] === 0x8b) state.gunzip = new Gunzip(give);
      state.started = true;
      if (state.gunzip === null) give(all);
      else decode(state, state.gunzip, all, last);
      return state.stopped === null;
    },
    stopped: () => state.stopped,
  };
}

interface State {
  /** Octets that may still be given. */
  room: number;
  stopped: 'too-large' | 'malformed' | null;
  gunzip: Gunzip | null;
  started: boolean;
  held: Uint8Array;
}

function decode(state: State, gunzip: Gunzip, octets: Uint8Array, last: boolean): void {
  try {
    for (let at = 0; at < octets.length && state.stopped === null; at += SLICE)
      gunzip.push(octets.subarray(at, at + SLICE));
    if (last && state.stopped === null) gunzip.push(new Uint8Array(), true);
  } catch {
    state.stopped ??= 'malformed';
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
