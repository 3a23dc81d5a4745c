// How far a crawl goes, with an instant verdict on some addresses: those of the plan, and whatever is typed.

import { useMemo, useState, type ReactNode } from 'react';
import { judgeUrls, type UrlJudgement } from './preview-urls.ts';
import { BREADTHS, everyWords, intervalsWith, PRESETS } from './describe-settings.ts';
import { linesOf, type SourceWish } from './source-form.ts';

export interface ScopeEditorProps {
  readonly wish: SourceWish;
  readonly change: (part: Partial<SourceWish>) => void;
  readonly samples: readonly string[];
}

export function ScopeEditor({ wish, change, samples }: ScopeEditorProps): ReactNode {
  return (
    <>
      <fieldset className="field plain-fieldset">
        <legend>Stay in</legend>
        <div className="switch">
          {BREADTHS.map(({ value, says }) => (
            <label key={value}>
              <input
                className="visually-hidden"
                type="radio"
                name="breadth"
                checked={wish.breadth === value}
                onChange={() => change({ breadth: value })}
              />
              {says}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="two" style={{ gap: '1rem' }}>
        <Globs label="Only" hint="/guide/**" value={wish.allow} set={(allow) => change({ allow })} />
        <Globs label="Never" hint="/blog/**" value={wish.block} set={(block) => change({ block })} />
      </div>
      <div className="two" style={{ gap: '1rem' }}>
        <label className="field">
          <span>Look for pages in</span>
          <select
            className="input"
            value={wish.preset}
            onChange={(event) => change({ preset: event.target.value as SourceWish['preset'] })}
          >
            {PRESETS.map(({ value, says }) => (
              <option key={value} value={value}>
                {says}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Bring up to date</span>
          <select className="input" value={wish.every} onChange={(event) => change({ every: event.target.value })}>
            {intervalsWith(wish.every).map((every) => (
              <option key={every} value={every}>
                {everyWords(every)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="two" style={{ gap: '1rem' }}>
        <Limit label="Pages at most" value={wish.maxPages} set={(maxPages) => change({ maxPages })} />
        <Limit label="Links away from the start" value={wish.maxDepth} set={(maxDepth) => change({ maxDepth })} />
      </div>
      <Verdicts wish={wish} samples={samples} />
    </>
  );
}

interface LimitProps {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

function Limit({ label, value, set }: LimitProps): ReactNode {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input num"
        inputMode="numeric"
        placeholder="no limit"
        value={value}
        onChange={(event) => set(event.target.value.replaceAll(/\D/g, '').slice(0, 9))}
      />
    </label>
  );
}

interface GlobsProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

function Globs({ label, hint, value, set }: GlobsProps): ReactNode {
  return (
    <label className="field">
      <span>
        {label} <small>these paths, one a line</small>
      </span>
      <textarea
        className="input"
        rows={2}
        placeholder={hint}
        value={value}
        onChange={(event) => set(event.target.value)}
      />
    </label>
  );
}

function Verdicts({ wish, samples }: Pick<ScopeEditorProps, 'wish' | 'samples'>): ReactNode {
  const [typed, setTyped] = useState('');
  const { url: start, breadth } = wish;
  const judged = useMemo(() => {
    const scope = { start: start.trim(), breadth, allow: linesOf(wish.allow), block: linesOf(wish.block) };
    return judgeUrls(scope, [...linesOf(typed), ...samples]);
  }, [start, breadth, wish.allow, wish.block, typed, samples]);
  return (
    <div className="stack">
      <label className="field">
        <span>
          Try an address <small>nothing is asked; the rules answer at once</small>
        </span>
        <input
          className="input mono"
          placeholder="https://docs.example.dev/blog/post"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {judged.kind === 'unusable' && start !== '' && (
        <p className="notice" data-tone="warn">
          {judged.why}
        </p>
      )}
      {judged.kind === 'judged' && (
        <ul className="verdicts small" aria-live="polite" aria-label="Verdicts">
          {judged.urls.map((one) => (
            <Verdict key={one.url} verdict={one} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Verdict({ verdict: { url, isTaken, rule } }: { readonly verdict: UrlJudgement }): ReactNode {
  return (
    <li>
      <span>
        <span className="tag" data-tone={isTaken ? 'good' : 'bad'}>
          {isTaken ? 'taken' : 'left out'}
        </span>
      </span>
      <span className="mono cut" title={url}>
        {url}
      </span>
      <span className="quiet cut" title={rule}>
        {rule}
      </span>
    </li>
  );
}
