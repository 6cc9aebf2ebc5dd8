import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

type SelectFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly onChoose: (value: string) => void;
};

/** One of a few words, as a list that opens. */
export function SelectField({ label, value, options, onChoose }: SelectFieldProps): VNode {
  const id = useId();
  return html`<span class="field-inline">
    <label for=${id}>${label}</label>
    <select id=${id} value=${value} onChange=${(event: Event) => onChoose(controlValue(event))}>
      ${options.map(([name, title]) => html`<option value=${name} selected=${name === value}>${title}</option>`)}
    </select>
  </span>`;
}

type SearchBoxProps = {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
};

/** The search of a view; `/` puts the focus into it, Escape empties it. */
export function SearchBox({ label, value, onInput }: SearchBoxProps): VNode {
  return html`<input
    type="search"
    aria-label=${label}
    placeholder=${`${label}  ( / )`}
    value=${value}
    onInput=${(event: Event) => onInput(controlValue(event))}
  />`;
}

/** The value of the control that an event is about. */
export function controlValue(event: Event): string {
  const { currentTarget: control } = event;
  if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) return control.value;
  return control instanceof HTMLTextAreaElement ? control.value : '';
}

/** Whether the box that an event is about is ticked. */
export function isTicked(event: Event): boolean {
  return event.currentTarget instanceof HTMLInputElement && event.currentTarget.checked;
}
