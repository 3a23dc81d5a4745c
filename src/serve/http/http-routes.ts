// The routes under /api, one for each way of an action onto HTTP.

import type { Action, HttpDoor } from '../../actions/action.ts';
import { actions } from '../../actions/actions.ts';

export interface HttpRoute {
  readonly action: Action;
  readonly door: HttpDoor;
}

export const httpRoutes: readonly HttpRoute[] = actions.flatMap((action) => {
  const { http } = action.doors;
  const doors = http === undefined ? [] : 'method' in http ? [http] : http;
  return doors.map((door) => ({ action, door }));
});

export function pathInputs({ path }: HttpDoor): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
