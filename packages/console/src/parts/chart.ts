import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { theme } from '#console/app/theme.ts';
import { toCount } from './format.ts';

/** Values over the times of a chart; null leaves a gap. */
export type ChartSeries = {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** Positions that get a dot, such as the changes of a value. */
  readonly marks?: readonly number[];
};

type ChartProps = {
  readonly label: string;
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  /** Lines keep a value until the next; bars stand for a day each. */
  readonly kind: 'line' | 'bars';
  readonly heightPx?: number;
  /** Times at which there is no value for a reason, in seconds; each gets a dashed line. */
  readonly gaps?: readonly number[];
};

const HEIGHT_PX = 200;
const COLOURS = ['--accent', '--busy', '--good', '--warn', '--bad'];
const MAX_TABLE_ROWS = 500;
const DAY_S = 86_400;
const TICK_SPACE_PX = 84;
/** Room for half of the last tick's words. */
const SIDE_PX = 28;
const DASHES_PX = [3, 4];

/** A chart over time, drawn again when its values, its width or the colours change; a table says the same in words. */
export function Chart({ label, times, series, kind, heightPx = HEIGHT_PX, gaps = [] }: ChartProps): VNode {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = JSON.stringify([times, series, kind, gaps]);
  const colours = theme.value;
  useEffect(() => {
    const box = frame.current;
    if (box === null) return undefined;
    const leaving = new AbortController();
    void draw(box, { times, series, kind, heightPx, gaps }, leaving.signal);
    return () => leaving.abort();
  }, [drawn, colours, heightPx]);
  return html`<figure class="chart">
    <div ref=${frame} role="img" aria-label=${label} style=${{ minHeight: `${heightPx}px` }}></div>
    <${ChartTable} label=${label} times=${times} series=${series} kind=${kind} />
  </figure>`;
}

type Drawing = Required<Omit<ChartProps, 'label'>>;

async function draw(box: HTMLElement, drawing: Drawing, signal: AbortSignal): Promise<void> {
  const { times, series, kind, heightPx, gaps } = drawing;
  repairLanguage(navigator);
  const { default: Plot } = await import('uplot');
  if (signal.aborted) return;
  const colourOf = (name: string): string => readColour(box, name);
  const [faint, line] = [colourOf('--faint'), colourOf('--line')];
  const axis = { stroke: faint, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const plot = new Plot(
    {
      width: Math.max(box.clientWidth, 1),
      height: heightPx,
      padding: [null, SIDE_PX, null, null],
      cursor: { drag: { x: false, y: false } },
      scales: {
        x: { time: true, range: () => spanOf(times[0] ?? 0, times.at(-1) ?? 0, kind) },
        y: { range: (_plot, low, high) => rangeOf(low, high, kind) },
      },
      axes: [
        {
          ...axis,
          space: TICK_SPACE_PX,
          values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => toTick(tick, step)),
        },
        { ...axis, size: 64, values: (_plot, ticks) => ticks.map(toCount) },
      ],
      hooks: { drawSeries: [(drawn, at) => (at === 1 ? drawGaps(drawn, gaps, colourOf('--bad')) : undefined)] },
      series: [
        { label: 'At', value: (_plot, time) => toHovered(time, (at) => toInstant(at, kind)) },
        ...series.map(({ name, values, marks = [] }, at) =>
          seriesOf(Plot, {
            name,
            dots: [...marks, ...aloneIn(values)],
            kind,
            colour: colourOf(COLOURS[at % COLOURS.length] ?? '--accent'),
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

/** A dashed line from top to bottom at each time without a value. */
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

/** A colour of the style sheet as the canvas takes it: a property may depend on the theme. */
function readColour(box: HTMLElement, name: string): string {
  const probe = box.appendChild(document.createElement('span'));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** What the legend says of the point below the pointer; nothing while there is none. */
function toHovered(value: number | null | undefined, toText: (value: number) => string): string {
  return value === null || value === undefined ? '' : toText(value);
}

type Stroke = {
  readonly name: string;
  /** Positions that get a dot. */
  readonly dots: readonly number[];
  readonly kind: 'line' | 'bars';
  readonly colour: string;
};

function seriesOf(Plot: typeof uPlot, { name, dots, kind, colour }: Stroke): uPlot.Series {
  const paths = kind === 'bars' ? Plot.paths.bars?.({ size: [0.7, 40] }) : Plot.paths.stepped?.({ align: 1 });
  return {
    label: name,
    value: (_plot, value) => toHovered(value, toCount),
    stroke: colour,
    width: kind === 'bars' ? 0 : 2,
    spanGaps: false,
    ...(kind === 'bars' ? { fill: colour } : {}),
    ...(paths === undefined ? {} : { paths }),
    points: kind === 'bars' ? { show: false } : { show: true, size: 8, fill: colour, filter: () => [...dots] },
  };
}

/** Positions of values that have none beside them: no line shows these. */
function aloneIn(values: readonly (number | null)[]): readonly number[] {
  const isThere = (at: number): boolean => (values[at] ?? null) !== null;
  return values.flatMap((_, at) => (isThere(at) && !isThere(at - 1) && !isThere(at + 1) ? [at] : []));
}

/** One instant lies in the middle of its hour, and one day of its week; the first and last bars are whole. */
function spanOf(from: number, to: number, kind: 'line' | 'bars'): [number, number] {
  if (kind === 'bars') return from === to ? [from - 3 * DAY_S, to + 3 * DAY_S] : [from - DAY_S / 2, to + DAY_S / 2];
  return from === to ? [from - 1800, to + 1800] : [from, to];
}

/** A time below the chart as the reader writes it: of the day, and the date where a day begins. */
function toTick(seconds: number, step: number): string {
  const date = new Date(seconds * 1000);
  const isDayStart = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
  if (step >= 28 * DAY_S) return date.toLocaleDateString(undefined, { month: 'short', year: 'numeric' });
  if (step >= DAY_S || isDayStart) return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
  const second = step < 60 ? ({ second: '2-digit' } as const) : {};
  return date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', ...second });
}

/** Bars stand on zero; a line has room above and below, and one value lies in the middle. */
function rangeOf(low: number | null, high: number | null, kind: 'line' | 'bars'): [number, number] {
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
              <th scope="row">${toInstant(time, kind)}</th>
              ${series.map(({ values }) => html`<td class="number">${toCell(values[from + at])}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

function toInstant(seconds: number, kind: 'line' | 'bars'): string {
  const date = new Date(seconds * 1000);
  return kind === 'bars' ? date.toISOString().slice(0, 10) : date.toLocaleString();
}

function toCell(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : toCount(value);
}

const WIDTH = 96;
const HEIGHT = 24;
const PAD = 2;

type SparklineProps = { readonly values: readonly number[]; readonly label: string };

/** A line of a word's size; it says in words what it shows. */
export function Sparkline({ values, label }: SparklineProps): VNode | null {
  if (values.length < 2) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, at) => {
    const x = PAD + (at / (values.length - 1)) * (WIDTH - 2 * PAD);
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return `${x.toFixed(1)},${(HEIGHT - PAD - share * (HEIGHT - 2 * PAD)).toFixed(1)}`;
  });
  return html`<svg
    class="sparkline"
    role="img"
    aria-label=${`${label}: from ${values[0]} to ${values.at(-1)}, between ${low} and ${high}`}
    width=${WIDTH}
    height=${HEIGHT}
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
  >
    <polyline points=${points.join(' ')} />
  </svg>`;
}

/**
 * Gives the browser a language that is a language tag where its own is none, such as `en-US@posix` of some systems: the
 * library of charts does not load with one.
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
