// A clone is complete: no file refers to a folder next to the project.

import { readFileSync } from 'node:fs';
import { projectFiles, report } from './rules/project-files.ts';

const OUTSIDE = ['..', 'shared', ''].join('/');
const BINARY = /\.(?:png|ico|woff2?|zip|gz|wasm|tar|bin|onnx|pdf)$/;

report(
  projectFiles()
    .filter((file) => !BINARY.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          line.includes(OUTSIDE) ? [`${file}:${at + 1}: refers to ${OUTSIDE}, which no clone has`] : [],
        ),
    ),
);
