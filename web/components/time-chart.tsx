// A line chart over time. uPlot is loaded when the first chart is shown; colours come from the theme.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import type uPlot from 'uplot';

export interface TimeChartProps {
  readonly label: string;
  readonly unit: string;
  /** Milliseconds since the epoch, ascending. */
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
    let isUnmounted = false;
    const draw = async (): Promise<void> => {
      const { drawPlot } = await import('./draw-plot.ts');
      if (isUnmounted) return;
      drawn = drawPlot(target, { unit, tone, height: HEIGHT_PX });
      setPlot(drawn);
    };
    void draw();
    const resizeObserver = new ResizeObserver(() => drawn?.setSize({ width: target.clientWidth, height: HEIGHT_PX }));
    resizeObserver.observe(target);
    return () => {
      isUnmounted = true;
      resizeObserver.disconnect();
      drawn?.destroy();
    };
  }, [unit, tone]);
  useEffect(() => {
    plot?.setData([times.map((at) => at / 1000), [...values]]);
  }, [plot, times, values]);
  const last = values.at(-1) ?? 0;
  // An empty plot keeps its space in the layout but is hidden.
  const hasLine = times.length > 1;
  return (
    <figure className="chart" role="img" aria-label={`${label}: ${formatValue(last)} ${unit}`}>
      <figcaption className="row spread" aria-hidden="true">
        <span className="label">{label}</span>
        <span className="num">
          {hasLine && formatValue(last)} <span className="muted small">{hasLine ? unit : 'no data yet'}</span>
        </span>
      </figcaption>
      <div ref={box} style={{ height: HEIGHT_PX, visibility: hasLine ? 'visible' : 'hidden' }} aria-hidden="true" />
    </figure>
  );
}

function formatValue(value: number): string {
  return value === 0 || value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}
