// Recognises addresses that a site makes up without end: folders nested in themselves, calendars, endless paths.

import type { PageUrl } from '../model/page-url.ts';

export interface TrapLimits {
  readonly maxLength: number;
  /** Folders and file together. */
  readonly maxSegments: number;
  /** How often one segment may stand in a path. */
  readonly maxRepeats: number;
  readonly maxParameters: number;
}

export const DEFAULT_TRAP_LIMITS: TrapLimits = { maxLength: 2048, maxSegments: 20, maxRepeats: 3, maxParameters: 12 };

export type TrapVerdict =
  | { readonly trap: false }
  | {
      readonly trap: true;
      readonly shape: 'long-url' | 'deep-path' | 'repeated-segment' | 'many-parameters' | 'calendar';
      readonly rule: string;
    };

export function trapVerdict(url: PageUrl, limits: TrapLimits = DEFAULT_TRAP_LIMITS): TrapVerdict {
  if (url.length > limits.maxLength) return trap('long-url', `longer than ${limits.maxLength} characters`);
  const { pathname, search } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > limits.maxSegments) return trap('deep-path', `more than ${limits.maxSegments} segments`);
  const repeated = mostRepeated(segments);
  if (repeated.times > limits.maxRepeats) {
    return trap('repeated-segment', `"${repeated.segment}" stands ${repeated.times} times in the path`);
  }
  const parameters = search === '' ? [] : search.slice(1).split('&');
  if (parameters.length > limits.maxParameters) {
    return trap('many-parameters', `more than ${limits.maxParameters} parameters`);
  }
  const calendar = calendarPart(segments, parameters);
  return calendar === null ? { trap: false } : trap('calendar', `"${calendar}" is a page of a calendar`);
}

function trap(shape: Extract<TrapVerdict, { trap: true }>['shape'], rule: string): TrapVerdict {
  return { trap: true, shape, rule };
}

function mostRepeated(segments: readonly string[]): { readonly segment: string; readonly times: number } {
  const times = new Map<string, number>();
  let most = { segment: '', times: 0 };
  for (const segment of segments) {
    const count = (times.get(segment) ?? 0) + 1;
    times.set(segment, count);
    if (count > most.times) most = { segment, times: count };
  }
  return most;
}

const CALENDAR_WORD = /^(?:calendar|events?|agenda|schedule|kalender|calendrier)$/i;
const DATE_SEGMENT = /^(?:(?:19|20)\d\d(?:-\d\d?){0,2}|(?:week|month|day)s?)$/i;
const CALENDAR_PARAMETER =
  /^(?:cal(?:endar)?_?(?:date|day|month|year|view)?|date|day|month|week|year|tribe-bar-date|ical|outlook-ical)=/i;
const DATE_VALUE = /=(?:19|20)\d\d(?:-?\d\d?){0,2}$|^(?:i|outlook-i)cal=/i;

/** A dated path alone is a blog's; only under a calendar's own word does the next month never end. */
function calendarPart(segments: readonly string[], parameters: readonly string[]): string | null {
  const word = segments.findIndex((segment) => CALENDAR_WORD.test(segment));
  const next = segments[word + 1];
  if (word !== -1 && next !== undefined && DATE_SEGMENT.test(next)) return `${segments[word]}/${next}`;
  return parameters.find((pair) => CALENDAR_PARAMETER.test(pair) && DATE_VALUE.test(pair)) ?? null;
}
