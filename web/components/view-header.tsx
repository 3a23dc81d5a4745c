// The head of a view: where one is, its name, and what can be done here. Names the tab as well.

import { useEffect, type ReactNode } from 'react';

export interface ViewHeadProps {
  readonly title: string;
  readonly crumbs?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function ViewHead({ title, crumbs, children, actions }: ViewHeadProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Pinakes`;
  }, [title]);
  return (
    <header className="head">
      <div>
        {crumbs !== undefined && <div className="crumbs">{crumbs}</div>}
        <h1>{title}</h1>
        {children}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </header>
  );
}
