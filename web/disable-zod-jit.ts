// Turns off the JIT of zod, which tries eval: a page whose policy forbids eval would report a violation. Must run before core
// creates its schemas.

import { config } from 'zod';

config({ jitless: true });
