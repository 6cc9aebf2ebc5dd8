import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type ApiFailure, callApi } from '#console/app/api.ts';
import { isRecord, parseJson, getList, getText, getValue } from '#console/app/json.ts';
import { goTo, linkTo, type ViewProps } from '#console/app/router.ts';
import { readControlValue, isChecked } from '#console/parts/controls.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { FailureNote } from '#console/parts/view-states.ts';
import { notify } from '#console/parts/toast.ts';
import { type ExplanationState, useExplanation } from '#console/views/explain/explanation.ts';
import {
  ElementPicker,
  FIELD_TYPES,
  FieldList,
  type PickedField,
  toExtract,
} from '#console/views/explain/field-picker.ts';
import { getReaderTimeZone, ScheduleField, type ScheduleValue } from './schedule-field.ts';

/** A monitor that is being entered. */
type MonitorDraft = {
  readonly url: string;
  readonly fields: readonly PickedField[];
  /** Whether to watch the whole text of the page instead of fields. */
  readonly isWhole: boolean;
  readonly name: string;
  readonly schedule: ScheduleValue;
  readonly thresholds: ThresholdInputs;
  readonly webhook: string;
};

/** Creates a monitor in steps: page, values, schedule, minimum change, webhook. A link only fills in the form. */
export function MonitorWizard({ query }: ViewProps): VNode {
  const [draft, setDraft] = useState<MonitorDraft>(() => ({
    url: query['url'] ?? '',
    fields: parseFields(query['extract'] ?? ''),
    isWhole: false,
    name: '',
    schedule: { cron: '0 * * * *', timezone: getReaderTimeZone() },
    thresholds: {},
    webhook: '',
  }));
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [created, setCreated] = useState<unknown>(null);
  const explained = useExplanation(draft.fields);
  const set = (change: Partial<MonitorDraft>): void => setDraft((known) => ({ ...known, ...change }));

  async function create(): Promise<void> {
    const answer = await callApi('POST', '/v1/monitors', { body: buildMonitor(draft) });
    if (!answer.ok) return setFailure(answer.failure);
    notify('Monitor created.', 'good');
    if (getText(answer.body, 'webhook', 'secret') === '') goTo(`/monitors/${getText(answer.body, 'id')}`);
    else setCreated(answer.body);
  }

  if (created !== null) return html`<${CreatedMonitor} monitor=${created} />`;
  const canCreate = draft.url !== '' && (draft.isWhole || Object.keys(toExtract(draft.fields)).length > 0);
  const steps = { draft, explained, onChange: set };
  return html`<div class="view">
    <div class="view-head"><h1 tabIndex=${-1}>New monitor</h1></div>
    <${PageStep} ...${steps} />
    <${ValueStep} ...${steps} />
    <section aria-labelledby="step-when">
      <h2 id="step-when">3. When</h2>
      <${ScheduleField} value=${draft.schedule} onChange=${(schedule: ScheduleValue) => set({ schedule })} />
    </section>
    ${
      draft.isWhole
        ? null
        : html`<${ThresholdFields}
            fields=${draft.fields}
            value=${draft.thresholds}
            onChange=${(thresholds: ThresholdInputs) => set({ thresholds })}
          />`
    }
    <${ReceiverStep} ...${steps} />
    ${failure === null ? null : html`<${FailureNote} failure=${failure} />`}
    <div class="actions">
      <button type="button" class="primary" disabled=${!canCreate} onClick=${() => void create()}>Watch it</button>
      <a class="button" href=${linkTo('/monitors')}>Cancel</a>
    </div>
  </div>`;
}

/** Builds the request body from a draft. */
function buildMonitor(draft: MonitorDraft): Readonly<Record<string, unknown>> {
  const { url, name, isWhole, fields, schedule, webhook } = draft;
  const thresholds = parseThresholds(draft.thresholds, fields);
  return {
    url,
    ...(name === '' ? {} : { name }),
    ...(isWhole ? { watch: { mode: 'content' } } : { extract: { fields: toExtract(fields) } }),
    ...(isWhole || thresholds === null ? {} : { watch: { thresholds } }),
    ...(schedule.cron === '' ? {} : { cron: schedule.cron }),
    timezone: schedule.timezone,
    ...(webhook === '' ? {} : { webhook }),
  };
}

type StepProps = {
  readonly draft: MonitorDraft;
  readonly explained: ExplanationState;
  readonly onChange: (change: Partial<MonitorDraft>) => void;
};

function PageStep({ draft: { url }, explained, onChange }: StepProps): VNode {
  const show = (event: Event): void => {
    event.preventDefault();
    explained.explain(url);
  };
  return html`<section aria-labelledby="step-page">
    <h2 id="step-page">1. The page</h2>
    <form class="toolbar" onSubmit=${show}>
      <input
        type="text"
        inputmode="url"
        required
        aria-label="URL of the page"
        placeholder="https://…"
        value=${url}
        onInput=${(event: Event) => onChange({ url: readControlValue(event) })}
      />
      <button type="submit" class="primary" disabled=${explained.isLoading}>Show its values</button>
    </form>
    ${explained.failure === null ? null : html`<${FailureNote} failure=${explained.failure} />`}
    ${explained.isLoading ? html`<p class="loading" aria-busy="true">Loading …</p>` : null}
  </section>`;
}

