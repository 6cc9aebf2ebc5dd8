import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePagedList } from '#console/app/paged-list.ts';
import { numberAt, textAt } from '#console/app/reading.ts';
import { FailureNote } from '#console/parts/failure.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { toCount, When } from '#console/parts/time.ts';
import { NewTenantDialog } from './new-tenant.ts';
import { TenantDialog } from './tenant-dialog.ts';

const COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Tenant',
    width: 'minmax(10rem, 3fr)',
    cell: (one) => html`<${Foreign} text=${textAt(one, 'name')} most=${120} />`,
  },
  { title: 'Plan', width: '8rem', cell: (one) => textAt(one, 'plan') },
  { title: 'Used', width: '7rem', isNumber: true, cell: (one) => toCount(numberAt(one, 'credits_used') ?? 0) },
  { title: 'Left', width: '7rem', isNumber: true, cell: (one) => toLeft(numberAt(one, 'credits_remaining')) },
  { title: 'Today', width: '7rem', isNumber: true, cell: (one) => toCount(numberAt(one, 'daily_used') ?? 0) },
  { title: 'Since', width: '8rem', cell: (one) => html`<${When} at=${textAt(one, 'created_at')} mode="short" />` },
  {
    title: 'State',
    width: '8rem',
    cell: (one) =>
      textAt(one, 'suspended_at') === ''
        ? html`<${Badge} word="active" />`
        : html`<${Badge} word="suspended" tone="warn" />`,
  },
];

function toLeft(credits: number | null): string {
  return credits === null ? 'no limit' : toCount(credits);
}

/** All tenants, and a way to make one; one opens to get keys, to be moved to another plan, topped up, suspended or resumed. */
export function TenantTable(): VNode {
  const { rows, isRead, failure, readMore, reload } = usePagedList('/v1/admin/tenants');
  const [opened, setOpened] = useState<unknown>(null);
  const [isMaking, setMaking] = useState(false);
  function showMade(tenant: unknown): void {
    setMaking(false);
    setOpened(tenant);
    reload();
  }
  if (failure !== null) return html`<${FailureNote} failure=${failure} onRetry=${reload} />`;
  if (!isRead) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<div class="toolbar">
      <button type="button" onClick=${() => setMaking(true)}>New tenant</button>
    </div>
    <${DataTable}
      label="Tenants"
      columns=${COLUMNS}
      rows=${rows}
      keyOf=${(one: unknown) => textAt(one, 'id')}
      onOpen=${setOpened}
      onEnd=${readMore}
    />
    ${isMaking ? html`<${NewTenantDialog} onMade=${showMade} onClose=${() => setMaking(false)} />` : null}
    ${opened === null ? null : html`<${TenantDialog} tenant=${opened} onClose=${() => setOpened(null)} onChanged=${reload} />`}`;
}
