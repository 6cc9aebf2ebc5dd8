import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

type SelectFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly onChoose: (value: string) => void;
};

/** A select element with its label. */
export function SelectField({ label, value, options, onChoose }: SelectFieldProps): VNode {
  const id = useId();
  return html`<span class="field-inline">
    <label for=${id}>${label}</label>
    <select id=${id} value=${value} onChange=${(event: Event) => onChoose(readControlValue(event))}>
      ${options.map(([name, title]) => html`<option value=${name} selected=${name === value}>${title}</option>`)}
    </select>
  </span>`;
}

type SearchBoxProps = {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
};

/** The search field of a view; `/` focuses it, Escape clears it. */
export function SearchBox({ label, value, onInput }: SearchBoxProps): VNode {
  return html`<input
    type="search"
    aria-label=${label}
    placeholder=${`${label}  ( / )`}
    value=${value}
    onInput=${(event: Event) => onInput(readControlValue(event))}
  />`;
}

/** Returns the value of the control that fired an event. */
export function readControlValue(event: Event): string {
  const { currentTarget: control } = event;
  if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) return control.value;
  return control instanceof HTMLTextAreaElement ? control.value : '';
}

/** Whether the checkbox that fired an event is checked. */
export function isChecked(event: Event): boolean {
  return event.currentTarget instanceof HTMLInputElement && event.currentTarget.checked;
}
