// Makes pages again from their stored bodies, without the network: where the extractor or the chunker has changed since,
// and where a folded page stands again. What cannot be made again stays as it is and is asked for anew.

import { PinakesError } from '../../core/model/errors.ts';
import { contentHashOf } from '../../operate/content-hash.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { ParsedPage } from '../../parse/port.ts';
import type { RemadePage, RunLease, StoredDocument } from '../../store/port.ts';
import { isMadeBy, madeByOf } from '../../operate/made-by.ts';
import type { CrawlStages } from '../context/ports.ts';
import { bytesOfBody } from '../page/stored-page.ts';

/** One transaction writes so many; so many are read side by side. */
const PIECE = 16;

export interface RemakeRules {
  /** The address that a page gives for itself, as the run's rules see it. */
  readonly canonicalOf: (page: PageUrl, stated: string | null) => PageUrl | null;
  /** Called between pieces; false ends the work. */
  readonly goesOn: () => Promise<boolean>;
}

/** Returns how many were made again. */
export async function remakePages(
  lease: RunLease,
  stages: CrawlStages,
  rules: RemakeRules,
  signal: AbortSignal,
): Promise<number> {
  const { pages } = stages.store;
  const { version } = lease.run;
  const made = await pages.makers(version);
  if (made.length === 0) return 0;
  const makers = new Set(await stages.parser.makers(signal));
  let remade = 0;
  for (const maker of made.filter((one) => !isMadeBy(one, makers))) {
    let after: string | null = null;
    do {
      if (!(await rules.goesOn())) return remade;
      const piece = await pages.madeBy(version, maker, after, PIECE);
      const read = await Promise.all(piece.urls.map((url) => remakePage(lease, url, { stages, rules, signal })));
      const whole = read.filter((page) => page !== null);
      await pages.remake(lease, whole);
      const left = piece.urls.filter((_, i) => read[i] === null);
      if (maker !== '' && left.length > 0) await pages.askAnew(lease, left);
      remade += whole.length;
      after = piece.after;
    } while (after !== null);
  }
  return remade;
}

interface Context {
  readonly stages: CrawlStages;
  readonly rules: RemakeRules;
  readonly signal: AbortSignal;
}

async function remakePage(lease: RunLease, url: PageUrl, context: Context): Promise<RemadePage | null> {
  const { store, parser } = context.stages;
  const document = await store.pages.get(lease.run.version, url);
  if (document === null || document.body === null) return null;
  const mediaType = isLocal(url) ? null : document.mediaType;
  try {
    const parsed = await parser.parse({ url, mediaType, body: bytesOfBody(document.body) }, context.signal);
    return parsed.verdict.kind === 'not-knowledge' ? null : remadeOf(document, parsed, context.rules);
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    return null;
  }
}

function remadeOf(document: StoredDocument, parsed: ParsedPage, { canonicalOf }: RemakeRules): RemadePage {
  const { url } = document;
  const { title, description, language, text, outline, canonical } = parsed.document;
  return {
    url,
    chunks: parsed.chunks,
    page: {
      title,
      description,
      language,
      mediaType: document.mediaType,
      etag: null,
      lastModified: null,
      contentHash: contentHashOf(text),
      twinHash: isLocal(url) ? null : parsed.twinHash,
      canonical: isLocal(url) ? null : canonicalOf(url, canonical),
      text,
      outline,
      madeBy: madeByOf(parsed),
      facts: { ...document.facts, kind: parsed.kind.kind, confidence: parsed.kind.confidence },
      arrival: document.arrival,
      leadsTo: parsed.leadsTo,
      body: null,
    },
  };
}

function isLocal(url: PageUrl): boolean {
  return url.startsWith('file:');
}
