// One number with its name, inside a list of figures.

import type { ReactNode } from 'react';

export function Figure({
  name,
  value,
  unit,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly unit?: string;
}): ReactNode {
  return (
    <div>
      <dt className="label">{name}</dt>
      <dd>
        {value} {unit !== undefined && <small>{unit}</small>}
      </dd>
    </div>
  );
}
