// The version of the program, from its package.

import { readFileSync } from 'node:fs';
import { requiredPackagePath } from './package-path.ts';

const { version } = JSON.parse(readFileSync(requiredPackagePath('package.json'), 'utf8')) as { version: string };

export const PROGRAM_VERSION = version;
