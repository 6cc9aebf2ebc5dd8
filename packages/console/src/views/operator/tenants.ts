import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type ApiFailure, callApi } from '#console/app/api.ts';
import { usePagedList } from '#console/app/paged-list.ts';
import { isTrue, getList, getNumber, getText } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { readControlValue, SelectField } from '#console/parts/controls.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { ConfirmDialog, Dialog } from '#console/parts/dialog.ts';
import { FailureNote } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { formatCount, Timestamp } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';

const TENANT_COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Tenant',
    width: 'minmax(10rem, 3fr)',
    cell: (one) => html`<${UntrustedText} text=${getText(one, 'name')} maxLength=${120} />`,
  },
  { title: 'Plan', width: '8rem', cell: (one) => getText(one, 'plan') },
  { title: 'Used', width: '7rem', isNumber: true, cell: (one) => formatCount(getNumber(one, 'credits_used') ?? 0) },
  {
    title: 'Remaining',
    width: '7rem',
    isNumber: true,
    cell: (one) => formatRemaining(getNumber(one, 'credits_remaining')),
  },
  { title: 'Today', width: '7rem', isNumber: true, cell: (one) => formatCount(getNumber(one, 'daily_used') ?? 0) },
  {
    title: 'Since',
    width: '8rem',
    cell: (one) => html`<${Timestamp} at=${getText(one, 'created_at')} mode="short" />`,
  },
  {
    title: 'State',
    width: '8rem',
    cell: (one) =>
      getText(one, 'suspended_at') === ''
        ? html`<${Badge} word="active" />`
        : html`<${Badge} word="suspended" tone="warn" />`,
  },
];

function formatRemaining(credits: number | null): string {
  return credits === null ? 'no limit' : formatCount(credits);
}

/** All tenants. A tenant opens in a dialog with its keys, plan, credits and suspension; new tenants can be created. */
export function TenantTable(): VNode {
  const { rows, isLoaded, failure, loadMore, reload } = usePagedList('/v1/admin/tenants');
  const [opened, setOpened] = useState<unknown>(null);
  const [isCreating, setCreating] = useState(false);
  function showCreated(tenant: unknown): void {
    setCreating(false);
    setOpened(tenant);
    reload();
  }
  if (failure !== null) return html`<${FailureNote} failure=${failure} onRetry=${reload} />`;
  if (!isLoaded) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<div class="toolbar">
      <button type="button" onClick=${() => setCreating(true)}>New tenant</button>
    </div>
    <${DataTable}
      label="Tenants"
      columns=${TENANT_COLUMNS}
      rows=${rows}
      rowKey=${(one: unknown) => getText(one, 'id')}
      onOpen=${setOpened}
      onEnd=${loadMore}
    />
    ${isCreating ? html`<${NewTenantDialog} onCreated=${showCreated} onClose=${() => setCreating(false)} />` : null}
    ${opened === null ? null : html`<${TenantDialog} tenant=${opened} onClose=${() => setOpened(null)} onChanged=${reload} />`}`;
}

type NewTenantDialogProps = { readonly onCreated: (tenant: unknown) => void; readonly onClose: () => void };

/** Asks for the name and the plan of a new tenant, and creates it. */
function NewTenantDialog({ onCreated, onClose }: NewTenantDialogProps): VNode {
  const plans = useResource('/v1/admin/plans');
  const names = getList(plans.body, 'data').map((one) => getText(one, 'name'));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const plan = chosen ?? names[0] ?? '';
  async function create(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await callApi('POST', '/v1/admin/tenants', { body: { name: name.trim(), plan } });
    setBusy(false);
    if (!answer.ok) return setFailure(answer.failure);
    notify('Tenant created. Now create a key for it.', 'good');
    onCreated(answer.body);
  }
  return html`<${Dialog} title="New tenant" onClose=${onClose}>
    <form class="members" onSubmit=${create}>
      <label class="field">
        Name
        <input autofocus value=${name} onInput=${(event: Event) => setName(readControlValue(event))} />
      </label>
      <${SelectField} label="Plan" value=${plan} options=${names.map((one) => [one, one])} onChoose=${setChosen} />
      ${failure === null ? null : html`<${FailureNote} failure=${failure} />`}
      <div class="actions">
        <button type="submit" class="primary" disabled=${isBusy || name.trim() === '' || plan === ''}>
          Create tenant
        </button>
      </div>
    </form>
  <//>`;
}

type TenantDialogProps = { readonly tenant: unknown; readonly onClose: () => void; readonly onChanged: () => void };

