// One thing a user can do, declared once. MCP tools, HTTP routes, CLI commands and reference pages are rendered from it.

import type { z } from 'zod';
import type { PackageReference } from '../core/archives/package-reference.ts';
import type { GrammarLoader } from '../core/chunk/code/grammar-loader.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { CustomPresets } from '../core/model/preset.ts';
import type { LocalFiles } from '../fetch/port.ts';
import type { CrawlSettings } from '../core/model/source-settings.ts';
import type { LocalModel } from '../core/vector/local-model.ts';
import type { EntryBuilder } from '../library/catalog/build-entries.ts';
import type { CatalogAccess } from '../library/catalog/open-catalog.ts';
import type { PullRequest } from '../library/pull-model.ts';
import type { SendMessage } from '../library/webhook-message.ts';
import type { SourcePlan } from '../library/plan-source.ts';
import type { PagePreview } from '../library/preview-page.ts';
import type { FolderWriter } from '../platform/folder-writer.ts';
import type { FileWriter, WriteMode } from '../platform/user-files.ts';
import type { SearchIndex } from '../index/port.ts';
import type { Search } from '../search/search.ts';
import type { Store } from '../store/port.ts';

export interface ActionDeps {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly search: Search;
  /** Presets of a crawl that the operator added. */
  readonly presets: CustomPresets;
  readonly bounds: RunBounds;
  readonly preview: (url: PageUrl, signal: AbortSignal) => Promise<PagePreview>;
  readonly plan: (start: PageUrl, settings: CrawlSettings, signal: AbortSignal) => Promise<SourcePlan>;
  /** The release that the registry of a package offers now. */
  readonly release: (reference: PackageReference, signal: AbortSignal) => Promise<{ readonly version: string }>;
  readonly catalogs: CatalogAccess;
  readonly webhooks: WebhookAccess;
  /** The caller's file system; null for every interface except the command line. */
  readonly localAccess: LocalAccess | null;
  /** Receives the file an action produces, for an interface that returns it as its response; otherwise null. */
  readonly writer: FileWriter | null;
  readonly system: SystemAccess;
  /** The settings of this process, with secrets masked. */
  readonly settings: () => readonly ShownSetting[];
  /** Called while a long action runs. */
  readonly onProgress: (progress: ActionProgress) => void;
  /** Aborted when the caller no longer waits for the result. */
  readonly signal: AbortSignal;
}

/** What the operator allows a run. */
export interface RunBounds {
  /** crawl.concurrency */
  readonly concurrency: number;
  /** fetch.timeoutMs */
  readonly requestTimeoutMs: number;
  /** crawl.stopGraceMs */
  readonly stopGraceMs: number;
}

export interface WebhookAccess {
  /** Raises `fetch.blocked-address` for a URL that the address guard refuses without a lookup. */
  requireAdmitted(url: string): void;
  readonly send: SendMessage;
}

export interface ServiceState {
  readonly state: 'off' | 'ready' | 'failing';
  /** Null unless it fails. */
  readonly reason: string | null;
}

/** What the library depends on. */
export interface SystemAccess {
  /** The volume of a local database; null if the database is on a server. */
  disk(): { readonly freeBytes: number | null; readonly minFreeBytes: number } | null;
  embedding(): Promise<ServiceState>;
  index(): Promise<ServiceState & { readonly backend: 'database' | 'qdrant' }>;
}

export interface ShownSetting {
  readonly setting: string;
  readonly env: string;
  readonly value: unknown;
  readonly origin: string;
}

export interface LocalAccess {
  readonly files: LocalFiles;
  readonly openWriter: (path: string, mode: WriteMode) => Promise<FileWriter>;
  readonly openFolder: (path: string, mode: WriteMode) => Promise<FolderWriter>;
  readonly pullModel: (
    request: PullRequest,
    onProgress: (step: string, done: number, total: number) => void,
  ) => Promise<LocalModel>;
  /** Builds entries of a catalogue in a temporary library. */
  readonly openEntryBuilder: () => Promise<EntryBuilder>;
  /** Reads programs. */
  readonly grammars: () => Promise<GrammarLoader>;
  /** Raises `files.unreadable`. */
  readonly readText: (path: string) => Promise<string>;
  /** A file of any size, line by line; a line is cut at 64 KB. Raises `files.unreadable`. */
  readonly readLines: (path: string) => AsyncIterable<string>;
}

/** Raises `files.forbidden` for a caller of an interface that reads and writes no files. */
export function localAccessOf({ localAccess }: Pick<ActionDeps, 'localAccess'>): LocalAccess {
  if (localAccess === null) throw pinakesError('files.forbidden', {});
  return localAccess;
}

