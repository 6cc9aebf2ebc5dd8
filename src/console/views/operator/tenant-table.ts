import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '#console/app/api.ts';
import { usePagedList } from '#console/app/paged-list.ts';
import { listAt, numberAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { controlValue, SelectField } from '#console/parts/choices.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { FailureNote } from '#console/parts/failure.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable } from '#console/parts/table.ts';
import type { TableColumn } from '#console/parts/table.ts';
import { toCount, When } from '#console/parts/time.ts';
import { notify } from '#console/parts/toast.ts';

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

/** All tenants; one opens to be moved to another plan, topped up, suspended or resumed. */
export function TenantTable(): VNode {
  const { rows, isRead, failure, readMore, reload } = usePagedList('/v1/admin/tenants');
  const [opened, setOpened] = useState<unknown>(null);
  if (failure !== null) return html`<${FailureNote} failure=${failure} onRetry=${reload} />`;
  if (!isRead) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<${DataTable}
      label="Tenants"
      columns=${COLUMNS}
      rows=${rows}
      keyOf=${(one: unknown) => textAt(one, 'id')}
      onOpen=${setOpened}
      onEnd=${readMore}
    />
    ${opened === null ? null : html`<${TenantDialog} tenant=${opened} onClose=${() => setOpened(null)} onChanged=${reload} />`}`;
}

type TenantDialogProps = { readonly tenant: unknown; readonly onClose: () => void; readonly onChanged: () => void };

function TenantDialog({ tenant, onClose, onChanged }: TenantDialogProps): VNode {
  const path = `/v1/admin/tenants/${encodeURIComponent(textAt(tenant, 'id'))}`;
  const plans = useResource('/v1/admin/plans');
  const [plan, setPlan] = useState(textAt(tenant, 'plan'));
  const [credits, setCredits] = useState('');
  const isSuspended = textAt(tenant, 'suspended_at') !== '';
  async function act(method: string, target: string, body: unknown, done: string): Promise<void> {
    const answer = await call(method, target, { body });
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    notify(done, 'good');
    onChanged();
    onClose();
  }
  return html`<${Dialog} title=${textAt(tenant, 'name') || 'Tenant'} onClose=${onClose}>
    <p><code class="faint">${textAt(tenant, 'id')}</code></p>
    <div class="toolbar">
      <${SelectField}
        label="Plan"
        value=${plan}
        options=${listAt(plans.body, 'data').map((one) => [textAt(one, 'name'), textAt(one, 'name')])}
        onChoose=${setPlan}
      />
      <button type="button" onClick=${() => void act('PATCH', path, { plan }, `The plan is ${plan} now.`)}>Move</button>
    </div>
    <div class="toolbar">
      <label class="field-inline"
        >Credits
        <input type="number" min="1" value=${credits} onInput=${(event: Event) => setCredits(controlValue(event))} />
      </label>
      <button
        type="button"
        disabled=${credits === ''}
        onClick=${() => void act('POST', `${path}/top_ups`, { credits: Number(credits) }, 'Topped up.')}
      >
        Top up
      </button>
    </div>
    <div class="actions">
      <button
        type="button"
        class=${isSuspended ? '' : 'danger'}
        onClick=${() =>
          void act(
            'PATCH',
            path,
            { suspended: !isSuspended },
            isSuspended ? 'It goes on.' : 'Its calls are refused now.',
          )}
      >
        ${isSuspended ? 'Resume' : 'Suspend'}
      </button>
    </div>
  <//>`;
}
