// Requests a plan shortly after the user stops typing, and keeps the last plan until the next one arrives.

import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { parsePageUrl } from '../../../src/core/model/page-url.ts';
import type { Plan } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import type { PreviewedUrl } from './preview-urls.ts';
import { planBody, type SourceForm } from './source-form.ts';

/** Long enough that no site is contacted while the user is still typing. */
const DEBOUNCE_MS = 900;

export interface PlanPreview {
  readonly plan: UseMutationResult<Plan, Error, string>;
  readonly hasUrl: boolean;
  /** The plan if it belongs to the URL in the form: the last plan is shown until the next one arrives. */
  readonly current: Plan | undefined;
  /** URLs that the plan found, both accepted and excluded. */
  readonly samples: readonly PreviewedUrl[];
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
  const current = data?.startUrl === parsePageUrl(form.url.trim()) ? data : undefined;
  return { plan, current, hasUrl, samples };
}

function sampleUrls({ examples, excluded }: Plan): readonly PreviewedUrl[] {
  return [
    ...examples.slice(0, 6).map(({ url }) => ({ url, robotsRule: null })),
    ...excluded
      .slice(0, 4)
      .map(({ example, rule }) => ({ url: example, robotsRule: rule.startsWith('robots-') ? rule : null })),
  ];
}
