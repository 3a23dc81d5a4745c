// The header of a view: breadcrumbs, title and actions. Also sets the title of the browser tab.

import { useEffect, type ReactNode } from 'react';

export interface ViewHeaderProps {
  readonly title: string;
  readonly crumbs?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function ViewHeader({ title, crumbs, children, actions }: ViewHeaderProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Pinakes`;
  }, [title]);
  return (
    <header className="view-header">
      <div>
        {crumbs !== undefined && <div className="crumbs">{crumbs}</div>}
        <h1>{title}</h1>
        {children}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </header>
  );
}
