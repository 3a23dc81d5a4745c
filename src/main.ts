#!/usr/bin/env node
// The program `pinakes`. An unsupported Node is reported in one sentence, so this file and what it imports must parse on
// Node 14; everything else is imported only after the check.

import { unsupportedNode } from './platform/supported-node.ts';

const problem = unsupportedNode(process.versions.node);
if (problem === null) {
  await import('./start.ts');
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
