import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { theme } from '#console/app/theme.ts';
import { formatCount } from './format.ts';

/** One value for each time of a chart; null leaves a gap. */
export type ChartSeries = {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** Indexes of the values that get a dot, such as changes. */
  readonly marks?: readonly number[];
};

type ChartProps = {
  readonly label: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  /** A line keeps a value until the next one; a bar covers a day. */
  readonly kind: 'line' | 'bars';
  readonly heightPx?: number;
  /** Times without a value, such as failed runs, in seconds since 1970; each gets a dashed line. */
  readonly gaps?: readonly number[];
};

const HEIGHT_PX = 200;
const COLOURS = ['--accent', '--busy', '--good', '--warn', '--bad'];
const MAX_TABLE_ROWS = 500;
const DAY_SECONDS = 86_400;
const TICK_SPACE_PX = 84;
/** Space for half of the last tick label. */
const SIDE_PX = 28;
const DASHES_PX = [3, 4];

/** A chart over time with a table of the same values. It is drawn again when its values, its width or the theme change. */
export function Chart({ label, times, series, kind, heightPx = HEIGHT_PX, gaps = [] }: ChartProps): VNode {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = JSON.stringify([times, series, kind, gaps]);
  const colours = theme.value;
  useEffect(() => {
    const box = frame.current;
    if (box === null) return undefined;
    const controller = new AbortController();
    void drawChart(box, { times, series, kind, heightPx, gaps }, controller.signal);
    return () => controller.abort();
  }, [drawn, colours, heightPx]);
  return html`<figure class="chart">
    <div ref=${frame} role="img" aria-label=${label} style=${{ minHeight: `${heightPx}px` }}></div>
    <${ChartTable} label=${label} times=${times} series=${series} kind=${kind} />
  </figure>`;
}

type ChartDrawing = Required<Omit<ChartProps, 'label'>>;

async function drawChart(box: HTMLElement, drawing: ChartDrawing, signal: AbortSignal): Promise<void> {
  const { times, series, kind, heightPx, gaps } = drawing;
  repairLanguage(navigator);
  const { default: Plot } = await import('uplot');
  if (signal.aborted) return;
  const resolveColour = (name: string): string => readColour(box, name);
  const [faint, line] = [resolveColour('--faint'), resolveColour('--line')];
  const axis = { stroke: faint, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const plot = new Plot(
    {
      width: Math.max(box.clientWidth, 1),
      height: heightPx,
      padding: [null, SIDE_PX, null, null],
      cursor: { drag: { x: false, y: false } },
      scales: {
        x: { time: true, range: () => computeTimeRange(times[0] ?? 0, times.at(-1) ?? 0, kind) },
        y: { range: (_plot, low, high) => computeValueRange(low, high, kind) },
      },
      axes: [
        {
          ...axis,
          space: TICK_SPACE_PX,
          values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => formatTick(tick, step)),
        },
        { ...axis, size: 64, values: (_plot, ticks) => ticks.map(formatCount) },
      ],
      hooks: { drawSeries: [(drawn, at) => (at === 1 ? drawGaps(drawn, gaps, resolveColour('--bad')) : undefined)] },
      series: [
        { label: 'At', value: (_plot, time) => formatLegendValue(time, (at) => formatTime(at, kind)) },
        ...series.map(({ name, values, marks = [] }, at) =>
          buildSeries(Plot, {
            name,
            dots: [...marks, ...findIsolatedPoints(values)],
            kind,
            colour: resolveColour(COLOURS[at % COLOURS.length] ?? '--accent'),
          }),
        ),
      ],
    },
    [[...times], ...series.map(({ values }) => [...values])],
    box,
  );
  const watching = new ResizeObserver(() => plot.setSize({ width: Math.max(box.clientWidth, 1), height: heightPx }));
  watching.observe(box);
  signal.addEventListener('abort', () => {
    watching.disconnect();
    plot.destroy();
  });
}

/** Draws a dashed vertical line at each time without a value. */
function drawGaps(plot: uPlot, gaps: readonly number[], colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash(DASHES_PX);
  ctx.beginPath();
  for (const gap of gaps) {
    const left = plot.valToPos(gap, 'x', true);
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
  }
  ctx.stroke();
  ctx.restore();
}

