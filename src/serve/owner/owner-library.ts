// A library that another process owns: every call goes there. An owner that ended meanwhile is started again.

import { ownerSocket } from '../local/owner-socket.ts';
import { callOwner } from './owner-client.ts';
import { findOwner, type FindOwnerDeps } from '../local/find-owner.ts';
import type { OpenLibrary } from '../cli/cli-runtime.ts';
import { pinakesError } from '../../core/model/errors.ts';

const TRIES = 5;

/** `files`: whether paths may be named. */
export async function openOwnerLibrary(deps: FindOwnerDeps, files: boolean): Promise<OpenLibrary> {
  const socket = ownerSocket(deps.dataDir);
  await findOwner(deps);
  return {
    async call(action, input, options = {}) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const answered = await callOwner(socket, { action, input, files }, options);
        if (answered !== null) return answered.answer;
        await findOwner(deps);
      }
      throw pinakesError('owner.silent', { directory: deps.dataDir, why: 'each ended at once', log: 'pinakes.log' });
    },
    work: () => undefined,
    goesOn: true,
    close: async () => undefined,
  };
}
