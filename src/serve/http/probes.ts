// Routes for monitoring: whether the process lives, whether it is ready, what it crawls, and metrics. A worker serves these alone.

import { Hono, type Context } from 'hono';
import { pinakesError } from '../../core/model/errors.ts';
import { gauge, METRICS_MEDIA_TYPE, metricsText } from '../../platform/metrics.ts';
import type { MetricName } from '../../platform/metrics.table.ts';
import { errorBody, toPinakesError } from '../public-error.ts';
import { requireAllSources } from '../call-as.ts';
import { createAuthMiddleware, SECURITY_HEADERS, type AuthDeps, type Env } from './auth-middleware.ts';
import { sendText } from './compress.ts';
import type { Monitoring } from './http-deps.ts';
import { ACTIVITY_PATHS } from './load-shedder.ts';

export function addProbes(
  app: Hono<Env>,
  { metrics, samples, readiness, crawlHealth }: Monitoring,
  ownGauges: () => Partial<Readonly<Record<MetricName, number>>> = () => ({}),
): void {
  app.get('/healthz', (c) => c.text('ok'));
  app.get('/readyz', async (c) => {
    const problem = await readiness();
    return problem === null ? c.text('ready') : c.text('not ready', 503);
  });
  for (const path of ACTIVITY_PATHS)
    app.get(path, async (c) => {
      requireAllSources(c.get('principal'));
      return c.json(await crawlHealth());
    });
  app.get('/metrics', async (c) => {
    // Their counts are about all sources.
    requireAllSources(c.get('principal'));
    const own = Object.entries(ownGauges()).map(([name, value]) => gauge(name as MetricName, value));
    const text = metricsText([...metrics.samples(), ...(await samples()), ...own]);
    return sendText(c, text, { type: METRICS_MEDIA_TYPE });
  });
}

export interface ProbeDeps extends AuthDeps {
  readonly monitoring: Monitoring;
}

/** What `pinakes worker --metrics-port` serves, with the access rules of the server. */
export function createProbeApp(deps: ProbeDeps): Hono<Env> {
  const app = new Hono<Env>();
  const { authenticateRequest } = createAuthMiddleware(deps);
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value);
  });
  app.use(authenticateRequest);
  addProbes(app, deps.monitoring);
  app.notFound((c) => probeError(c, pinakesError('http.not-found', { path: c.req.path.slice(0, 200) })));
  app.onError((error, c) => probeError(c, toPinakesError(error)));
  return app;
}

function probeError(c: Context<Env>, error: ReturnType<typeof toPinakesError>): Response {
  return c.json(errorBody(error, ''), error.httpStatus as 400);
}
