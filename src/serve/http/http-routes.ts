// The routes under /api, one for each HTTP binding of an action.

import type { Action, HttpBinding } from '../../actions/action.ts';
import { actionList } from '../../actions/actions.ts';

export interface HttpRoute {
  readonly action: Action;
  readonly binding: HttpBinding;
}

export const httpRoutes: readonly HttpRoute[] = actionList.flatMap((action) => {
  const { http } = action.bindings;
  const bindings = http === undefined ? [] : 'method' in http ? [http] : http;
  return bindings.map((binding) => ({ action, binding }));
});

/** The methods of the routes that match a path below the root; empty if none does. */
export function allowedMethods(path: string): readonly string[] {
  const matching = httpRoutes.filter(({ binding }) => patternOf(binding).test(path));
  return [...new Set(matching.map(({ binding }) => binding.method))];
}

function patternOf({ path }: HttpBinding): RegExp {
  return new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

export function pathInputs({ path }: HttpBinding): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
