import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { controlValue } from '#console/parts/choices.ts';
import type { PickedField } from '#console/views/explain/fields.ts';

/** The thresholds as they are typed, by the name of the field. */
export type ThresholdTexts = Readonly<Record<string, { readonly abs: string; readonly pct: string }>>;

type ThresholdFieldsProps = {
  readonly fields: readonly PickedField[];
  readonly value: ThresholdTexts;
  readonly onChange: (value: ThresholdTexts) => void;
};

/** How far a number must move until that is a change. */
export function ThresholdFields({ fields, value, onChange }: ThresholdFieldsProps): VNode {
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
                  aria-label=${`${name}: ${part === 'abs' ? 'least difference' : 'least difference in percent'}`}
                  value=${value[name]?.[part] ?? ''}
                  onInput=${(event: Event) => set(name, part, controlValue(event))}
                />
              </label>`,
          )}
        </fieldset>`,
    )}
  </section>`;
}

/** The thresholds that were given, as monitors take them; null where none was. */
export function toThresholds(
  texts: ThresholdTexts,
  fields: readonly PickedField[],
): Readonly<Record<string, Readonly<Record<string, number>>>> | null {
  const given = fields.flatMap(({ name }) => {
    const { abs = '', pct = '' } = texts[name] ?? {};
    const limits = { ...(abs === '' ? {} : { abs: Number(abs) }), ...(pct === '' ? {} : { pct: Number(pct) }) };
    return Object.keys(limits).length === 0 ? [] : [[name, limits] as const];
  });
  return given.length === 0 ? null : Object.fromEntries(given);
}