/** Resolves a custom property of the style sheet to a colour for the canvas; its value depends on the theme. */
function readColour(box: HTMLElement, name: string): string {
  const probe = box.appendChild(document.createElement('span'));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Formats the value below the pointer for the legend; empty if there is none. */
function formatLegendValue(value: number | null | undefined, toText: (value: number) => string): string {
  return value === null || value === undefined ? '' : toText(value);
}

type SeriesStyle = {
  readonly name: string;
  /** Indexes of the values that get a dot. */
  readonly dots: readonly number[];
  readonly kind: 'line' | 'bars';
  readonly colour: string;
};

function buildSeries(Plot: typeof uPlot, { name, dots, kind, colour }: SeriesStyle): uPlot.Series {
  const paths = kind === 'bars' ? Plot.paths.bars?.({ size: [0.7, 40] }) : Plot.paths.stepped?.({ align: 1 });
  return {
    label: name,
    value: (_plot, value) => formatLegendValue(value, formatCount),
    stroke: colour,
    width: kind === 'bars' ? 0 : 2,
    spanGaps: false,
    ...(kind === 'bars' ? { fill: colour } : {}),
    ...(paths === undefined ? {} : { paths }),
    points: kind === 'bars' ? { show: false } : { show: true, size: 8, fill: colour, filter: () => [...dots] },
  };
}

/** Finds the indexes of values without neighbours, which no line would show. */
function findIsolatedPoints(values: readonly (number | null)[]): readonly number[] {
  const isThere = (at: number): boolean => (values[at] ?? null) !== null;
  return values.flatMap((_, at) => (isThere(at) && !isThere(at - 1) && !isThere(at + 1) ? [at] : []));
}

/** Computes the time axis. A single instant is centred in an hour, a single day in a week; the first and last bars are shown whole. */
function computeTimeRange(from: number, to: number, kind: 'line' | 'bars'): [number, number] {
  if (kind === 'bars')
    return from === to
      ? [from - 3 * DAY_SECONDS, to + 3 * DAY_SECONDS]
      : [from - DAY_SECONDS / 2, to + DAY_SECONDS / 2];
  return from === to ? [from - 1800, to + 1800] : [from, to];
}

/** Formats a tick of the time axis in the browser's locale: the time of day, or the date at the start of a day. */
function formatTick(seconds: number, step: number): string {
  const date = new Date(seconds * 1000);
  const isDayStart = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
  if (step >= 28 * DAY_SECONDS) return date.toLocaleDateString(undefined, { month: 'short', year: 'numeric' });
  if (step >= DAY_SECONDS || isDayStart) return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
  const second = step < 60 ? ({ second: '2-digit' } as const) : {};
  return date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', ...second });
}

/** Computes the value axis. Bars start at zero; a line has a margin above and below. */
function computeValueRange(low: number | null, high: number | null, kind: 'line' | 'bars'): [number, number] {
  if (low === null || high === null) return [0, 1];
  if (kind === 'bars') return [Math.min(low, 0), high > 0 ? high * 1.1 : 1];
  const margin = (high - low) * 0.1 || Math.abs(high) * 0.1 || 1;
  return [low - margin, high + margin];
}

function ChartTable({ label, times, series, kind }: Pick<ChartProps, 'label' | 'times' | 'series' | 'kind'>): VNode {
  const from = Math.max(0, times.length - MAX_TABLE_ROWS);
  return html`<details>
    <summary>${label} as a table${from > 0 ? ` (the last ${MAX_TABLE_ROWS})` : ''}</summary>
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">Time</th>
          ${series.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${times.slice(from).map(
          (time, at) =>
            html`<tr>
              <th scope="row">${formatTime(time, kind)}</th>
              ${series.map(({ values }) => html`<td class="number">${formatCell(values[from + at])}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

function formatTime(seconds: number, kind: 'line' | 'bars'): string {
  const date = new Date(seconds * 1000);
  return kind === 'bars' ? date.toISOString().slice(0, 10) : date.toLocaleString();
}

function formatCell(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : formatCount(value);
}

const SPARKLINE_WIDTH_PX = 96;
const SPARKLINE_HEIGHT_PX = 24;
const SPARKLINE_PADDING_PX = 2;

type SparklineProps = { readonly values: readonly number[]; readonly label: string };

/** A chart of the size of a word, with a text alternative. */
export function Sparkline({ values, label }: SparklineProps): VNode | null {
  if (values.length < 2) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, at) => {
    const x = SPARKLINE_PADDING_PX + (at / (values.length - 1)) * (SPARKLINE_WIDTH_PX - 2 * SPARKLINE_PADDING_PX);
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return `${x.toFixed(1)},${(SPARKLINE_HEIGHT_PX - SPARKLINE_PADDING_PX - share * (SPARKLINE_HEIGHT_PX - 2 * SPARKLINE_PADDING_PX)).toFixed(1)}`;
  });
  return html`<svg
    class="sparkline"
    role="img"
    aria-label=${`${label}: from ${values[0]} to ${values.at(-1)}, between ${low} and ${high}`}
    width=${SPARKLINE_WIDTH_PX}
    height=${SPARKLINE_HEIGHT_PX}
    viewBox=${`0 0 ${SPARKLINE_WIDTH_PX} ${SPARKLINE_HEIGHT_PX}`}
  >
    <polyline points=${points.join(' ')} />
  </svg>`;
}

/**
 * Replaces the browser's language if it is not a valid language tag, such as `en-US@posix` on some systems. The chart
 * library fails to load with an invalid one.
 */
export function repairLanguage(given: { readonly language: string }): void {
  if (isLanguageTag(given.language)) return;
  const [plain = ''] = given.language.split(/[@.]/, 1);
  const tag = plain.replaceAll('_', '-');
  const value = isLanguageTag(tag) ? tag : 'en-US';
  Object.defineProperty(given, 'language', { value, configurable: true });
}

function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch {
    return false;
  }
}
