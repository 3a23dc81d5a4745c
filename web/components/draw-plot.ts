// Draws a chart with uPlot. A file of its own, so that it is fetched only where a chart is shown.

import Plot from 'uplot';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export interface PlotOptions {
  readonly unit: string;
  readonly tone: 'red' | 'blue';
  readonly height: number;
}

export function drawPlot(target: HTMLElement, { tone, height }: PlotOptions): Plot {
  const colour = (name: string): string => resolved(target, `var(--${name})`);
  const axis = { stroke: () => colour('ink-3'), font: '11px Plex, sans-serif', ticks: { show: false } };
  const grid = { stroke: () => colour('line'), width: 1 };
  return new Plot(
    {
      width: target.clientWidth,
      height,
      padding: [8, 26, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.15)] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 26,
          space: 90,
          values: (_plot, at) => at.map((second) => clock.format(second * 1000)),
        },
        { ...axis, grid, size: 38 },
      ],
      series: [
        {},
        { stroke: () => colour(tone), width: 1.5, fill: () => colour(`${tone}-wash`), points: { show: false } },
      ],
    },
    [[], []],
    target,
  );
}

/** A canvas knows no variables: an element is asked what the colour is now. */
function resolved(near: HTMLElement, value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  near.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
