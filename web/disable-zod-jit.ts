// A page whose policy forbids eval would report that zod tried it. This must run before core makes its schemas.

import { config } from 'zod';

config({ jitless: true });
