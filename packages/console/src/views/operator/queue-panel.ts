import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { listAt, numberAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { Empty } from '#console/parts/empty.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { toCount, When } from '#console/parts/time.ts';

const OFTEN_MS = 5000;

const KIND_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Kind', width: 'minmax(10rem, 3fr)', cell: (row) => html`<code>${textAt(row, 'kind')}</code>` },
  { title: 'Waiting', width: '8rem', isNumber: true, cell: (row) => toCount(numberAt(row, 'queued') ?? 0) },
  { title: 'Running', width: '8rem', isNumber: true, cell: (row) => toCount(numberAt(row, 'running') ?? 0) },
];

const JOB_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Kind', width: 'minmax(7rem, 1fr)', cell: (job) => html`<code>${textAt(job, 'kind')}</code>` },
  { title: 'Job', width: 'minmax(10rem, 2fr)', cell: (job) => html`<code>${textAt(job, 'id')}</code>` },
  { title: 'Tenant', width: 'minmax(10rem, 2fr)', cell: (job) => html`<code>${textAt(job, 'tenant_id')}</code>` },
  { title: 'Process', width: 'minmax(6rem, 1fr)', cell: (job) => textAt(job, 'worker') || '–' },
  { title: 'Try', width: '4rem', isNumber: true, cell: (job) => String(numberAt(job, 'attempt') ?? '') },
  { title: 'Since', width: '8rem', cell: (job) => html`<${When} at=${textAt(job, 'started_at')} />` },
];

/** The queue of all tenants: how much of each kind waits and runs, and what runs where. */
export function QueuePanel(): VNode {
  const queue = useResource('/v1/admin/queue', { everyMs: OFTEN_MS });
  return html`<${ResourceView} of=${queue}>
    ${(body: unknown) =>
      listAt(body, 'by_kind').length === 0
        ? html`<${Empty} title="The queue is empty.">Jobs of all tenants stand here while they wait and run.<//>`
        : html`<${DataTable}
              label="Queue by kind"
              columns=${KIND_COLUMNS}
              rows=${listAt(body, 'by_kind')}
              keyOf=${(row: unknown) => textAt(row, 'kind')}
            />
            <section aria-labelledby="running-jobs">
              <h2 id="running-jobs">Running</h2>
              <${DataTable}
                label="Running jobs"
                columns=${JOB_COLUMNS}
                rows=${listAt(body, 'running_jobs')}
                keyOf=${(job: unknown) => textAt(job, 'id')}
              />
            </section>`}
  <//>`;
}
