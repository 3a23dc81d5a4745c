// Runs in one version of Node: reads the inputs from one file and writes the outputs to another.

import { readFileSync, writeFileSync } from 'node:fs';
import type { EngineInputs } from './engine-inputs.ts';
import { engineOutputs } from './engine-outputs.ts';

const [from = '', to = ''] = process.argv.slice(2);
const outputs = await engineOutputs(JSON.parse(readFileSync(from, 'utf8')) as EngineInputs);
writeFileSync(to, JSON.stringify(outputs));
