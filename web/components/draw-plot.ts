// Draws a chart with uPlot. A separate module, so that uPlot is loaded only when a chart is shown.

import Plot from 'uplot';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export interface PlotOptions {
  readonly unit: string;
  readonly tone: 'red' | 'blue';
  readonly height: number;
}

export function drawPlot(target: HTMLElement, { tone, height }: PlotOptions): Plot {
  const color = (name: string): string => resolveColor(target, `var(--${name})`);
  const axis = { stroke: () => color('ink-3'), font: '11px Plex, sans-serif', ticks: { show: false } };
  const grid = { stroke: () => color('line'), width: 1 };
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
        { stroke: () => color(tone), width: 1.5, fill: () => color(`${tone}-wash`), points: { show: false } },
      ],
    },
    [[], []],
    target,
  );
}

/** A canvas cannot use CSS variables, so a probe element resolves the current colour. */
function resolveColor(element: HTMLElement, value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
