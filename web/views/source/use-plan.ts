// Asks for a plan a while after somebody stopped writing, and keeps the last answer until the next one.

import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Plan } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { planBody, type SourceWish } from './source-form.ts';

/** Long enough that no site is asked while somebody is still writing. */
const PAUSE_MS = 900;

export interface PlanAsked {
  readonly plan: UseMutationResult<Plan, Error, string>;
  readonly isAddress: boolean;
  /** Addresses that the plan met, taken and left out. */
  readonly samples: readonly string[];
}

export function usePlan(wish: SourceWish): PlanAsked {
  const plan = useMutation({ mutationFn: (body: string) => post<Plan>('/plan', JSON.parse(body)) });
  const { mutate, data } = plan;
  const isAddress = /^https?:\/\/[^\s/]+/.test(wish.url.trim());
  // A text, so that a change of what no plan depends on asks for none.
  const body = JSON.stringify(planBody(wish));
  useEffect(() => {
    if (!isAddress) return undefined;
    const timer = setTimeout(() => mutate(body), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [body, isAddress, mutate]);
  const samples = useMemo(() => (data === undefined ? [] : samplesOf(data)), [data]);
  return { plan, isAddress, samples };
}

function samplesOf({ examples, refused }: Plan): readonly string[] {
  return [...examples.slice(0, 6).map(({ url }) => url), ...refused.slice(0, 4).map(({ example }) => example)];
}
