import { expect, test } from 'vitest';
import { bundledName } from './source-name.ts';

test.each(['django', 'docs.example.dev', 'handbook 2', 'C++'].map((name) => name.replace(' ', '-')))(
  'a bundle may be called %s',
  (name) => {
    expect(bundledName(name, 8)).toBe(name);
  },
);

// Projects pin packages by these names, and agents name a version after an @.
test.each(['npm:zod', 'npm:zod@3.25.1', 'pypi:requests', 'NPM:zod', 'django@4.2', 'npm:@scope/ui'])(
  'a bundle may not be called %s',
  (name) => {
    expect(bundledName(name, 8)).toBe('');
  },
);
