import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { listAt, numberAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { toCount, toDuration } from '#console/parts/time.ts';

const COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Plan', width: 'minmax(8rem, 2fr)', cell: (plan) => textAt(plan, 'name') },
  column('Credits a month', '9rem', 'credits_per_month'),
  column('A day', '7rem', 'daily_cap'),
  column('Calls at once', '8rem', 'concurrent_requests'),
  column('Calls a minute', '8rem', 'requests_per_minute'),
  column('Pages a crawl', '8rem', 'crawl_pages'),
  column('Monitors', '6rem', 'active_monitors'),
  {
    title: 'Monitors every',
    width: '9rem',
    isNumber: true,
    cell: (plan) => toDuration(numberAt(plan, 'monitor_interval_ms') ?? 0),
  },
];

function column(title: string, width: string, member: string): TableColumn<unknown> {
  return {
    title,
    width,
    isNumber: true,
    cell: (plan) => {
      const limit = numberAt(plan, member);
      return limit === null ? 'no limit' : toCount(limit);
    },
  };
}

/** The plans of the instance with their limits. */
export function PlanTable(): VNode {
  const plans = useResource('/v1/admin/plans');
  return html`<${ResourceView} of=${plans}>
    ${(body: unknown) =>
      html`<${DataTable}
        label="Plans"
        columns=${COLUMNS}
        rows=${listAt(body, 'data')}
        keyOf=${(plan: unknown) => textAt(plan, 'name')}
      />`}
  <//>`;
}
