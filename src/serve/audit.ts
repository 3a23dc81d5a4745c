// Records calls in the audit log. Reads and the texts of queries are recorded only if the operator enables them.

import { leavesLibrary } from '../actions/action.ts';
import { actionNamed } from '../actions/actions.ts';
import { cleanLine } from '../core/extract/decode/clean-text.ts';
import type { AuditEntry, AuditSink } from '../core/model/audit-entry.ts';
import type { CallAction } from './call-action.ts';
import { toPinakesError } from './public-error.ts';

export type AuditedCaller = Pick<AuditEntry, 'principal' | 'via' | 'requestId'>;

/** The principal of a command of the library's owner. */
export const LOCAL_CALLER: AuditedCaller = { principal: null, via: 'local', requestId: null };

/** Errors of calls that were not permitted: they are recorded for reads too. */
const REFUSALS: ReadonlySet<string> = new Set(['http.forbidden']);

export function auditCalls(call: CallAction, caller: AuditedCaller, { settings, record }: AuditSink): CallAction {
  return async (name, input, options) => {
    const reads = leavesLibrary(actionNamed(name)?.effect ?? 'read');
    const entry = (outcome: string, result: unknown): AuditEntry => ({
      ...caller,
      action: name,
      source: sourceOf(input) ?? sourceOf(result),
      outcome,
      query: settings.queries ? textOf(input, 'query') : null,
    });
    try {
      const result = await call(name, input, options);
      if (!reads) await record(entry('ok', result));
      else if (settings.reads) void record(entry('ok', null));
      return result;
    } catch (error) {
      const { code } = toPinakesError(error);
      if (!reads || REFUSALS.has(code)) await record(entry(code, null));
      else if (settings.reads) void record(entry(code, null));
      throw error;
    }
  };
}

/** A read without a call of an action: a documentation file, or a stream. */
export interface ServedRead {
  readonly kind: 'read_docs_file' | 'open_event_stream';
  readonly source: string | null;
  readonly isServed: boolean;
}

export function auditServedRead({ kind, source, isServed }: ServedRead, caller: AuditedCaller, sink: AuditSink): void {
  if (!sink.settings.reads) return;
  const outcome = isServed ? 'ok' : 'http.not-found';
  void sink.record({ ...caller, action: kind, source: cleaned(source), outcome, query: null });
}

/** Begin and end of a session of the dashboard. */
export async function auditSession(
  sink: AuditSink,
  { kind, ...caller }: { readonly kind: 'sign_in' | 'sign_out' } & Pick<AuditEntry, 'principal' | 'requestId'>,
): Promise<void> {
  await sink.record({ ...caller, via: 'http', action: kind, source: null, outcome: 'ok', query: null });
}

const MAX_CHARS = 400;

function textOf(value: unknown, field: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = [(value as Readonly<Record<string, unknown>>)[field]].flat()[0];
  return cleaned(found);
}

/** A name may have characters that a database rejects, with all entries that are written together, or that a terminal obeys. */
function cleaned(text: unknown): string | null {
  return typeof text === 'string' ? cleanLine(text.slice(0, MAX_CHARS)) : null;
}

function sourceOf(value: unknown): string | null {
  return textOf(value, 'source');
}
