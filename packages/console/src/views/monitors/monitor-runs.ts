import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePagedList } from '#console/app/paged-list.ts';
import { isTrueAt, numberAt, recordAt, textAt } from '#console/app/reading.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { Empty } from '#console/parts/empty.ts';
import { FailureNote } from '#console/parts/failure.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { When } from '#console/parts/time.ts';
import { toValueText } from './monitor-words.ts';

const COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'When', width: '10rem', cell: (run) => html`<${When} at=${textAt(run, 'queued_at')} mode="short" />` },
  { title: 'By', width: '7rem', cell: (run) => textAt(run, 'trigger').replaceAll('_', ' ') },
  { title: 'State', width: '9rem', cell: (run) => html`<${Badge} word=${textAt(run, 'status')} />` },
  {
    title: 'What it saw',
    width: 'minmax(12rem, 4fr)',
    cell: (run) => html`<${Foreign} text=${toSeenText(run)} most=${300} />`,
  },
  {
    title: 'Change',
    width: '6rem',
    cell: (run) => (isTrueAt(run, 'changed') ? html`<${Badge} word="changed" tone="busy" />` : ''),
  },
  {
    title: 'Credits',
    width: '5rem',
    isNumber: true,
    cell: (run) => String(numberAt(run, 'usage', 'credits') ?? 0),
  },
];

function toSeenText(run: unknown): string {
  const problem = textAt(run, 'error', 'message') || textAt(run, 'skipped_reason').replaceAll('_', ' ');
  if (problem !== '') return problem;
  return Object.entries(recordAt(run, 'values'))
    .map(([name, value]) => `${name}: ${toValueText(value)}`)
    .join(', ');
}

type MonitorRunsProps = { readonly path: string; readonly lastRun: string };

/** The runs of a monitor, newest first, with what each saw and cost. */
export function MonitorRuns({ path, lastRun }: MonitorRunsProps): VNode {
  const { rows, isRead, failure, readMore, reload } = usePagedList(`${path}/runs`);
  const [opened, setOpened] = useState<unknown>(null);
  useEffect(() => {
    if (lastRun !== '') reload();
  }, [lastRun]);
  if (failure !== null) return html`<${FailureNote} failure=${failure} onRetry=${reload} />`;
  if (rows.length === 0)
    return isRead
      ? html`<${Empty} title="No run yet.">The first begins when the monitor is made.<//>`
      : html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<${DataTable}
      label="Runs"
      columns=${COLUMNS}
      rows=${rows}
      keyOf=${(run: unknown) => textAt(run, 'id')}
      onOpen=${setOpened}
      onEnd=${readMore}
    />
    ${
      opened === null
        ? null
        : html`<${Dialog} title="Run" onClose=${() => setOpened(null)} isWide>
            <${JsonTree} label="Run" value=${opened} />
          <//>`
    }`;
}
