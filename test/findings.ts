// Findings of reviews, by id: B store, crawl and search; X search index; P PostgreSQL at size; N security; T what a user
// meets. A test that shows a fault mended has the id in its name, as in `(finding B11)`. `test/findings.test.ts` compares
// both directions. One line each, in the order of the ids.

export interface Finding {
  readonly id: string;
  /** What was wrong. */
  readonly fault: string;
  /** Why there is no test of its own; absent if a test cites the id. */
  readonly answer?: string;
}

export const findings: readonly Finding[] = [
  { id: 'B11', fault: 'titles of OpenAPI documents were stored with control characters' },
  { id: 'B16', fault: 'six rules for fences of code disagreed' },
  { id: 'N1', fault: 'a config file in the working folder could send secrets and queries anywhere' },
  { id: 'N4', fault: 'each HTTP chunk of one byte was kept as an object, so one response took more than a gigabyte' },
  { id: 'N7', fault: 'each URL was matched against all rules of robots.txt, so 34,000 rules stopped a crawl' },
  { id: 'N8', fault: 'the background owner did not get the settings of a config file, so every command failed' },
  { id: 'N11', fault: 'texts of an imported bundle were stored with hidden characters' },
  { id: 'T1.15', fault: 'a range of ports was refused with a message of the parser' },
  { id: 'T2.9', fault: 'an unknown variable suggested another with which it shared only the prefix' },
];
