// A tab in a separate browser, so that its peak memory is measured alone, with a trace of its main thread.

import type { Browser, Page } from 'playwright-core';
import { openProfile } from '../../test/support/dashboard-server.ts';
import { traceTasks, type MainThreadTask } from './main-thread-tasks.ts';

export interface MeasuredTab {
  readonly page: Page;
  readonly browser: Browser;
  /** The process of the tab, with its workers. */
  readonly pid: number;
  /** The tasks of the main thread until the page was loaded, the longest first. */
  readonly opening: readonly MainThreadTask[];
  /** The tasks since then. */
  tasks(): Promise<readonly MainThreadTask[]>;
}

/** Opens the URL, and closes the browser after use. */
export async function inTab<T>(profile: string, url: string, use: (tab: MeasuredTab) => Promise<T>): Promise<T> {
  const context = await openProfile(profile);
  try {
    const [page = await context.newPage()] = context.pages();
    const browser = context.browser();
    if (browser === null) throw new Error('the browser cannot be asked about its processes');
    const session = await context.newCDPSession(page);
    let trace = await traceTasks(session);
    await page.goto(url);
    const opening = await trace.stop(url);
    const { pid } = opening;
    trace = await traceTasks(session);
    const tasks = async (): Promise<readonly MainThreadTask[]> => (await trace.stop(url)).tasks;
    return await use({ page, browser, pid, opening: opening.tasks, tasks });
  } finally {
    await context.close();
  }
}
