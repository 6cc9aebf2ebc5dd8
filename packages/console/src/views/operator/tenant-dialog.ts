import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '#console/app/api.ts';
import { listAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { controlValue, SelectField } from '#console/parts/choices.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { notify } from '#console/parts/toast.ts';
import { TenantKeys } from './tenant-keys.ts';

type TenantDialogProps = { readonly tenant: unknown; readonly onClose: () => void; readonly onChanged: () => void };

/** One tenant: its keys, its plan and its credits, and whether it is suspended. */
export function TenantDialog({ tenant, onClose, onChanged }: TenantDialogProps): VNode {
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
