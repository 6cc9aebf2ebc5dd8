import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { isTrue, getList, getText } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { runAfter } from '#console/app/service-clock.ts';
import { readControlValue, SelectField } from '#console/parts/controls.ts';

const PRESETS = [
  ['', 'only when triggered'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['0 * * * *', 'every hour'],
  ['0 */6 * * *', 'every 6 hours'],
  ['0 9 * * *', 'every day at 9'],
  ['0 9 * * 1', 'every Monday at 9'],
] as const;
const CUSTOM = 'own';
const TYPING_MS = 400;

/** The schedule of a monitor; an empty `cron` means that it runs only when triggered. */
export type ScheduleValue = { readonly cron: string; readonly timezone: string };

type ScheduleFieldProps = { readonly value: ScheduleValue; readonly onChange: (value: ScheduleValue) => void };

/** A schedule from a list or as a cron expression, with its next five times. */
export function ScheduleField({ value, onChange }: ScheduleFieldProps): VNode {
  const id = useId();
  const { cron, timezone } = value;
  const [isCustom, setCustom] = useState(!PRESETS.some(([preset]) => preset === cron));
  return html`<div class="members">
    <${SelectField}
      label="Check"
      value=${isCustom ? CUSTOM : cron}
      options=${[...PRESETS, [CUSTOM, 'by a cron expression']]}
      onChoose=${(word: string) => {
        setCustom(word === CUSTOM);
        if (word !== CUSTOM) onChange({ ...value, cron: word });
      }}
    />
    ${
      isCustom
        ? html`<div class="field">
            <label class="member" for=${`${id}-cron`}>cron</label>
            <input
              id=${`${id}-cron`}
              class="mono"
              value=${cron}
              placeholder="minute hour day month weekday"
              onInput=${(event: Event) => onChange({ ...value, cron: readControlValue(event) })}
            />
          </div>`
        : null
    }
    <div class="field">
      <label class="member" for=${`${id}-zone`}>timezone</label>
      <input
        id=${`${id}-zone`}
        value=${timezone}
        list=${`${id}-zones`}
        onInput=${(event: Event) => onChange({ ...value, timezone: readControlValue(event) })}
      />
      <datalist id=${`${id}-zones`}>
        ${Intl.supportedValuesOf('timeZone').map((zone) => html`<option value=${zone}></option>`)}
      </datalist>
    </div>
    ${cron === '' ? null : html`<${NextTimes} cron=${cron} timezone=${timezone} />`}
  </div>`;
}

function NextTimes({ cron, timezone }: ScheduleValue): VNode {
  const [query, setQuery] = useState({ cron, timezone });
  useEffect(() => runAfter(TYPING_MS, () => setQuery({ cron, timezone })), [cron, timezone]);
  const { body, failure } = useResource('/v1/schedule', { query: query });
  if (failure !== null) return html`<p class="problem" role="status">${failure.message}</p>`;
  return html`<div role="status">
    <p class="faint">The next five times in ${getText(body, 'timezone') || timezone}:</p>
    <ol class="times">
      ${getList(body, 'local').map((time) => html`<li>${String(time)}</li>`)}
    </ol>
    ${
      body !== undefined && !isTrue(body, 'allowed')
        ? html`<p class="problem">Your plan does not allow runs this often.</p>`
        : null
    }
  </div>`;
}

/** Returns the browser's time zone; UTC if it does not report one. */
export function getReaderTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
