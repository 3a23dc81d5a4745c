#!/usr/bin/env node
// The program `pinakes`. What is to be left out has to be said before the rest is loaded.

import { leaveOutTranslations } from './platform/lean-modules.ts';

leaveOutTranslations();
await import('./program.ts');
