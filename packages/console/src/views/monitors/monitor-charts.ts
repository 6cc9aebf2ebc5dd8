import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { listAt, numberAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { Chart, type ChartSeries } from '#console/parts/chart.ts';
import { ResourceView } from '#console/parts/resource-view.ts';

/** Fields of hotel monitors that belong into one picture. */
const CHANNEL_PRICE = /^channels\.(?<provider>[\w-]+)\.price$/;
const SPREAD = 'spread.abs';

/** Fields drawn together. */
type Picture = { readonly title: string; readonly fields: readonly unknown[]; readonly limit: number | null };

type MonitorChartsProps = { readonly path: string; readonly monitor: unknown; readonly lastRun: string };

/** Each number that a monitor watches over time, with its changes as dots and failed runs as gaps. */
export function MonitorCharts({ path, monitor, lastRun }: MonitorChartsProps): VNode | null {
  const series = useResource(lastRun === '' ? null : `${path}/series`, { query: { points: 300, to: undefined } });
  if (lastRun === '') return html`<p class="faint">The picture begins with the first run.</p>`;
  return html`<${ResourceView} of=${series}>
    ${(body: unknown) =>
      toPictures(listAt(body, 'fields'), numberAt(monitor, 'watch', 'parity_threshold', 'abs')).map(
        (picture) =>
          html`<section key=${picture.title} aria-label=${picture.title}>
            <h2>${picture.title}</h2>
            <${FieldChart} picture=${picture} marks=${listAt(body, 'marks')} />
          </section>`,
      )}
  <//>`;
}

function toPictures(fields: readonly unknown[], parity: number | null): readonly Picture[] {
  const channels = fields.filter((field) => CHANNEL_PRICE.test(textAt(field, 'field')));
  const others = fields.filter((field) => !channels.includes(field));
  return [
    ...(channels.length > 0 ? [{ title: 'Prices by channel', fields: channels, limit: null }] : []),
    ...others.map((field) => {
      const name = textAt(field, 'field');
      const unit = textAt(field, 'unit');
      if (name === SPREAD) return { title: 'Spread of the prices', fields: [field], limit: parity };
      return { title: unit === '' ? name : `${name} (${unit})`, fields: [field], limit: null };
    }),
  ];
}

type FieldChartProps = { readonly picture: Picture; readonly marks: readonly unknown[] };

function FieldChart({ picture: { title, fields, limit }, marks }: FieldChartProps): VNode {
  const failed = instantsOf(marks, 'failed');
  const times = [
    ...new Set([...fields.flatMap((field) => listAt(field, 'points').map(toSeconds)), ...failed]),
  ].toSorted((one, other) => one - other);
  const changed = instantsOf(marks, 'change');
  const series: ChartSeries[] = fields.map((field) => {
    const values = new Map(listAt(field, 'points').map((point) => [toSeconds(point), numberAt(point, 'value')]));
    const name = CHANNEL_PRICE.exec(textAt(field, 'field'))?.groups?.['provider'] ?? textAt(field, 'field');
    return {
      name,
      values: times.map((time) => values.get(time) ?? null),
      marks: changesAt(times, changed, values),
    };
  });
  if (limit !== null) series.push({ name: 'Alert at', values: times.map(() => limit) });
  return html`<${Chart} label=${title} kind="line" times=${times} series=${series} gaps=${failed} />
    <p class="help">${toLegend(series, failed)}</p>`;
}

/** Positions at which a run reported a change and this number is another than before. */
function changesAt(
  times: readonly number[],
  changed: readonly number[],
  values: ReadonlyMap<number, number | null>,
): readonly number[] {
  let before: number | null = null;
  return times.flatMap((time, at) => {
    const value = values.get(time) ?? null;
    const isOther = value !== null && before !== null && value !== before;
    before = value ?? before;
    return isOther && changed.includes(time) ? [at] : [];
  });
}

/** What the signs of a picture mean, of those that it has. */
function toLegend(series: readonly ChartSeries[], failed: readonly number[]): string {
  const hasChanges = series.some(({ marks = [] }) => marks.length > 0);
  return [
    hasChanges ? 'A dot is a reported change.' : '',
    failed.length > 0 ? 'A dashed line is a run that failed: nothing is known of that time.' : '',
  ].join(' ');
}

function instantsOf(marks: readonly unknown[], kind: string): readonly number[] {
  return marks.filter((mark) => textAt(mark, 'kind') === kind).map(toSeconds);
}

function toSeconds(point: unknown): number {
  return Math.floor(Date.parse(textAt(point, 'at')) / 1000);
}
