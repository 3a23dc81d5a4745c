// One thing a user can do, declared once. MCP tools, HTTP routes, CLI commands and reference pages are rendered from it.

import type { z } from 'zod';
import type { PageUrl } from '../core/model/page-url.ts';
import type { OwnPresets } from '../core/model/preset.ts';
import type { LocalFiles } from '../fetch/port.ts';
import type { CrawlSettings } from '../core/model/source-settings.ts';
import type { LocalModel } from '../core/vector/local-model.ts';
import type { PullRequest } from '../library/pull-model.ts';
import type { SourcePlan } from '../library/plan-source.ts';
import type { PagePreview } from '../library/preview-page.ts';
import type { FileSink } from '../platform/user-files.ts';
import type { Search } from '../search/search.ts';
import type { Store } from '../store/port.ts';

export interface ActionDeps {
  readonly store: Store;
  readonly search: Search;
  /** Presets of a crawl that the operator added. */
  readonly presets: OwnPresets;
  readonly preview: (url: PageUrl, signal: AbortSignal) => Promise<PagePreview>;
  readonly plan: (start: PageUrl, settings: CrawlSettings, signal: AbortSignal) => Promise<SourcePlan>;
  /** The disk of whoever asks; null for a door that has no business there, which is every one but the command line. */
  readonly local: LocalAccess | null;
  /** Where the file goes that the action makes, for a door that answers with it; null for every other. */
  readonly sink: FileSink | null;
  /** Of this process, secrets masked. */
  readonly settings: () => readonly SettingShown[];
  /** Told while an action takes long. */
  readonly tell: (progress: ActionProgress) => void;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface SettingShown {
  readonly setting: string;
  readonly env: string;
  readonly value: unknown;
  readonly origin: string;
}

export interface LocalAccess {
  readonly files: LocalFiles;
  readonly openSink: (path: string) => Promise<FileSink>;
  readonly pullModel: (
    request: PullRequest,
    tell: (step: string, done: number, of: number) => void,
  ) => Promise<LocalModel>;
  /** Raises `local.unreadable`. */
  readonly readText: (path: string) => Promise<string>;
}

export interface ActionProgress {
  readonly step: string;
  readonly done: number;
  readonly of: number;
}

export interface CliDoor {
  /** The command's word, or two: a group and its word. */
  readonly command: string;
  /** Inputs that are given without a flag, in order. */
  readonly positional: readonly string[];
  readonly example: string;
  /** Inputs that the word itself says. */
  readonly says?: Readonly<Record<string, string>>;
  /** What the word does, where the action does more than that. */
  readonly summary?: string;
  /** Inputs that are paths on the machine of whoever asks. */
  readonly paths?: readonly string[];
}

export interface HttpDoor {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/api`. A name in braces is an input; the others are in the query, or in the body of a POST. */
  readonly path: string;
  /** Inputs that the path itself says. */
  readonly says?: Readonly<Record<string, string>>;
  /** The answer is the file that the action makes, of this type, and only for whoever may do everything. */
  readonly file?: { readonly mediaType: string; readonly extension: string };
}

export interface McpDoor {
  readonly title: string;
  /** `opt-in` tools are there only where the operator says so. */
  readonly tools: 'default' | 'opt-in';
  /** Inputs that are not asked for over MCP, where an answer must stay short. */
  readonly says?: Readonly<Record<string, number>>;
}

/** `read` changes nothing, `write` changes the library, `admin` concerns the whole installation. */
export type Effect = 'read' | 'write' | 'admin';

export interface Action<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly summary: string;
  readonly effect: Effect;
  readonly input: Input;
  readonly output: Output;
  readonly doors: {
    readonly cli: CliDoor | readonly CliDoor[];
    /** Absent where the action concerns the disk of whoever asks. */
    readonly http?: HttpDoor | readonly HttpDoor[];
    readonly mcp?: McpDoor;
  };
  /**
   * Raises what the input alone is refused for, so that a door can say it before a library is opened. `run` does it too.
   * `isThere` tells of a path on the machine of whoever asks.
   */
  check?(input: z.output<Input>, isThere: (path: string) => boolean): Promise<void>;
  run(input: z.output<Input>, deps: ActionDeps): Promise<z.input<Output>>;
}

export function action<Input extends z.ZodObject, Output extends z.ZodType>(
  declared: Action<Input, Output>,
): Action<Input, Output> {
  return declared;
}
