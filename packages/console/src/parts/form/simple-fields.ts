import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { parseJson, getText } from '#console/app/json.ts';
import { isChecked, readControlValue } from '#console/parts/controls.ts';
import type { SchemaNode } from './schema.ts';

/** The properties of every field. The value undefined means that the member is left out. */
export type FieldProps = {
  readonly schema: SchemaNode;
  /** The root schema, to resolve references. */
  readonly root: SchemaNode;
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly id: string;
  /** The id of the help element, for `aria-describedby`. */
  readonly describedBy: string;
  readonly isRequired: boolean;
  readonly problem: string | undefined;
};

const LONG_TEXT_LENGTH = 500;

/** A single-line text field, or a multi-line one if the text may be long. */
export function TextField({ schema, value, onChange, id, describedBy, isRequired, problem }: FieldProps): VNode {
  const text = typeof value === 'string' ? value : '';
  const fallback = getText(schema, 'default');
  const most = Number(schema['maxLength'] ?? 0);
  const isLong = most > LONG_TEXT_LENGTH && most !== 8192 && most !== 1000 && most !== 2048;
  const shared = {
    id,
    value: text,
    'aria-describedby': describedBy,
    'aria-required': isRequired ? 'true' : undefined,
    'aria-invalid': problem === undefined ? undefined : 'true',
    placeholder: fallback,
    onInput: (event: Event) => onChange(readControlValue(event) === '' ? undefined : readControlValue(event)),
  };
  return isLong && !text.includes('://')
    ? html`<textarea rows="2" ...${shared}></textarea>`
    : html`<input type="text" spellcheck=${false} autocomplete="off" ...${shared} />`;
}

/** A number field; unfinished input stays until it is a number. */
export function NumberField({ schema, value, onChange, id, describedBy, isRequired, problem }: FieldProps): VNode {
  const fallback = schema['default'];
  return html`<input
    type="number"
    id=${id}
    value=${typeof value === 'number' && !Number.isNaN(value) ? String(value) : ''}
    min=${schema['minimum']}
    max=${schema['maximum'] === Number.MAX_SAFE_INTEGER ? undefined : schema['maximum']}
    step=${schema['type'] === 'integer' ? 1 : 'any'}
    placeholder=${typeof fallback === 'number' ? String(fallback) : ''}
    aria-describedby=${describedBy}
    aria-required=${isRequired ? 'true' : undefined}
    aria-invalid=${problem === undefined ? undefined : 'true'}
    onInput=${(event: Event) => onChange(readControlValue(event) === '' ? undefined : Number(readControlValue(event)))}
  />`;
}

/** A checkbox; a value equal to the default is left out. */
export function SwitchField({ schema, value, onChange, id, describedBy, name }: FieldProps): VNode {
  const fallback = schema['default'] === true;
  const isOn = typeof value === 'boolean' ? value : fallback;
  return html`<label class="tick">
    <input
      type="checkbox"
      id=${id}
      checked=${isOn}
      aria-describedby=${describedBy}
      onChange=${(event: Event) => onChange(isChecked(event) === fallback ? undefined : isChecked(event))}
    />
    <span class="member">${name}</span>
  </label>`;
}

/** A select field for one value of an enum. */
export function EnumField({ schema, value, onChange, id, describedBy, isRequired }: FieldProps): VNode {
  const words = Array.isArray(schema['enum']) ? schema['enum'].map(String) : [];
  const fallback = getText(schema, 'default');
  const none = fallback === '' ? '–' : `${fallback} (default)`;
  return html`<select
    id=${id}
    aria-describedby=${describedBy}
    onChange=${(event: Event) => onChange(readControlValue(event) === '' ? undefined : readControlValue(event))}
  >
    ${isRequired && value !== undefined ? null : html`<option value="" selected=${value === undefined}>${none}</option>`}
    ${words
      .filter((word) => word !== fallback || value === fallback)
      .map((word) => html`<option value=${word} selected=${value === word}>${word}</option>`)}
  </select>`;
}

/** Checkboxes for several values of an enum. */
export function EnumListField({ schema, value, onChange, describedBy, name }: FieldProps): VNode {
  const items = schema['items'];
  const words =
    typeof items === 'object' && items !== null && 'enum' in items && Array.isArray(items.enum) ? items.enum : [];
  const given = Array.isArray(value) ? value : Array.isArray(schema['default']) ? schema['default'] : [];
  const turn = (word: unknown): void => {
    const next = given.includes(word) ? given.filter((one) => one !== word) : [...given, word];
    onChange(next.length === 0 ? undefined : next);
  };
  return html`<div class="ticks" role="group" aria-label=${name} aria-describedby=${describedBy}>
    ${words.map(
      (word: unknown) =>
        html`<label class="chip">
          <input type="checkbox" checked=${given.includes(word)} onChange=${() => turn(word)} />
          <span>${String(word)}</span>
        </label>`,
    )}
  </div>`;
}

/** A constant. */
export function ConstField({ schema, id }: FieldProps): VNode {
  return html`<output id=${id}><code>${JSON.stringify(schema['const'])}</code></output>`;
}

/** A text field for JSON of any shape. */
export function JsonField({ value, onChange, id, describedBy, name }: FieldProps): VNode {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const isBad = text.trim() !== '' && parseJson(text) === undefined;
  const written = JSON.stringify(value);
  useEffect(() => {
    if (written !== JSON.stringify(parseJson(text))) setText(value === undefined ? '' : JSON.stringify(value, null, 2));
  }, [written]);
  return html`<div>
    <textarea
      id=${id}
      class="mono"
      rows=${Math.min(12, Math.max(3, text.split('\n').length))}
      spellcheck=${false}
      aria-describedby=${describedBy}
      aria-invalid=${isBad ? 'true' : undefined}
      value=${text}
      placeholder="JSON"
      onInput=${(event: Event) => {
        const next = readControlValue(event);
        setText(next);
        const parsed = parseJson(next);
        if (next.trim() === '' || parsed !== undefined) onChange(next.trim() === '' ? undefined : parsed);
      }}
    ></textarea>
    ${isBad ? html`<p class="problem">${name} is not valid JSON; the last valid value is used.</p>` : null}
  </div>`;
}