/** One tenant: its keys, its plan, its credits, and its suspension. */
function TenantDialog({ tenant, onClose, onChanged }: TenantDialogProps): VNode {
  const path = `/v1/admin/tenants/${encodeURIComponent(getText(tenant, 'id'))}`;
  const plans = useResource('/v1/admin/plans');
  const [plan, setPlan] = useState(getText(tenant, 'plan'));
  const [credits, setCredits] = useState('');
  const isSuspended = getText(tenant, 'suspended_at') !== '';
  async function act(method: string, target: string, body: unknown, done: string): Promise<void> {
    const answer = await callApi(method, target, { body });
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    notify(done, 'good');
    onChanged();
    onClose();
  }
  return html`<${Dialog} title=${getText(tenant, 'name') || 'Tenant'} onClose=${onClose} isWide>
    <p><code class="faint">${getText(tenant, 'id')}</code></p>
    <${TenantKeys} tenant=${getText(tenant, 'id')} />
    <h3>Plan and credits</h3>
    <div class="toolbar">
      <${SelectField}
        label="Plan"
        value=${plan}
        options=${getList(plans.body, 'data').map((one) => [getText(one, 'name'), getText(one, 'name')])}
        onChoose=${setPlan}
      />
      <button type="button" onClick=${() => void act('PATCH', path, { plan }, `Moved to plan ${plan}.`)}>Move</button>
    </div>
    <div class="toolbar">
      <label class="field-inline"
        >Credits
        <input
          type="number"
          min="1"
          value=${credits}
          onInput=${(event: Event) => setCredits(readControlValue(event))}
        />
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
            { suspendedCount: !isSuspended },
            isSuspended ? 'Resumed.' : 'Suspended: its calls are refused.',
          )}
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
    cell: (key) => html`<${UntrustedText} text=${getText(key, 'name')} maxLength=${100} />`,
  },
  { title: 'Begins with', width: '8rem', cell: (key) => html`<code>${getText(key, 'prefix') || '–'}</code>` },
  { title: 'Last used', width: '8rem', cell: (key) => html`<${Timestamp} at=${getText(key, 'last_used_at')} />` },
  {
    title: 'State',
    width: '7rem',
    cell: (key) =>
      isRevoked(key)
        ? html`<${Badge} word="revoked" tone="warn" />`
        : html`<${Badge} word=${isTrue(key, 'operator') ? 'operator' : 'active'} tone="good" />`,
  },
];

type TenantKeysProps = { readonly tenant: string };

/** The keys of a tenant. Keys can be created, which shows the new key once, and revoked. */
function TenantKeys({ tenant }: TenantKeysProps): VNode {
  const path = `/v1/admin/tenants/${encodeURIComponent(tenant)}/keys`;
  const { rows, isLoaded, failure, loadMore, reload } = usePagedList(path);
  const [name, setName] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const [keyToRevoke, setKeyToRevoke] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  async function create(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await callApi('POST', path, { body: { name: name.trim() } });
    setBusy(false);
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    setSecret(getText(answer.body, 'key'));
    setName('');
    reload();
  }
  async function revoke(key: unknown): Promise<void> {
    const answer = await callApi('DELETE', `/v1/admin/keys/${encodeURIComponent(getText(key, 'id'))}`);
    notify(answer.ok ? 'Key revoked.' : answer.failure.message, answer.ok ? 'good' : 'bad');
    if (answer.ok) reload();
  }
  return html`<section aria-label="Keys of the tenant">
    <h3>Keys</h3>
    <form class="toolbar" onSubmit=${create}>
      <label class="field-inline"
        >Name of a new key
        <input value=${name} onInput=${(event: Event) => setName(readControlValue(event))} />
      </label>
      <button type="submit" disabled=${isBusy || name.trim() === ''}>Create key</button>
    </form>
    ${secret === null ? null : html`<${NewKey} secret=${secret} />`}
    ${failure === null ? null : html`<${FailureNote} failure=${failure} onRetry=${reload} />`}
    ${
      rows.length > 0
        ? html`<${DataTable}
            label="Keys of the tenant"
            columns=${[...KEY_COLUMNS, { title: 'Actions', width: '7rem', cell: toRevokeButton }]}
            rows=${rows}
            rowKey=${(key: unknown) => getText(key, 'id')}
            onEnd=${loadMore}
          />`
        : isLoaded
          ? html`<p>The tenant has no key yet.</p>`
          : null
    }
    ${keyToRevoke === null ? null : html`<${RevokeQuestion} name=${getText(keyToRevoke, 'name')} onConfirm=${() => void revoke(keyToRevoke)} onClose=${() => setKeyToRevoke(null)} />`}
  </section>`;

  function toRevokeButton(key: unknown): VNode | null {
    if (isRevoked(key)) return null;
    return html`<button
      type="button"
      class="small danger"
      aria-label=${`Revoke ${getText(key, 'name')}`}
      onClick=${() => setKeyToRevoke(key)}
    >
      Revoke
    </button>`;
  }
}

function NewKey({ secret }: { readonly secret: string }): VNode {
  return html`<p role="status">This key is not shown again: copy it now.</p>
    <${CodeBlock} text=${secret} label="New key" isWrapped />`;
}

type RevokeQuestionProps = { readonly name: string; readonly onConfirm: () => void; readonly onClose: () => void };

function RevokeQuestion({ name, onConfirm, onClose }: RevokeQuestionProps): VNode {
  return html`<${ConfirmDialog} title="Revoke the key?" verb="Revoke" onConfirm=${onConfirm} onClose=${onClose}>
    <p><strong>${name}</strong> stops working at once. This cannot be undone.</p>
  <//>`;
}

function isRevoked(key: unknown): boolean {
  return getText(key, 'revoked_at') !== '';
}
