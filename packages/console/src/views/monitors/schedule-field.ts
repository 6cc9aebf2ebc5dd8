import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { isTrueAt, listAt, textAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { doLater } from '#console/app/service-clock.ts';
import { controlValue, SelectField } from '#console/parts/controls.ts';

const USUAL = [
  ['', 'only when triggered'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['0 * * * *', 'every hour'],
  ['0 */6 * * *', 'every 6 hours'],
  ['0 9 * * *', 'every day at 9'],
  ['0 9 * * 1', 'every Monday at 9'],
] as const;
const OWN = 'own';
const TYPING_MS = 400;

/** When a monitor looks. */
export type ScheduleValue = { readonly cron: string; readonly timezone: string };

type ScheduleFieldProps = { readonly value: ScheduleValue; readonly onChange: (value: ScheduleValue) => void };

/** A schedule by its usual names or as cron, with its next five times in its zone. */
export function ScheduleField({ value, onChange }: ScheduleFieldProps): VNode {
  const id = useId();
  const { cron, timezone } = value;
  const [isOwn, setOwn] = useState(!USUAL.some(([usual]) => usual === cron));
  return html`<div class="members">
    <${SelectField}
      label="Look"
      value=${isOwn ? OWN : cron}
      options=${[...USUAL, [OWN, 'by a cron expression']]}
      onChoose=${(word: string) => {
        setOwn(word === OWN);
        if (word !== OWN) onChange({ ...value, cron: word });
      }}
    />
    ${
      isOwn
        ? html`<div class="field">
            <label class="member" for=${`${id}-cron`}>cron</label>
            <input
              id=${`${id}-cron`}
              class="mono"
              value=${cron}
              placeholder="minute hour day month weekday"
              onInput=${(event: Event) => onChange({ ...value, cron: controlValue(event) })}
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
        onInput=${(event: Event) => onChange({ ...value, timezone: controlValue(event) })}
      />
      <datalist id=${`${id}-zones`}>
        ${Intl.supportedValuesOf('timeZone').map((zone) => html`<option value=${zone}></option>`)}
      </datalist>
    </div>
    ${cron === '' ? null : html`<${NextTimes} cron=${cron} timezone=${timezone} />`}
  </div>`;
}

function NextTimes({ cron, timezone }: ScheduleValue): VNode {
  const [asked, setAsked] = useState({ cron, timezone });
  useEffect(() => doLater(TYPING_MS, () => setAsked({ cron, timezone })), [cron, timezone]);
  const { body, failure } = useResource('/v1/schedule', { query: asked });
  if (failure !== null) return html`<p class="problem" role="status">${failure.message}</p>`;
  return html`<div role="status">
    <p class="faint">The next five times in ${textAt(body, 'timezone') || timezone}:</p>
    <ol class="times">
      ${listAt(body, 'local').map((time) => html`<li>${String(time)}</li>`)}
    </ol>
    ${
      body !== undefined && !isTrueAt(body, 'allowed')
        ? html`<p class="problem">Your plan does not allow runs so close together.</p>`
        : null
    }
  </div>`;
}

/** The zone of the reader, where browsers tell it. */
export function readerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
