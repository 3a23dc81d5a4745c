// A plot of stacked bars, drawn as SVG. It is stretched to its box, so that 1, 30 and 400 bars fit; texts stand next to the
// drawing, where nothing stretches them. Each bar has a tooltip, and a screen reader gets a summary.

import type { ReactNode } from 'react';

export interface PlotSeries<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** A class that sets the background of the legend and the fill of the bar. */
  readonly tone: string;
}

export interface PlotBar<Name extends string> {
  readonly key: string;
  /** On the axis. */
  readonly label: string;
  readonly values: Readonly<Record<Name, number>>;
}

export interface BarPlotProps<Name extends string> {
  readonly title: string;
  readonly bars: ReadonlyArray<PlotBar<Name>>;
  readonly series: ReadonlyArray<PlotSeries<Name>>;
  readonly format: (value: number) => string;
}

const HEIGHT = 100;
const SLOT = 10;
/** Beyond this number the bars touch each other. */
const MAX_SEPARATE = 120;

export function BarPlot<Name extends string>({ title, bars, series, format }: BarPlotProps<Name>): ReactNode {
  const totals = bars.map(({ values }) => series.reduce((sum, { name }) => sum + values[name], 0));
  const highest = Math.max(0, ...totals);
  const top = niceCeiling(highest);
  const barWidth = bars.length > MAX_SEPARATE ? SLOT : SLOT * 0.72;
  // Few bars stay narrow. Two labels need the room of three bars.
  const maxWidth = `${Math.max(bars.length * 2.5, bars.length > 1 ? 7 : 0)}rem`;
  const latest = totals.at(-1) ?? 0;
  return (
    <figure className="chart bar-plot">
      <figcaption className="row spread">
        <span className="label">{title}</span>
        <span className="num small">
          <span className="muted">latest</span> {format(latest)}
        </span>
      </figcaption>
      <div className="plot" role="img" aria-label={`${title}: latest ${format(latest)}, highest ${format(highest)}`}>
        <span className="y-axis num small muted" aria-hidden="true">
          <span>{format(top)}</span>
          <span>0</span>
        </span>
        <svg
          viewBox={`0 0 ${bars.length * SLOT} ${HEIGHT}`}
          preserveAspectRatio="none"
          style={{ maxWidth }}
          aria-hidden="true"
        >
          {bars.map((bar, at) => (
            <g key={bar.key}>
              <title>{describeBar(bar, series, format)}</title>
              <rect className="bar-hover" x={at * SLOT} y={0} width={SLOT} height={HEIGHT} />
              {segmentsOf(bar, series, top).map(({ tone, y, height }) => (
                <rect key={tone} className={tone} x={at * SLOT} y={y} width={barWidth} height={height} />
              ))}
            </g>
          ))}
        </svg>
        <span className="x-axis num small muted" style={{ maxWidth }} aria-hidden="true">
          {axisLabels(bars).map((label) => (
            <span key={label}>{label}</span>
          ))}
        </span>
      </div>
      {series.length > 1 && (
        <ul className="legend">
          {series.map(({ name, label, tone }) => (
            <li key={name}>
              <i className={tone} /> {label}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

interface Segment {
  readonly tone: string;
  readonly y: number;
  readonly height: number;
}

/** From the bottom up. */
function segmentsOf<Name extends string>(
  { values }: PlotBar<Name>,
  series: ReadonlyArray<PlotSeries<Name>>,
  top: number,
): readonly Segment[] {
  let y = HEIGHT;
  return series.flatMap(({ name, tone }) => {
    const height = (values[name] / top) * HEIGHT;
    y -= height;
    return height === 0 ? [] : [{ tone, y, height }];
  });
}

function describeBar<Name extends string>(
  { label, values }: PlotBar<Name>,
  series: ReadonlyArray<PlotSeries<Name>>,
  format: (value: number) => string,
): string {
  const parts = series.map((one) => `${format(values[one.name])} ${one.label}`);
  return `${label}: ${parts.join(', ')}`;
}

/** The first, the middle and the last label, without repetitions. */
function axisLabels(bars: ReadonlyArray<{ readonly label: string }>): readonly string[] {
  const middle = bars.length >= 9 ? [bars[Math.floor(bars.length / 2)]] : [];
  const labels = [bars[0], ...middle, bars.at(-1)].flatMap((bar) => (bar === undefined ? [] : [bar.label]));
  return [...new Set(labels)];
}

/** The next 1, 2 or 5 times a power of ten, so that the axis ends at a round number. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((step) => step * power >= value) ?? 10) * power;
}
