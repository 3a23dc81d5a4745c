// Requests a plan shortly after the user stops typing, and keeps the last plan until the next one arrives.

import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Plan } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { planBody, type SourceForm } from './source-form.ts';

/** Long enough that no site is contacted while the user is still typing. */
const DEBOUNCE_MS = 900;

export interface PlanPreview {
  readonly plan: UseMutationResult<Plan, Error, string>;
  readonly hasUrl: boolean;
  /** URLs that the plan found, both accepted and excluded. */
  readonly samples: readonly string[];
}

export function usePlan(form: SourceForm): PlanPreview {
  const plan = useMutation({ mutationFn: (body: string) => post<Plan>('/plan', JSON.parse(body)) });
  const { mutate, data } = plan;
  const hasUrl = /^https?:\/\/[^\s/]+/.test(form.url.trim());
  // Compared as text, so that changing a field the plan does not depend on requests nothing.
  const body = JSON.stringify(planBody(form));
  useEffect(() => {
    if (!hasUrl) return undefined;
    const timer = setTimeout(() => mutate(body), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [body, hasUrl, mutate]);
  const samples = useMemo(() => (data === undefined ? [] : sampleUrls(data)), [data]);
  return { plan, hasUrl, samples };
}

function sampleUrls({ examples, excluded }: Plan): readonly string[] {
  return [...examples.slice(0, 6).map(({ url }) => url), ...excluded.slice(0, 4).map(({ example }) => example)];
}
