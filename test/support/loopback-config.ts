// Settings for our own sites on loopback: open to them, without delays between requests.

import { loadConfig } from '../../src/platform/config/load-config.ts';

const env = {
  HOME: '/nowhere',
  PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  PINAKES_CRAWL_START_DELAY_MS: '0',
};

export const { config } = loadConfig({ env, cwd: '/', readFile: () => null });
