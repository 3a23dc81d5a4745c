// Calls actions with the rights of one caller, and rejects the actions that the caller may not call. Every interface for callers other than
// the owner of the library uses it.

import type { Action, Effect } from '../actions/action.ts';
import { actionNamed } from '../actions/actions.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { Principal } from '../platform/access-token.ts';
import type { CallAction } from './call-action.ts';

export function callAs(call: CallAction, principal: Principal): CallAction {
  return async (name, input, options) => {
    const action = actionNamed(name);
    if (action !== undefined) requireRights(principal, action);
    return call(name, input, { ...options, sources: principal.sources });
  };
}

export function mayCall(principal: Principal, action: Action): boolean {
  try {
    requireRights(principal, action);
    return true;
  } catch {
    return false;
  }
}

/** Raises `http.forbidden`. */
export function requireRights(principal: Principal, action: Pick<Action, 'effect' | 'needsAllSources'>): void {
  requireRole(principal, action.effect);
  if (action.effect === 'admin' || action.needsAllSources === true) requireAllSources(principal);
}

export function requireRole({ role }: Principal, effect: Effect): void {
  if (effect === 'read' || role === 'admin') return;
  const reason =
    effect === 'network' ? 'This token may read the library only, and this fetches pages' : 'This token is read-only';
  throw pinakesError('http.forbidden', { reason });
}

/** The calls of an action about the whole installation. */
export function requireAllSources({ sources }: Principal): void {
  if (sources !== null)
    throw pinakesError('http.forbidden', { reason: 'This needs the right to all sources, and this token has some' });
}
