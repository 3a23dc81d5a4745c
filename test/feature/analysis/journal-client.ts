// A client of problems and milestones, written from the specification of their frames and pages alone: it knows no code of the program. It
// rejects frames with other fields or other types.

export interface Reported {
  readonly kind: string;
  readonly scope: string;
  readonly target: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly jobId: string;
  readonly ts: string;
}

export interface ReportedProblem extends Reported {
  readonly severity: string;
}

export interface JournalFrames {
  readonly problems: readonly ReportedProblem[];
  readonly milestones: readonly Reported[];
  close(): void;
}

const SEVERITIES: ReadonlySet<unknown> = new Set(['info', 'warn', 'error']);

/** Collects the frames of `/events` from now on. */
export async function followJournal(server: string): Promise<JournalFrames> {
  const [problems, milestones]: [ReportedProblem[], Reported[]] = [[], []];
  const stop = new AbortController();
  const response = await fetch(`${server}/events?logs=0`, { signal: stop.signal });
  if (response.body === null) throw new Error('the stream has no body');
  const reading = (async () => {
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const event = /^event: (.*)$/m.exec(frame)?.[1];
        const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '{}';
        if (event === 'problem') problems.push(problemOf(JSON.parse(data)));
        if (event === 'milestone') milestones.push(reportOf(JSON.parse(data)));
      }
    }
  })();
  const failed: unknown[] = [];
  reading.catch((error: unknown) => void (stop.signal.aborted || failed.push(error)));
  return {
    get problems() {
      if (failed.length > 0) throw failed[0];
      return problems;
    },
    get milestones() {
      if (failed.length > 0) throw failed[0];
      return milestones;
    },
    close: () => stop.abort(),
  };
}

function problemOf(value: Readonly<Record<string, unknown>>): ReportedProblem {
  if (!SEVERITIES.has(value['severity'])) throw new Error(`severity in ${JSON.stringify(value)}`);
  return reportOf(value) as ReportedProblem;
}

function reportOf(value: Readonly<Record<string, unknown>>): Reported {
  for (const name of ['kind', 'scope', 'target', 'message', 'jobId', 'ts'])
    if (typeof value[name] !== 'string' || value[name] === '') throw new Error(`${name} in ${JSON.stringify(value)}`);
  const { details, ts } = value;
  if (typeof details !== 'object' || details === null || Array.isArray(details))
    throw new Error('details is not an object');
  if (new Date(String(ts)).toISOString() !== ts) throw new Error(`ts is ${String(ts)}`);
  return value as unknown as Reported;
}

/** The rows of a server-rendered list, as texts of their cells by the heads of the columns. */
export async function readList(server: string, path: string): Promise<ReadonlyArray<Readonly<Record<string, string>>>> {
  const response = await fetch(server + path, { headers: { accept: 'text/html' } });
  const type = response.headers.get('content-type') ?? '';
  if (response.status !== 200 || !type.includes('text/html')) throw new Error(`${path}: ${response.status} ${type}`);
  const page = await response.text();
  for (const word of ['Latest', '<form', '<table']) if (!page.includes(word)) throw new Error(`${path} has no ${word}`);
  const cellsOf = (row: string, tag: string): string[] =>
    [...row.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, cell = '']) =>
      cell.replaceAll(/<[^>]*>/g, '').trim(),
    );
  const heads = cellsOf(page, 'th');
  return [...page.matchAll(/<tr>([\s\S]*?)<\/tr>/g)]
    .map(([, row = '']) => cellsOf(row, 'td'))
    .filter((cells) => cells.length > 0)
    .map((cells) => Object.fromEntries(heads.map((head, at) => [head, cells[at] ?? ''])));
}
