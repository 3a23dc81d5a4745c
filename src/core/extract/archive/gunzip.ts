// Decompresses gzip, detected by its magic number, and never emits more bytes than allowed.

import { Gunzip } from 'fflate';

export interface Decompressor {
  /** Emits the bytes, decompressed if necessary. False once nothing more will be accepted. */
  push(octets: Uint8Array, last: boolean): boolean;
  readonly stopped: () => 'too-large' | 'malformed' | null;
}

/** A slice of this size expands to 16 MB at most, so that a zip bomb is detected long before it fills the memory. */
const SLICE_BYTES = 16_384;

export function createDecompressor(maxBytes: number, onBytes: (octets: Uint8Array) => void): Decompressor {
  const state: State = {
    remainingBytes: maxBytes,
    stopped: null,
    gunzip: null,
    started: false,
    pending: new Uint8Array(),
  };
  const emit = (octets: Uint8Array): void => {
    if (state.stopped !== null) return;
    const accepted = octets.subarray(0, state.remainingBytes);
    state.remainingBytes -= accepted.length;
    if (accepted.length > 0) onBytes(accepted);
    if (accepted.length < octets.length) state.stopped = 'too-large';
  };
  return {
    push(octets, last) {
      if (state.stopped !== null) return false;
      // The magic number has two bytes; the first chunk may have only one.
      const all = state.pending.length === 0 ? octets : concat(state.pending, octets);
      const undecided = !state.started && all.length < 2 && !last;
      state.pending = undecided ? all : new Uint8Array();
      if (undecided) return true;
      if (!state.started && all[0] === 0x1f && all[1] === 0x8b) state.gunzip = new Gunzip(emit);
      state.started = true;
      if (state.gunzip === null) emit(all);
      else decode(state, state.gunzip, all, last);
      return state.stopped === null;
    },
    stopped: () => state.stopped,
  };
}

interface State {
  /** Bytes that may still be emitted. */
  remainingBytes: number;
  stopped: 'too-large' | 'malformed' | null;
  gunzip: Gunzip | null;
  started: boolean;
  pending: Uint8Array;
}

function decode(state: State, gunzip: Gunzip, octets: Uint8Array, last: boolean): void {
  try {
    for (let at = 0; at < octets.length && state.stopped === null; at += SLICE_BYTES)
      gunzip.push(octets.subarray(at, at + SLICE_BYTES));
    if (last && state.stopped === null) gunzip.push(new Uint8Array(), true);
  } catch {
    state.stopped ??= 'malformed';
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
