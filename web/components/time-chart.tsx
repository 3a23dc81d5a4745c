// A line over time. uPlot is fetched when the first chart is shown; colours are read from the theme.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import type uPlot from 'uplot';

export interface TimeChartProps {
  readonly label: string;
  readonly unit: string;
  /** In ms since 1970, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly tone: 'red' | 'blue';
}

const HEIGHT_PX = 150;

export function TimeChart({ label, unit, times, values, tone }: TimeChartProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [plot, setPlot] = useState<uPlot | null>(null);
  useEffect(() => {
    const target = box.current;
    if (target === null) return undefined;
    let drawn: uPlot | null = null;
    let isGone = false;
    const draw = async (): Promise<void> => {
      const { drawPlot } = await import('./draw-plot.ts');
      if (isGone) return;
      drawn = drawPlot(target, { unit, tone, height: HEIGHT_PX });
      setPlot(drawn);
    };
    void draw();
    const watch = new ResizeObserver(() => drawn?.setSize({ width: target.clientWidth, height: HEIGHT_PX }));
    watch.observe(target);
    return () => {
      isGone = true;
      watch.disconnect();
      drawn?.destroy();
    };
  }, [unit, tone]);
  useEffect(() => {
    plot?.setData([times.map((at) => at / 1000), [...values]]);
  }, [plot, times, values]);
  const last = values.at(-1) ?? 0;
  // An empty plot keeps its place and is not shown.
  const hasLine = times.length > 1;
  return (
    <figure className="chart" role="img" aria-label={`${label}: now ${format(last)} ${unit}`}>
      <figcaption className="row apart" aria-hidden="true">
        <span className="label">{label}</span>
        <span className="num">
          {hasLine && format(last)} <span className="quiet small">{hasLine ? unit : 'nothing to draw yet'}</span>
        </span>
      </figcaption>
      <div ref={box} style={{ height: HEIGHT_PX, visibility: hasLine ? 'visible' : 'hidden' }} aria-hidden="true" />
    </figure>
  );
}

function format(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}
