// The project is self-contained: nothing in it refers to the machine it was written on.

import { expect, test } from 'vitest';
import { projectFiles, readProject } from '../../support/project-files.ts';

/** Assembled from halves, so that this file does not match itself. */
const word = (...halves: string[]): RegExp => new RegExp(halves.join(''));

const ANYWHERE: ReadonlyArray<readonly [string, RegExp]> = [
  ['a folder of one machine', word('/wo', 'rk/(h|main|shared)\\b')],
  [
    'a folder next to the project',
    word('\\.\\./sha', 'red/(DESIGN|STYLE|REQUIREMENTS|LIBRARIES|security|rules|tools|reference|corpora)'),
  ],
];

const REGISTRY_HOST = word('reg', 'istry\\.(npmjs|yarnpkg)|npm\\.pkg\\.git', 'hub');
const OUTSIDE_DATA: ReadonlyArray<readonly [string, RegExp]> = [
  ['a registry host', REGISTRY_HOST],
  [
    'a mirror host',
    word('(deb|snapshot|security|ftp)\\.deb', 'ian\\.org|arti', 'fact-?regis', 'try\\.|pkg\\.d', 'ev/'),
  ],
  ['the home of one user', word('(^|[\\s"\'`(=:])/ro', 'ot/|/ho', 'me/(?!ada\\b|user\\b|you\\b)[a-z]')],
  ['a temporary folder of one run', word('/tmp/(tmp|bash|claude)[._-]')],
];

/** The program names once which registry npm itself uses without a configuration. */
const DEFAULT_REGISTRY = 'src/platform/npm-config.ts';

const DATA = /^(LICENSE$|test\/data\/(cases|corpora|golden|quality)\/)/;

test('no file names a path outside the project', () => {
  const found = projectFiles().flatMap((file) => {
    const whole = readProject(file);
    const text = file === DEFAULT_REGISTRY ? whole.replace(REGISTRY_HOST, '') : whole;
    const patterns = DATA.test(file) ? ANYWHERE : [...ANYWHERE, ...OUTSIDE_DATA];
    return patterns.filter(([, pattern]) => pattern.test(text)).map(([what]) => `${file}: ${what}`);
  });
  expect(found).toEqual([]);
});

test.each([
  ['a registry host', ['https://reg', 'istry.npmjs.org/zod']],
  ['a mirror host', ['http://deb.deb', 'ian.org/debian']],
  ['the home of one user', ['see /ro', 'ot/.npmrc']],
  ['the home of one user', ['cd /ho', 'me/eve']],
])('%s is detected', (what, halves) => {
  const found = OUTSIDE_DATA.filter(([, pattern]) => pattern.test(halves.join('')));
  expect(found.map(([name]) => name)).toEqual([what]);
});
