// What the product owes its users, by the ids under which it was promised, as far as it is built. A test that shows one
// cites its id in brackets in its name. An id that no test cites, or a cited id that is not here, fails the suite.

export interface Requirement {
  readonly id: string;
  /** What holds today. */
  readonly holds: string;
  /** What of the promise is not built yet; null when it is whole. */
  readonly lacks: string | null;
}

export const REQUIREMENTS: readonly Requirement[] = [
  { id: 'D9', holds: 'plan lists what would be taken and refused, by which rule, and stores nothing', lacks: null },
  {
    id: 'F1',
    holds: 'robots.txt is asked first and obeyed; noindex and nofollow are obeyed; the name we give has a contact',
    lacks: 'Crawl-delay',
  },
  {
    id: 'F6',
    holds:
      'the address guard stands before every connection; only the settings of the operator open what is not public',
    lacks: null,
  },
  {
    id: 'R1',
    holds:
      'runs start, pause, resume and stop from any process, survive restarts and kill -9, and their history is kept',
    lacks: 'doors other than the command line',
  },
  {
    id: 'R2',
    holds:
      'a run ends in one state, with its counts by outcome and its grouped reasons; every accepted URL has one outcome',
    lacks: null,
  },
  {
    id: 'R3',
    holds: 'status and live progress show counts, rate, time left, and the pace and breaker of each host',
    lacks: null,
  },
  {
    id: 'R4',
    holds:
      'every URL of a run is listed with its outcome and reason; events are read newest first, by kind, page by page',
    lacks: 'retention',
  },
  { id: 'R8', holds: 'SIGTERM ends a worker within 25 s with nothing held; SIGKILL loses nothing', lacks: null },
  {
    id: 'S2',
    holds: 'a crawl stays in the folder of its start, on its host or in its domain, judged on the final URL',
    lacks: null,
  },
  {
    id: 'S5',
    holds: 'every refused URL is recorded with its rule and shown in status; a crawl that stores nothing says why',
    lacks: null,
  },
  {
    id: 'S7',
    holds: 'redirects and rel=canonical fold URLs into one page with aliases',
    lacks: 'index files and identical content',
  },
  {
    id: 'U2',
    holds:
      'add --wait shows progress, on a terminal or as JSON lines; every command has --json; errors say what to do next; config print shows origins',
    lacks: 'doctor',
  },
  { id: 'X6', holds: 'search needs no model and no key and states its mode', lacks: null },
];
