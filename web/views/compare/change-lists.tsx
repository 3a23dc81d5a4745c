// The lists of a comparison: what breaks programs first, then removed sections and what the changelog says.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { VersionDiffResult } from '../../api/responses.ts';
import { formatCount } from '../../components/format.ts';
import { MarkdownView } from '../../markdown/markdown-view.tsx';

type ListName = Exclude<keyof VersionDiffResult['counts'], 'uses'>;
type Item<Name extends ListName> = VersionDiffResult[Name][number];

interface ItemProps<Name extends ListName> {
  readonly item: Item<Name>;
  readonly diff: VersionDiffResult;
}

export function ChangeLists({ diff }: { readonly diff: VersionDiffResult }): ReactNode {
  if (Object.values(diff.counts).every((count) => count === 0))
    return <p className="muted">No documented difference.</p>;
  return (
    <>
      <ChangeList title="Removed" name="removed" diff={diff} View={Removed} />
      <ChangeList title="Renamed or moved" name="renamed" diff={diff} View={Renamed} />
      <ChangeList title="Changed signatures" name="signatures" diff={diff} View={Signature} />
      <ChangeList title="Changed requirements" name="requirements" diff={diff} View={Value} />
      <ChangeList title="Changed defaults" name="defaults" diff={diff} View={Value} />
      <ChangeList title="Newly deprecated" name="deprecated" diff={diff} View={Deprecated} />
      <ChangeList title="Removed sections" name="sections" diff={diff} View={Section} />
      <ChangeList title="Changelog and migration guides" name="notes" diff={diff} View={Note} />
    </>
  );
}

interface ListProps<Name extends ListName> {
  readonly title: string;
  readonly name: Name;
  readonly diff: VersionDiffResult;
  readonly View: (props: ItemProps<Name>) => ReactNode;
}

function ChangeList<Name extends ListName>({ title, name, diff, View }: ListProps<Name>): ReactNode {
  const items: ReadonlyArray<Item<Name>> = diff[name];
  const total = diff.counts[name];
  if (total === 0) return null;
  return (
    <section className="section">
      <h2>
        {title}{' '}
        <small className="muted num">
          {items.length < total ? `${formatCount(items.length)} of ${formatCount(total)}` : formatCount(total)}
        </small>
      </h2>
      <ul className="changes">
        {items.map((item, at) => (
          // Overloads have the same name.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            <View item={item} diff={diff} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function PageLink({
  diff: { source },
  version,
  to: { path, anchor },
  children,
}: {
  readonly diff: VersionDiffResult;
  readonly version: string;
  readonly to: { readonly path: string; readonly anchor: string | null };
  readonly children: ReactNode;
}): ReactNode {
  if (path === '') return <strong className="mono">{children}</strong>;
  return (
    <Link
      className="mono"
      to="/sources/$source/page"
      params={{ source }}
      search={{ url: path, version }}
      {...(anchor !== null && { hash: anchor })}
    >
      {children}
    </Link>
  );
}

function Removed({ item, diff }: ItemProps<'removed'>): ReactNode {
  const { symbol, module, signature } = item;
  return (
    <>
      <p>
        <PageLink diff={diff} version={diff.before} to={item}>
          {symbol}
        </PageLink>{' '}
        {module !== null && module !== symbol && <span className="muted small">from {module}</span>}
      </p>
      {signature !== '' && <code className="mono small muted">{signature}</code>}
    </>
  );
}

function Renamed({ item, diff }: ItemProps<'renamed'>): ReactNode {
  return (
    <p>
      <span className="mono">{item.symbol}</span> →{' '}
      <PageLink diff={diff} version={diff.after} to={item}>
        {item.to}
      </PageLink>
    </p>
  );
}

function Signature({ item, diff }: ItemProps<'signatures'>): ReactNode {
  return (
    <>
      <p>
        <PageLink diff={diff} version={diff.after} to={item}>
          {item.symbol}
        </PageLink>
      </p>
      <div className="diff" role="group" aria-label={`Signature of ${item.symbol}`}>
        {item.before !== '' && <DiffLine kind="removed" text={item.before} />}
        {item.after !== '' && <DiffLine kind="added" text={item.after} />}
      </div>
    </>
  );
}

const SIGNS = { added: ['+', 'now: '], removed: ['−', 'before: '] } as const;

function DiffLine({ kind, text }: { readonly kind: keyof typeof SIGNS; readonly text: string }): ReactNode {
  const [sign, spoken] = SIGNS[kind];
  return (
    <p data-kind={kind}>
      <span aria-hidden="true">{sign}</span>
      <span>
        <span className="visually-hidden">{spoken}</span>
        {text}
      </span>
    </p>
  );
}

function Value({ item, diff }: ItemProps<'requirements'> | ItemProps<'defaults'>): ReactNode {
  return (
    <p>
      <PageLink diff={diff} version={diff.after} to={item}>
        {item.name}
      </PageLink>{' '}
      <code className="mono">{item.before ?? 'not stated'}</code> →{' '}
      <code className="mono">{item.after ?? 'not stated'}</code>
    </p>
  );
}

function Deprecated({ item, diff }: ItemProps<'deprecated'>): ReactNode {
  return (
    <p>
      <PageLink diff={diff} version={diff.after} to={item}>
        {item.symbol}
      </PageLink>{' '}
      {item.text}
    </p>
  );
}

function Section({ item, diff }: ItemProps<'sections'>): ReactNode {
  return (
    <p>
      <PageLink diff={diff} version={diff.before} to={item}>
        {item.heading}
      </PageLink>{' '}
      {item.to !== null && <>→ {item.to}</>}
    </p>
  );
}

function Note({ item, diff }: ItemProps<'notes'>): ReactNode {
  const { path, heading, text } = item;
  return (
    <details>
      <summary>{heading === '' ? path : heading}</summary>
      <p className="small">
        <PageLink diff={diff} version={diff.after} to={item}>
          {path}
        </PageLink>
      </p>
      <MarkdownView text={text} base="" pageLink={(_, inside) => inside} />
    </details>
  );
}
