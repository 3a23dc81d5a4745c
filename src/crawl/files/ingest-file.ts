// The path of one local file: read, parse, settle. A file with unchanged bytes is not parsed again.

import { describeVerdict } from '../../core/classify/page-verdict.ts';
import { decodeBody } from '../../core/extract/decode/charset.ts';
import { canInclude, expandIncludes, hasInclude } from '../../core/extract/markup/includes.ts';
import { fileMediaType } from '../../core/files/file-kind.ts';
import { fileUrl, pathOfFileUrl } from '../../core/files/file-url.ts';
import { PinakesError } from '../../core/model/errors.ts';
import { sha256Hex, type Sha256 } from '../../core/model/hash.ts';
import type { ByteReservation } from '../context/byte-budget.ts';
import { reportedChunkProblem } from '../context/report-problem.ts';
import { importedOutcome } from './import-bundle.ts';
import type { CrawlContext } from '../page/crawl-context.ts';
import { retryOrFail } from '../page/page-outcome.ts';
import { settlementOf } from '../page/page-redirect.ts';
import { contentHashOf, metadataOf, pipelineVersionOf } from '../page/stored-page.ts';
import type { LocalOutcome, LocalSource } from '../../fetch/port.ts';
import type { ParsedPage } from '../../parse/port.ts';
import type { Claim, Outcome, Settlement } from '../../store/port/frontier.ts';
import { compressBody } from '../../platform/compress-body.ts';

export type IngestDeps = Pick<CrawlContext, 'ports' | 'limits' | 'clock'> & { readonly reservation: ByteReservation };

export async function ingestFile(
  claim: Claim,
  source: LocalSource,
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<Settlement> {
  if (claim.crashes >= deps.limits.quarantineAfterCrashes)
    return settlementOf(claim, { kind: 'failed', reason: 'quarantined' });
  await deps.reservation.reserve(signal);
  const found = await source.read(claim.url);
  if (found.kind !== 'read') return settlementOf(claim, unreadOutcome(claim, found, deps));
  const bytes = found.body.byteLength;
  const file = await withIncludes(claim, found, source, deps);
  const isUnchanged = claim.previous?.etag === file.hash;
  const outcome: Outcome = isUnchanged
    ? { kind: 'unchanged', etag: file.hash, lastModified: null }
    : await parsedOutcome(claim, { ...file, packageName: source.packageName }, deps, signal);
  return { ...settlementOf(claim, outcome), bytes };
}

function unreadOutcome(
  claim: Claim,
  found: Exclude<LocalOutcome, { kind: 'read' }>,
  { ports }: Pick<IngestDeps, 'ports'>,
): Outcome {
  switch (found.kind) {
    case 'not-found':
      return { kind: claim.previous === null ? 'not-found' : 'missing', reason: found.reason };
    case 'refused':
      return { kind: 'excluded', reason: found.reason };
    case 'failed':
      return { kind: 'failed', reason: found.reason };
    case 'unchanged':
      return { kind: 'unchanged', etag: claim.previous?.etag ?? null, lastModified: null };
    case 'page':
      return importedOutcome(claim, found.page, ports.words?.() ?? null);
  }
}

interface FileContent {
  readonly body: Uint8Array;
  readonly hash: Sha256;
  readonly mediaType?: string;
}

/** Replaces includes by the files they name, read by the same rules. The hash then covers these files too. */
async function withIncludes(
  claim: Claim,
  file: FileContent,
  source: LocalSource,
  { ports: { store } }: IngestDeps,
): Promise<FileContent> {
  const path = pathOfFileUrl(claim.url);
  if (path === null || !canInclude(path)) return file;
  const text = decodeBody(file.body, null);
  if (!hasInclude(text)) return file;
  const expanded = await expandIncludes(path, text, async (target) => {
    const found = await source.read(fileUrl(target));
    return found.kind === 'read' ? decodeBody(found.body, null) : null;
  });
  for (const { target, reason } of expanded.refused) {
    const problem = { run: claim.run, kind: 'include-refused', severity: 'warning', scope: 'page' } as const;
    const message = `the include of ${target} was left out: ${reason}`;
    await store.journal.reportProblem({ ...problem, target: claim.url, message, details: { reason } });
  }
  const body = new TextEncoder().encode(expanded.text);
  return { body, hash: sha256Hex(body) };
}

async function parsedOutcome(
  claim: Claim,
  { body, hash, mediaType, packageName }: FileContent & Pick<LocalSource, 'packageName'>,
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<Outcome> {
  await deps.reservation.commit(body.byteLength, signal);
  let parsed: ParsedPage;
  try {
    const page = {
      url: claim.url,
      mediaType: mediaType ?? null,
      body,
      ...(packageName !== undefined && { packageName }),
    };
    parsed = await deps.ports.parser.parse(page, signal);
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    // Unsupported, such as a program, a font or a video. That is not a failure of the folder.
    if (error.code === 'extract.unsupported') return { kind: 'skipped', reason: error.code };
    return retryOrFail(claim, { code: error.code, reason: error.message, retryable: error.retryable }, deps);
  }
  const { verdict } = parsed;
  if (verdict.kind === 'not-content')
    return { kind: 'skipped', reason: `${verdict.reason}: ${describeVerdict(verdict)}` };
  const { journal } = deps.ports.store;
  for (const warning of parsed.chunkWarnings) {
    const problem = reportedChunkProblem(claim, warning);
    if (problem !== null) await journal.reportProblem(problem);
  }
  return contentOf(claim, parsed, { hash, mediaType });
}

function contentOf(
  claim: Claim,
  parsed: ParsedPage,
  { hash, mediaType }: { readonly hash: Sha256; readonly mediaType: string | undefined },
): Outcome {
  const { document } = parsed;
  return {
    kind: 'indexed',
    page: {
      title: document.title,
      description: document.description,
      language: document.language,
      mediaType: mediaType ?? fileMediaType(document.format, claim.url),
      etag: hash,
      lastModified: null,
      contentHash: contentHashOf(document.text),
      // Files are never deduplicated: two files with the same text are two files.
      dedupeHash: null,
      canonical: null,
      text: document.text,
      outline: document.outline,
      pipelineVersion: pipelineVersionOf(parsed),
      declaredVersion: parsed.declaredVersion,
      metadata: {
        ...metadataOf(parsed),
        fileHash: hash,
      },
      responseMeta: {},
      outlinks: parsed.outlinks,
      body: compressBody(parsed.body),
    },
    chunks: parsed.chunks,
  };
}
