import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type ApiFailure, call } from '#console/app/api.ts';
import { usePagedList } from '#console/app/paged-list.ts';
import { isTrueAt, listAt, numberAt, textAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { controlValue, SelectField } from '#console/parts/controls.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { Confirm, Dialog } from '#console/parts/dialog.ts';
import { FailureNote } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { toCount, When } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';

const TENANT_COLUMNS: readonly TableColumn<unknown>[] = [
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
      columns=${TENANT_COLUMNS}
      rows=${rows}
      keyOf=${(one: unknown) => textAt(one, 'id')}
      onOpen=${setOpened}
      onEnd=${readMore}
    />
    ${isMaking ? html`<${NewTenantDialog} onMade=${showMade} onClose=${() => setMaking(false)} />` : null}
    ${opened === null ? null : html`<${TenantDialog} tenant=${opened} onClose=${() => setOpened(null)} onChanged=${reload} />`}`;
}

type NewTenantDialogProps = { readonly onMade: (tenant: unknown) => void; readonly onClose: () => void };

/** Asks for the name and the plan of a tenant and creates it. */
function NewTenantDialog({ onMade, onClose }: NewTenantDialogProps): VNode {
  const plans = useResource('/v1/admin/plans');
  const names = listAt(plans.body, 'data').map((one) => textAt(one, 'name'));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const plan = chosen ?? names[0] ?? '';
  async function create(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await call('POST', '/v1/admin/tenants', { body: { name: name.trim(), plan } });
    setBusy(false);
    if (!answer.ok) return setFailure(answer.failure);
    notify('The tenant is created; it needs a key.', 'good');
    onMade(answer.body);
  }
  return html`<${Dialog} title="New tenant" onClose=${onClose}>
    <form class="members" onSubmit=${create}>
      <label class="field">
        Name
        <input autofocus value=${name} onInput=${(event: Event) => setName(controlValue(event))} />
      </label>
      <${SelectField} label="Plan" value=${plan} options=${names.map((one) => [one, one])} onChoose=${setChosen} />
      ${failure === null ? null : html`<${FailureNote} failure=${failure} />`}
      <div class="actions">
        <button type="submit" class="primary" disabled=${isBusy || name.trim() === '' || plan === ''}>
          Create the tenant
        </button>
      </div>
    </form>
  <//>`;
}

type TenantDialogProps = { readonly tenant: unknown; readonly onClose: () => void; readonly onChanged: () => void };

/** One tenant: its keys, its plan and its credits, and whether it is suspended. */
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
  return html`<${Dialog} title=${textAt(tenant, 'name') || 'Tenant'} onClose=${onClose} isWide>
    <p><code class="faint">${textAt(tenant, 'id')}</code></p>
    <${TenantKeys} tenant=${textAt(tenant, 'id')} />
    <h3>Plan and credits</h3>
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
          void act('PATCH', path, { suspended: !isSuspended }, isSuspended ? 'Resumed.' : 'Its calls are refused now.')}
      >
        ${isSuspended ? 'Resume' : 'Suspend'}
      </button>
    </div>
  <//>`;
}

const KEY_COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Name',
    width: 'minmax(8rem, 2fr)',
    cell: (key) => html`<${Foreign} text=${textAt(key, 'name')} most=${100} />`,
  },
  { title: 'Begins with', width: '8rem', cell: (key) => html`<code>${textAt(key, 'prefix') || '–'}</code>` },
  { title: 'Last used', width: '8rem', cell: (key) => html`<${When} at=${textAt(key, 'last_used_at')} />` },
  {
    title: 'State',
    width: '7rem',
    cell: (key) =>
      isRevoked(key)
        ? html`<${Badge} word="revoked" tone="warn" />`
        : html`<${Badge} word=${isTrueAt(key, 'operator') ? 'operator' : 'active'} tone="good" />`,
  },
];

type TenantKeysProps = { readonly tenant: string };

/** The keys of a tenant: a new one is shown once, and any is revoked. */
function TenantKeys({ tenant }: TenantKeysProps): VNode {
  const path = `/v1/admin/tenants/${encodeURIComponent(tenant)}/keys`;
  const { rows, isRead, failure, readMore, reload } = usePagedList(path);
  const [name, setName] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  async function create(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await call('POST', path, { body: { name: name.trim() } });
    setBusy(false);
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    setSecret(textAt(answer.body, 'key'));
    setName('');
    reload();
  }
  async function revoke(key: unknown): Promise<void> {
    const answer = await call('DELETE', `/v1/admin/keys/${encodeURIComponent(textAt(key, 'id'))}`);
    notify(answer.ok ? 'The key is refused from now on.' : answer.failure.message, answer.ok ? 'good' : 'bad');
    if (answer.ok) reload();
  }
  return html`<section aria-label="Keys of the tenant">
    <h3>Keys</h3>
    <form class="toolbar" onSubmit=${create}>
      <label class="field-inline"
        >Name of a new key
        <input value=${name} onInput=${(event: Event) => setName(controlValue(event))} />
      </label>
      <button type="submit" disabled=${isBusy || name.trim() === ''}>Create key</button>
    </form>
    ${secret === null ? null : html`<${NewKey} secret=${secret} />`}
    ${failure === null ? null : html`<${FailureNote} failure=${failure} onRetry=${reload} />`}
    ${
      rows.length > 0
        ? html`<${DataTable}
            label="Keys of the tenant"
            columns=${[...KEY_COLUMNS, { title: 'Do', width: '7rem', cell: toRevokeButton }]}
            rows=${rows}
            keyOf=${(key: unknown) => textAt(key, 'id')}
            onEnd=${readMore}
          />`
        : isRead
          ? html`<p>It has no key yet.</p>`
          : null
    }
    ${leaving === null ? null : html`<${RevokeQuestion} name=${textAt(leaving, 'name')} onConfirm=${() => void revoke(leaving)} onClose=${() => setLeaving(null)} />`}
  </section>`;

  function toRevokeButton(key: unknown): VNode | null {
    if (isRevoked(key)) return null;
    return html`<button
      type="button"
      class="small danger"
      aria-label=${`Revoke ${textAt(key, 'name')}`}
      onClick=${() => setLeaving(key)}
    >
      Revoke
    </button>`;
  }
}

function NewKey({ secret }: { readonly secret: string }): VNode {
  return html`<p role="status">This key is shown this once: copy it now.</p>
    <${CodeBlock} text=${secret} label="New key" isWrapped />`;
}

type RevokeQuestionProps = { readonly name: string; readonly onConfirm: () => void; readonly onClose: () => void };

function RevokeQuestion({ name, onConfirm, onClose }: RevokeQuestionProps): VNode {
  return html`<${Confirm} title="Revoke the key?" verb="Revoke" onConfirm=${onConfirm} onClose=${onClose}>
    <p><strong>${name}</strong> is refused at once, and cannot be brought back.</p>
  <//>`;
}

function isRevoked(key: unknown): boolean {
  return textAt(key, 'revoked_at') !== '';
}
