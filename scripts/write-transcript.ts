// Writes docs/quick-start-transcript.md from what the packed program says.

import { writeFileSync } from 'node:fs';
import { quickStartTranscript } from '../test/package/quick-start.ts';

writeFileSync(new URL('../docs/quick-start-transcript.md', import.meta.url), await quickStartTranscript());