export interface ActionProgress {
  readonly step: string;
  readonly done: number;
  readonly total: number;
}

/** The headings under which help lists commands. */
export type CommandGroup = 'index' | 'search' | 'inspect' | 'runs' | 'serve' | 'maintain';

export interface CliBinding {
  /** The name of the command: one word, or the name of a parent command and a word. */
  readonly command: string;
  readonly group: CommandGroup;
  /** Flags that only the command line has, by their names in `serve/cli/cli-flags.ts`. */
  readonly flags?: readonly string[];
  /** Inputs passed as positional arguments, in order. */
  readonly positional: readonly string[];
  /** The last argument takes all remaining words, joined by spaces, so that a query needs no quotes. */
  readonly joinsWords?: true;
  /** The action waits for runs that it starts, so a worker of this process takes them unless another one does. */
  readonly startsWorker?: true;
  readonly example: string;
  /** Inputs that the command itself determines. */
  readonly fixedInput?: Readonly<Record<string, string>>;
  /** Summary of the command, where it covers only part of the action. */
  readonly summary?: string;
  /** Inputs that are paths on the caller's machine. */
  readonly paths?: readonly string[];
}

export interface HttpBinding {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api`. A name in braces is an input; the other inputs are in the query, or in the body of a POST or PATCH. */
  readonly path: string;
  /** Inputs that the path itself determines. */
  readonly fixedInput?: Readonly<Record<string, string>>;
  /** The name of the operation in the OpenAPI document; that of the action by default. */
  readonly operation?: string;
  /** 201 if something was created, 202 if work was only started; 200 by default. */
  readonly status?: 201 | 202;
  /** The response is the file the action produces; it requires the admin role. */
  readonly file?: ProducedFile & {
    /** By the input `format`, where the type depends on it. */
    readonly formats?: Readonly<Record<string, ProducedFile>>;
  };
}

export interface ProducedFile {
  readonly mediaType: string;
  readonly extension: string;
}

export interface McpBinding {
  readonly title: string;
  /** What an agent reads to choose a tool: what it does, when to call it, how to continue. */
  readonly description: string;
  /** `opt-in` tools are listed only if the operator enables them. */
  readonly tools: 'default' | 'opt-in';
  /** Inputs that MCP clients cannot set, because a result or the list of tools must stay short. */
  readonly fixedInput?: Readonly<Record<string, number | boolean | readonly string[] | undefined>>;
  /**
   * Inputs that the tool lists. The others are set by name in `settings`, because every client pays for the list of tools. Without it, all
   * are listed.
   */
  readonly listedInputs?: readonly string[];
  /** Clients that load tools on demand load this one at the start. */
  readonly alwaysLoad?: true;
  /** It may discard something that exists, or fetches from the web. */
  readonly hints?: ReadonlyArray<'destructive' | 'idempotent' | 'open-world'>;
}

/**
 * `read` only reads the library. `network` stores nothing either, but fetches what the caller names. `write` changes the
 * library, `admin` concerns the whole installation. A read token may only `read`.
 */
export type Effect = 'read' | 'network' | 'write' | 'admin';

/** Whether an action with this effect leaves the library as it is. */
export function leavesLibrary(effect: Effect): boolean {
  return effect === 'read' || effect === 'network';
}

export interface Action<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> {
  readonly name: Name;
  readonly summary: string;
  readonly effect: Effect;
  /** It reads everything that is stored, or a whole version, which takes long in a large library. */
  readonly readsWholeLibrary?: true;
  /** It is about the installation, so a caller with the right to some sources may not call it. Every `admin` action is. */
  readonly needsAllSources?: true;
  readonly input: Input;
  readonly output: Output;
  readonly bindings: {
    readonly cli: CliBinding | readonly CliBinding[];
    /** Absent for an action that needs the caller's file system. */
    readonly http?: HttpBinding | readonly HttpBinding[];
    readonly mcp?: McpBinding;
  };
  /**
   * Raises errors that the input alone causes, so that an interface can report them before it opens a library. `run`
   * raises them too. `exists` returns whether a path exists on the caller's machine.
   */
  check?(input: z.output<Input>, exists: (path: string) => boolean): Promise<void>;
  /** Imports what only it needs when it is called: every command loads all actions. */
  run(input: z.output<Input>, deps: ActionDeps): Promise<z.input<Output>>;
}

export function action<const Name extends string, Input extends z.ZodObject, Output extends z.ZodType>(
  declaration: Action<Name, Input, Output>,
): Action<Name, Input, Output> {
  return declaration;
}
