// Listed loads that are not run in this folder: where they are run, and what is missing.

export interface OtherLoad {
  readonly where: string;
  /** Its result in bench/results; null if nothing runs it. */
  readonly by: string | null;
}

export const OTHER_LOADS: Readonly<Record<string, OtherLoad>> = {
  L01: {
    where: 'npm run test:load: for ten minutes, at a tenth of the rate, as the list says of two cores',
    by: 'load.json',
  },
  L02: { where: 'npm run test:load', by: 'load.json' },
  L03: { where: 'npm run test:mcp-disconnect: 200 clients connect and disconnect, not all at the same time', by: null },
  L04: {
    where: 'npm run test:load: 2,000 streams at 50 events a second, as the list says of two cores',
    by: 'load.json',
  },
  L05: {
    where: 'node bench/store/frontier-postgres.ts and bench/store/frontier-sqlite.ts',
    by: 'frontier-postgres.json',
  },
  L06: {
    where: 'node bench/store/frontier-postgres.ts and bench/store/frontier-sqlite.ts',
    by: 'frontier-sqlite.json',
  },
  L08: {
    where: 'node bench/search/eval.ts: at 655,570 chunks, by words, without writing at the same time',
    by: 'eval-sqlite-all.json',
  },
  L09: { where: 'a day: not played; kills during crawls are, for minutes, by npm run test:kill-crawl', by: null },
  L10: { where: 'npm run test:recrawl: on real sites of up to some thousand pages', by: 'recrawl.json' },
  L12: { where: 'npm run test:politeness: four processes of 16, two hosts, two minutes', by: 'politeness.json' },
};
