// Generates docs/quick-start-transcript.md and the session in README.md from the output of the packed program.

import { readFileSync, writeFileSync } from 'node:fs';
import { quickStartTranscript, README_SESSION, readmeSession } from '../test/project/npm-package/quick-start.ts';

writeFileSync(new URL('../docs/quick-start-transcript.md', import.meta.url), await quickStartTranscript());
const file = new URL('../README.md', import.meta.url);
const readme = readFileSync(file, 'utf8');
const session = await readmeSession(readme);
writeFileSync(
  file,
  readme.replace(README_SESSION, () => session),
);
