import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type ApiFailure, callApi } from '#console/app/api.ts';
import { parseJson, getRecord, getText } from '#console/app/json.ts';
import { linkTo } from '#console/app/router.ts';
import { readControlValue } from '#console/parts/controls.ts';
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

/** Builds the input of `monitors.update` for a page monitor; null for other kinds, which have operations of their own. */
function buildUpdateInput(monitor: unknown): Readonly<Record<string, unknown>> | null {
  const [id, url] = [getText(monitor, 'id'), getText(monitor, 'url')];
  const extract = getRecord(monitor, 'extract');
  if (getText(monitor, 'kind') !== 'generic' || url === '') return null;
  return { id, url, ...(Object.keys(extract).length === 0 ? {} : { extract }) };
}

/** Edits a monitor: its name, its schedule, what counts as a change, and its webhook. */
export function MonitorEdit({ path, monitor, onClose, onChanged }: MonitorEditProps): VNode {
  const id = useId();
  const [name, setName] = useState(getText(monitor, 'name'));
  const [schedule, setSchedule] = useState<ScheduleValue>({
    cron: getText(monitor, 'cron'),
    timezone: getText(monitor, 'timezone'),
  });
  const [watch, setWatch] = useState(JSON.stringify(getRecord(monitor, 'watch'), null, 2));
  const [webhook, setWebhook] = useState('');
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const parsed = parseJson(watch);
  const updateInput = buildUpdateInput(monitor);

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    const { cron, timezone } = schedule;
    const isSameWatch = JSON.stringify(parsed) === JSON.stringify(getRecord(monitor, 'watch'));
    const answer = await callApi('PATCH', path, {
      body: {
        name,
        cron: cron === '' ? null : cron,
        timezone,
        ...(isSameWatch ? {} : { watch: parsed }),
        ...(webhook === '' ? {} : { webhook }),
      },
    });
    if (!answer.ok) return setFailure(answer.failure);
    notify('Saved.', 'good');
    onChanged();
    onClose();
  }

  return html`<${Dialog} title="Edit monitor" onClose=${onClose}>
    <form onSubmit=${save}>
      ${failure === null ? null : html`<${FailureNote} failure=${failure} />`}
      <div class="members">
        <div class="field">
          <label class="member" for=${`${id}-name`}>name</label>
          <input id=${`${id}-name`} value=${name} onInput=${(event: Event) => setName(readControlValue(event))} />
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
            placeholder="unchanged"
            onInput=${(event: Event) => setWebhook(readControlValue(event))}
          />
        </div>
      </div>
      <div class="actions">
        <button type="submit" class="primary" disabled=${parsed === undefined}>Save</button>
        <button type="button" onClick=${onClose}>Cancel</button>
        ${
          updateInput === null
            ? null
            : html`<a href=${linkTo('/playground/monitors.update', { input: JSON.stringify(updateInput) })}
                >Edit the URL or the fields</a
              >`
        }
      </div>
    </form>
  <//>`;
}

type WatchFieldProps = { readonly text: string; readonly onChange: (text: string) => void };

/** The conditions of a change, as JSON. */
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
      onInput=${(event: Event) => onChange(readControlValue(event))}
    ></textarea>
    <p class="help" id=${`${id}-help`}>
      What counts as a change, such as <code>"thresholds": {"price": {"pct": 5}}</code>; the${' '}
      <a href="/docs/monitors.update">documentation</a> lists all parameters.
    </p>
    ${parseJson(text) === undefined ? html`<p class="problem">This is not valid JSON.</p>` : null}
  </div>`;
}
