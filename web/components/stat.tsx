// One labelled number in a list of statistics.

import type { ReactNode } from 'react';

export function Stat({
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
