// The projects that were synced, with the versions of their packages.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ProjectView } from '../../api/responses.ts';
import { projectsQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount, formatQuantity } from '../../components/format.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';

type PackageView = ProjectView['packages'][number];

const COLUMNS: ReadonlyArray<Column<PackageView>> = [
  {
    name: 'Package',
    width: 'minmax(12rem, 2fr)',
    cell: ({ source }) => (
      <Link to="/sources/$source" params={{ source }}>
        {source}
      </Link>
    ),
  },
  { name: 'Version', width: 'minmax(6rem, 1fr)', cell: ({ version }) => version },
  { name: 'Pages', width: '6rem', cell: ({ pages }) => formatCount(pages), isNumber: true },
];

export function ProjectList(): ReactNode {
  const { data, error } = useQuery(projectsQuery);
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return null;
  if (data.projects.length === 0)
    return (
      <div className="empty">
        <h2>No projects</h2>
        <p>Index the documentation of the packages that a project uses, at the versions in its lockfile:</p>
        <code className="code">cd my-project && pinakes sync</code>
      </div>
    );
  return data.projects.map((project) => <ProjectPackages key={project.folder} project={project} />);
}

function ProjectPackages({ project }: { readonly project: ProjectView }): ReactNode {
  const { folder, packages } = project;
  return (
    <section aria-label={folder}>
      <h2>
        <span className="mono">{folder}</span>{' '}
        <span className="muted small">{formatQuantity(packages.length, 'package')}</span>
      </h2>
      <DataTable
        label={`Packages of ${folder}`}
        rows={packages}
        columns={COLUMNS}
        keyOf={({ source, version }) => `${source}@${version}`}
        minWidth="30rem"
      />
    </section>
  );
}