function ValueStep({ draft: { fields, isWhole }, explained, onChange }: StepProps): VNode {
  return html`<section aria-labelledby="step-values">
    <h2 id="step-values">2. What to watch</h2>
    <label class="field-inline">
      <input type="checkbox" checked=${isWhole} onChange=${(event: Event) => onChange({ isWhole: isChecked(event) })} />
      the whole text of the page
    </label>
    ${
      isWhole
        ? null
        : html`<${FieldList}
            fields=${fields}
            seen=${getValue(explained.seen, 'fields')}
            onChange=${(next: readonly PickedField[]) => onChange({ fields: next })}
          />`
    }
    ${
      isWhole || explained.body === undefined
        ? null
        : html`<${ElementPicker}
            elements=${getList(explained.body, 'elements')}
            fields=${fields}
            onPick=${(field: PickedField) => onChange({ fields: [...fields, field] })}
          />`
    }
  </section>`;
}

function ReceiverStep({ draft: { name, webhook }, onChange }: StepProps): VNode {
  const id = useId();
  return html`<section aria-labelledby="step-where">
    <h2 id="step-where">5. Notifications</h2>
    <div class="members">
      <div class="field">
        <label class="member" for=${`${id}-name`}>name</label>
        <input
          id=${`${id}-name`}
          value=${name}
          onInput=${(event: Event) => onChange({ name: readControlValue(event) })}
        />
      </div>
      <div class="field">
        <label class="member" for=${`${id}-webhook`}>webhook</label>
        <input
          id=${`${id}-webhook`}
          type="text"
          inputmode="url"
          placeholder="https://… (optional)"
          value=${webhook}
          onInput=${(event: Event) => onChange({ webhook: readControlValue(event) })}
        />
      </div>
    </div>
  </section>`;
}

type CreatedMonitorProps = { readonly monitor: unknown };

/** Shows the secret of the webhook once, and can send a test event. */
function CreatedMonitor({ monitor }: CreatedMonitorProps): VNode {
  const path = `/v1/monitors/${encodeURIComponent(getText(monitor, 'id'))}`;
  async function test(): Promise<void> {
    const answer = await callApi('POST', `${path}/webhook/test`);
    notify(answer.ok ? 'Test event sent.' : answer.failure.message, answer.ok ? 'good' : 'bad');
  }
  return html`<div class="view">
    <h1 tabIndex=${-1}>Monitor created</h1>
    <p>Events are signed with this secret. It is not shown again: store it where your server can read it.</p>
    <${CodeBlock} label="Secret" text=${getText(monitor, 'webhook', 'secret')} isWrapped />
    <div class="actions">
      <button type="button" onClick=${() => void test()}>Send a test event</button>
      <a class="button primary" href=${linkTo(`/monitors/${getText(monitor, 'id')}`)}>Open the monitor</a>
    </div>
  </div>`;
}

/** Parses the `extract` parameter of a link into picked fields. */
function parseFields(text: string): readonly PickedField[] {
  const extract = parseJson(text);
  if (!isRecord(extract)) return [];
  return Object.entries(extract).map(([name, field]) => ({
    name,
    selector: getText(field, 'selector'),
    type: FIELD_TYPES.find((type) => type === getText(field, 'type')) ?? 'string',
  }));
}

/** The typed thresholds by field name. */
type ThresholdInputs = Readonly<Record<string, { readonly abs: string; readonly pct: string }>>;

type ThresholdFieldsProps = {
  readonly fields: readonly PickedField[];
  readonly value: ThresholdInputs;
  readonly onChange: (value: ThresholdInputs) => void;
};

/** Inputs for how much a number must change to count. */
function ThresholdFields({ fields, value, onChange }: ThresholdFieldsProps): VNode {
  const id = useId();
  const numbers = fields.filter(({ type }) => type === 'number' || type === 'money');
  const set = (name: string, part: 'abs' | 'pct', text: string): void =>
    onChange({ ...value, [name]: { abs: '', pct: '', ...value[name], [part]: text } });
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}>4. Minimum change</h2>
    ${numbers.length === 0 ? html`<p class="faint">Every difference counts. Numbers and money can have a threshold.</p>` : null}
    ${numbers.map(
      ({ name }) =>
        html`<fieldset class="picked">
          <legend>${name}</legend>
          ${(['abs', 'pct'] as const).map(
            (part) =>
              html`<label class="field-inline"
                >${part === 'abs' ? 'at least' : 'or at least %'}
                <input
                  type="number"
                  min="0"
                  step="any"
                  aria-label=${`${name}: ${part === 'abs' ? 'minimum difference' : 'minimum difference in percent'}`}
                  value=${value[name]?.[part] ?? ''}
                  onInput=${(event: Event) => set(name, part, readControlValue(event))}
                />
              </label>`,
          )}
        </fieldset>`,
    )}
  </section>`;
}

/** Converts typed thresholds to the `thresholds` parameter; null if none was entered. */
function parseThresholds(
  texts: ThresholdInputs,
  fields: readonly PickedField[],
): Readonly<Record<string, Readonly<Record<string, number>>>> | null {
  const given = fields.flatMap(({ name }) => {
    const { abs = '', pct = '' } = texts[name] ?? {};
    const limits = { ...(abs === '' ? {} : { abs: Number(abs) }), ...(pct === '' ? {} : { pct: Number(pct) }) };
    return Object.keys(limits).length === 0 ? [] : [[name, limits] as const];
  });
  return given.length === 0 ? null : Object.fromEntries(given);
}
