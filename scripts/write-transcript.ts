// Generates docs/quick-start-transcript.md from the output of the packed program.

import { writeFileSync } from 'node:fs';
import { quickStartTranscript } from '../test/package/quick-start.ts';

writeFileSync(new URL('../docs/quick-start-transcript.md', import.meta.url), await quickStartTranscript());
