import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type ApiFailure, call } from '#console/app/api.ts';
import { listAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { controlValue, SelectField } from '#console/parts/choices.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { FailureNote } from '#console/parts/failure.ts';
import { notify } from '#console/parts/toast.ts';

type NewTenantDialogProps = { readonly onMade: (tenant: unknown) => void; readonly onClose: () => void };

/** Asks for the name and the plan of a tenant and creates it. */
export function NewTenantDialog({ onMade, onClose }: NewTenantDialogProps): VNode {
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
