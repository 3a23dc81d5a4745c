// What was written into the configuration of an assistant, or would be.

import type { SetUp } from '../setup/setup-client.ts';

export function renderSetUp({ client, file, text, done, backup, hint }: SetUp): string {
  switch (done) {
    case 'shown':
      return `${client} would have this in ${file}:\n\n${text}`;
    case 'written':
      return `${client} knows Pinakes now: ${file}\n${backup === null ? '' : `The file as it was: ${backup}; --undo brings it back.\n`}${hint}.\n`;
    case 'undone':
      return `${file} is as it was before.\n`;
    case 'unchanged':
      return `Nothing was to do in ${file}.\n`;
  }
}
