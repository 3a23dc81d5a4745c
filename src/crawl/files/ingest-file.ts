// The path of one local file: read, parse, settle. A file whose bytes are the known ones is not parsed again.

import { PinakesError } from '../../core/model/errors.ts';
import type { ChunkWarning } from '../../core/chunk/chunker.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import { contentHashOf } from '../../operate/content-hash.ts';
import type { LocalSource } from '../../fetch/port.ts';
import type { ParsedPage } from '../../parse/port.ts';
import type { Claim, Outcome, Settlement } from '../../store/port.ts';
import type { Place } from '../context/byte-budget.ts';
import type { PageDeps } from '../../operate/page-deps.ts';
import { importedOutcome } from './import-bundle.ts';
import { madeByOf } from '../../operate/made-by.ts';
import { retryOrFail } from '../../operate/retry-or-fail.ts';
import { storedBody } from '../page/stored-page.ts';
import { fileMediaType } from '../../core/local/file-media-type.ts';

export type IngestDeps = Pick<PageDeps, 'stages' | 'limits' | 'clock'> & { readonly place: Place };

export async function ingestFile(
  claim: Claim,
  source: LocalSource,
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<Settlement> {
  if (claim.crashes >= deps.limits.poisonAfterCrashes) return settlementOf(claim, { kind: 'failed', reason: 'poison' });
  await deps.place.enter(signal);
  const found = await source.read(claim.url);
  switch (found.kind) {
    case 'gone':
      return settlementOf(claim, { kind: claim.known === null ? 'gone' : 'missing', reason: found.reason });
    case 'refused':
      return settlementOf(claim, { kind: 'skipped', reason: found.reason });
    case 'failed':
      return settlementOf(claim, { kind: 'failed', reason: found.reason });
    case 'page':
      return settlementOf(claim, importedOutcome(claim, found.page));
    case 'read': {
      const bytes = found.body.byteLength;
      const isKnown = claim.known?.etag === found.hash;
      const outcome: Outcome = isKnown
        ? { kind: 'unchanged', etag: found.hash, lastModified: null }
        : await parsedOutcome(claim, found, deps, signal);
      return { ...settlementOf(claim, outcome), bytes };
    }
  }
}

async function parsedOutcome(
  claim: Claim,
  { body, hash }: { readonly body: Uint8Array; readonly hash: Sha256 },
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<Outcome> {
  await deps.place.take(body.byteLength, signal);
  let parsed: ParsedPage;
  try {
    parsed = await deps.stages.parser.parse({ url: claim.url, mediaType: null, body }, signal);
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    // Nothing here reads it: a program, a font, a video. That is no failure of the folder.
    if (error.code === 'extract.unsupported') return { kind: 'skipped', reason: error.code };
    return retryOrFail(claim, { code: error.code, reason: error.message, retryable: error.retryable }, deps);
  }
  const { verdict } = parsed;
  if (verdict.kind === 'not-knowledge') return { kind: 'skipped', reason: `${verdict.because}: ${verdict.rule}` };
  for (const warning of parsed.chunkWarnings) await report(claim, warning, deps);
  return contentOf(claim, parsed, hash);
}

function contentOf(claim: Claim, parsed: ParsedPage, hash: Sha256): Outcome {
  const { document, kind } = parsed;
  return {
    kind: 'indexed',
    page: {
      title: document.title,
      description: document.description,
      language: document.language,
      mediaType: fileMediaType(document.format, claim.url),
      etag: hash,
      lastModified: null,
      contentHash: contentHashOf(document.text),
      // Two files that say the same are still two files.
      twinHash: null,
      canonical: null,
      text: document.text,
      outline: document.outline,
      madeBy: madeByOf(parsed),
      facts: { kind: kind.kind, confidence: kind.confidence, fileHash: hash },
      arrival: {},
      leadsTo: parsed.leadsTo,
      body: storedBody(parsed.body),
    },
    chunks: parsed.chunks,
  };
}

/** A cut is never silent. */
async function report(claim: Claim, warning: ChunkWarning, { stages: { store } }: IngestDeps): Promise<void> {
  const { kind, ...details } = warning;
  const message = sentenceOf(warning);
  const problem = { run: claim.run, kind, severity: 'warning' as const, scope: 'page', target: claim.url };
  await store.journal.report({ ...problem, message, details });
}

function sentenceOf(warning: ChunkWarning): string {
  switch (warning.kind) {
    case 'line-cut':
      return `line ${warning.line} has ${warning.chars} characters and was cut`;
    case 'too-many-chunks':
      return `what follows line ${warning.line} was left out: more than ${warning.limit} chunks`;
    case 'cut-as-text':
      return `it was cut as text: ${warning.because}`;
  }
}

function settlementOf(claim: Claim, outcome: Outcome): Settlement {
  return { claim, outcome, links: [], refused: [], bytes: 0 };
}
