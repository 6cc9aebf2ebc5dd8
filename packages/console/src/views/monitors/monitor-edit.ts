import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type ApiFailure, call } from '#console/app/api.ts';
import { jsonIn, recordAt, textAt } from '#console/app/json.ts';
import { linkTo } from '#console/app/router.ts';
import { controlValue } from '#console/parts/controls.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { FailureNote } from '#console/parts/view-states.ts';
import { notify } from '#console/parts/toast.ts';
import { ScheduleField, type ScheduleValue } from './schedule-field.ts';

type MonitorEditProps = {
  readonly path: string;
  readonly monitor: unknown;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

/** The input of the operation that changes anything of a monitor of pages; null for other kinds, which have their own. */
function toWholeInput(monitor: unknown): Readonly<Record<string, unknown>> | null {
  const [id, url] = [textAt(monitor, 'id'), textAt(monitor, 'url')];
  const extract = recordAt(monitor, 'extract');
  if (textAt(monitor, 'kind') !== 'generic' || url === '') return null;
  return { id, url, ...(Object.keys(extract).length === 0 ? {} : { extract }) };
}

/** Changes a monitor: its name, when it looks, what counts as a change, where changes are sent. */
export function MonitorEdit({ path, monitor, onClose, onChanged }: MonitorEditProps): VNode {
  const id = useId();
  const [name, setName] = useState(textAt(monitor, 'name'));
  const [schedule, setSchedule] = useState<ScheduleValue>({
    cron: textAt(monitor, 'cron'),
    timezone: textAt(monitor, 'timezone'),
  });
  const [watch, setWatch] = useState(JSON.stringify(recordAt(monitor, 'watch'), null, 2));
  const [webhook, setWebhook] = useState('');
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const parsed = jsonIn(watch);
  const whole = toWholeInput(monitor);

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    const { cron, timezone } = schedule;
    const isSameWatch = JSON.stringify(parsed) === JSON.stringify(recordAt(monitor, 'watch'));
    const answer = await call('PATCH', path, {
      body: {
        name,
        cron: cron === '' ? null : cron,
        timezone,
        ...(isSameWatch ? {} : { watch: parsed }),
        ...(webhook === '' ? {} : { webhook }),
      },
    });
    if (!answer.ok) return setFailure(answer.failure);
    notify('Changed.', 'good');
    onChanged();
    onClose();
  }

  return html`<${Dialog} title="Change the monitor" onClose=${onClose}>
    <form onSubmit=${save}>
      ${failure === null ? null : html`<${FailureNote} failure=${failure} />`}
      <div class="members">
        <div class="field">
          <label class="member" for=${`${id}-name`}>name</label>
          <input id=${`${id}-name`} value=${name} onInput=${(event: Event) => setName(controlValue(event))} />
        </div>
        <${ScheduleField} value=${schedule} onChange=${setSchedule} />
        <${WatchField} text=${watch} onChange=${setWatch} />
        <div class="field">
          <label class="member" for=${`${id}-webhook`}>webhook</label>
          <input
            id=${`${id}-webhook`}
            type="text"
            inputmode="url"
            value=${webhook}
            placeholder="stays as it is"
            onInput=${(event: Event) => setWebhook(controlValue(event))}
          />
        </div>
      </div>
      <div class="actions">
        <button type="submit" class="primary" disabled=${parsed === undefined}>Save</button>
        <button type="button" onClick=${onClose}>Cancel</button>
        ${
          whole === null
            ? null
            : html`<a href=${linkTo('/playground/monitors.update', { input: JSON.stringify(whole) })}
                >Change the URL or the fields</a
              >`
        }
      </div>
    </form>
  <//>`;
}

type WatchFieldProps = { readonly text: string; readonly onChange: (text: string) => void };

/** What counts as a change, as JSON. */
function WatchField({ text, onChange }: WatchFieldProps): VNode {
  const id = useId();
  return html`<div class="field">
    <label class="member" for=${id}>watch</label>
    <textarea
      id=${id}
      class="mono"
      rows=${8}
      spellcheck=${false}
      aria-describedby=${`${id}-help`}
      value=${text}
      onInput=${(event: Event) => onChange(controlValue(event))}
    ></textarea>
    <p class="help" id=${`${id}-help`}>
      What counts as a change, such as <code>"thresholds": {"price": {"pct": 5}}</code>; the${' '}
      <a href="/docs/monitors.update">documentation</a> has its members.
    </p>
    ${jsonIn(text) === undefined ? html`<p class="problem">This is no JSON.</p>` : null}
  </div>`;
}
