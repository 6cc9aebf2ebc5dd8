import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '#console/app/api.ts';
import { usePagedList } from '#console/app/paged-list.ts';
import { isTrueAt, textAt } from '#console/app/reading.ts';
import { controlValue } from '#console/parts/choices.ts';
import { CodeBlock } from '#console/parts/copy.ts';
import { Confirm } from '#console/parts/dialog.ts';
import { FailureNote } from '#console/parts/failure.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { When } from '#console/parts/time.ts';
import { notify } from '#console/parts/toast.ts';

const COLUMNS: readonly TableColumn<unknown>[] = [
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
export function TenantKeys({ tenant }: TenantKeysProps): VNode {
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
            columns=${[...COLUMNS, { title: 'Do', width: '7rem', cell: toRevokeButton }]}
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
