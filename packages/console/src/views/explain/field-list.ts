import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { listAt, numberAt, valueAt } from '#console/app/reading.ts';
import { controlValue, SelectField } from '#console/parts/choices.ts';
import { CodeBlock } from '#console/parts/copy.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { FIELD_TYPES, type FieldType, type PickedField, toExtract } from './fields.ts';

type FieldListProps = {
  readonly fields: readonly PickedField[];
  /** What each matches, by its name, as far as it is known. */
  readonly seen: unknown;
  readonly onChange: (fields: readonly PickedField[]) => void;
};

/** The picked fields: each can be renamed, read as another type, or given another selector; with what it matches now. */
export function FieldList({ fields, seen, onChange }: FieldListProps): VNode {
  const set = (at: number, field: PickedField): void => onChange(fields.with(at, field));
  return html`<section aria-label="Fields">
    ${fields.map(
      (field, at) =>
        html`<${FieldRow}
          key=${at}
          field=${field}
          seen=${valueAt(seen, field.name)}
          onChange=${(next: PickedField) => set(at, next)}
          onRemove=${() => onChange(fields.toSpliced(at, 1))}
        />`,
    )}
    <button
      type="button"
      onClick=${() => onChange([...fields, { name: `field_${fields.length + 1}`, selector: '', type: 'string' }])}
    >
      Type a selector
    </button>
    ${
      fields.length === 0
        ? null
        : html`<details>
            <summary>As extract</summary>
            <${CodeBlock} label="extract" text=${JSON.stringify(toExtract(fields), null, 2)} />
          </details>`
    }
  </section>`;
}

type FieldRowProps = {
  readonly field: PickedField;
  readonly seen: unknown;
  readonly onChange: (field: PickedField) => void;
  readonly onRemove: () => void;
};

function FieldRow({ field, seen, onChange, onRemove }: FieldRowProps): VNode {
  const id = useId();
  const matches = numberAt(seen, 'matches');
  const value = valueAt(seen, 'value');
  return html`<fieldset class="picked">
    <legend class="faint">${field.name}</legend>
    <span class="field-inline">
      <label for=${`${id}-name`}>Name</label>
      <input
        id=${`${id}-name`}
        value=${field.name}
        onInput=${(event: Event) => onChange({ ...field, name: controlValue(event) })}
      />
    </span>
    <span class="field-inline">
      <label for=${`${id}-selector`}>Selector</label>
      <input
        id=${`${id}-selector`}
        class="mono"
        value=${field.selector}
        onInput=${(event: Event) => onChange({ ...field, selector: controlValue(event) })}
      />
    </span>
    <${SelectField}
      label="Read as"
      value=${field.type}
      options=${FIELD_TYPES.map((type) => [type, type])}
      onChoose=${(word: string) => onChange({ ...field, type: toType(word) })}
    />
    <button type="button" class="small" aria-label=${`Remove ${field.name}`} onClick=${onRemove}>Remove</button>
    ${
      seen === undefined
        ? null
        : html`<p class=${matches === 0 ? 'problem' : 'faint'} role="status">
            ${matches === null ? '' : `matches ${matches}`}${matches === 1 ? ' element' : matches === null ? '' : ' elements'}:${' '}
            <${Foreign}
              text=${value === undefined || value === null ? 'no value' : JSON.stringify(value)}
              most=${300}
            />
            ${listAt(seen, 'values').length > 1 && !Array.isArray(value) ? html` <span>of <${Foreign} text=${listAt(seen, 'values').map(String).join(' · ')} most=${300} /></span>` : null}
          </p>`
    }
  </fieldset>`;
}

function toType(word: string): FieldType {
  return FIELD_TYPES.find((type) => type === word) ?? 'string';
}
