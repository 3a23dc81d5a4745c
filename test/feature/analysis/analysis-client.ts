// A client of the analysis runs, written from the specification of their routes alone: it knows no code of the program. It rejects
// answers with other fields or other types.

export interface AnalysisRunAnswer {
  readonly id: string;
  readonly status: string;
  readonly stage: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly durationMs: number;
  readonly analysisVersion: number;
  readonly pageLimit: number | null;
  readonly domainLimit: number | null;
  readonly skipPages: boolean;
  readonly skipDomains: boolean;
  readonly dryRun: boolean;
  readonly verbose: boolean;
  readonly summary: Readonly<Record<string, unknown>> | null;
  readonly lastProgress: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
}

export interface AnalysisEventAnswer {
  readonly id: number;
  readonly runId: string;
  readonly ts: string;
  readonly stage: string;
  readonly message: string;
  readonly details: unknown;
}

export interface StartAnswer {
  readonly runId: string;
  readonly detailUrl: string;
  readonly apiUrl: string;
}

const FIELDS: ReadonlyArray<readonly [name: string, fits: (value: unknown) => boolean]> = [
  ['id', isText],
  ['status', isText],
  ['stage', isText],
  ['startedAt', isTime],
  ['endedAt', orNull(isTime)],
  ['durationMs', isNumber],
  ['analysisVersion', isNumber],
  ['pageLimit', orNull(isNumber)],
  ['domainLimit', orNull(isNumber)],
  ['skipPages', isBoolean],
  ['skipDomains', isBoolean],
  ['dryRun', isBoolean],
  ['verbose', isBoolean],
  ['summary', orNull(isObject)],
  ['lastProgress', orNull(isObject)],
  ['error', orNull(isText)],
];

const EVENT_FIELDS: typeof FIELDS = [
  ['id', isNumber],
  ['runId', isText],
  ['ts', isTime],
  ['stage', isText],
  ['message', isText],
  ['details', orNull(isObject)],
];

export function createAnalysisClient(server: string) {
  async function request(path: string, body?: object): Promise<{ readonly status: number; readonly answer: unknown }> {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(server + path, body === undefined ? {} : sent);
    return { status: response.status, answer: await response.json() };
  }

  return {
    async list(query = ''): Promise<{ readonly total: number; readonly items: readonly AnalysisRunAnswer[] }> {
      const { status, answer } = await request(`/api/analysis${query}`);
      require(status === 200 && isObject(answer), `the list is answered with ${status}`);
      const { total, items } = answer as { total: unknown; items: unknown };
      require(isNumber(total) && Array.isArray(items), 'the list has total and items');
      for (const item of items) requireFields(item, FIELDS);
      return answer as never;
    },
    async show(
      id: string,
      query = '',
    ): Promise<{ readonly run: AnalysisRunAnswer; readonly events: readonly AnalysisEventAnswer[] }> {
      const { status, answer } = await request(`/api/analysis/${id}${query}`);
      require(status === 200 && isObject(answer), `the run is answered with ${status}`);
      const { run, events } = answer as { run: unknown; events: readonly unknown[] };
      requireFields(run, FIELDS);
      for (const event of events) requireFields(event, EVENT_FIELDS);
      return answer as never;
    },
    statusOf: async (path: string): Promise<number> => (await request(path)).status,
    async start(options: object = {}): Promise<StartAnswer> {
      const { status, answer } = await request('/api/analysis/start', options);
      require(status === 202 && isObject(answer), `the start is answered with ${status}: ${JSON.stringify(answer)}`);
      const { runId, detailUrl, apiUrl } = answer as StartAnswer;
      require(detailUrl === `/analysis/${runId}/ssr`, `detailUrl is ${detailUrl}`);
      require(apiUrl === `/api/analysis/${runId}`, `apiUrl is ${apiUrl}`);
      return answer as never;
    },
    async page(path: string): Promise<string> {
      const response = await fetch(server + path);
      const type = response.headers.get('content-type') ?? '';
      require(response.status === 200 && type.includes('text/html'), `${path}: ${response.status} ${type}`);
      return response.text();
    },
  };
}

function requireFields(value: unknown, fields: typeof FIELDS): void {
  require(isObject(value), 'an object is expected');
  for (const [name, fits] of fields)
    require(name in (value as object) &&
      fits((value as Record<string, unknown>)[name]), `${name} in ${JSON.stringify(value)}`);
}

function require(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && new Date(value).toISOString() === value;
}

function orNull(fits: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === null || fits(value);
}
