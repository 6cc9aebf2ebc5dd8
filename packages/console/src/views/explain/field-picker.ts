import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { getList, getNumber, getText, getValue } from '#console/app/json.ts';
import { readControlValue, SearchBox, SelectField } from '#console/parts/controls.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { EmptyState } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';

const MAX_INDENT_LEVELS = 8;

type ElementPickerProps = {
  readonly elements: readonly unknown[];
  readonly fields: readonly PickedField[];
  readonly onPick: (field: PickedField) => void;
};

/** The elements with text in the order of the page, to pick fields from. */
export function ElementPicker({ elements, fields, onPick }: ElementPickerProps): VNode {
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const shown = useMemo(
    () =>
      elements.filter((one) => `${getText(one, 'text')} ${getText(one, 'selector')}`.toLowerCase().includes(wanted)),
    [elements, wanted],
  );
  const pick = (element: unknown, selector: string): void => {
    const type = guessType(getText(element, 'text'));
    onPick({
      name: guessName(
        selector,
        fields.map(({ name }) => name),
      ),
      selector,
      type: selector === chooseSelector(element) ? type : toListType(type),
    });
  };
  const columns: readonly TableColumn<unknown>[] = [
    {
      title: 'Text',
      width: 'minmax(14rem, 4fr)',
      cell: (one) =>
        html`<span style=${{ paddingLeft: `${Math.min(getNumber(one, 'depth') ?? 0, MAX_INDENT_LEVELS) * 8}px` }}
          ><${UntrustedText} text=${getText(one, 'text')} maxLength=${160}
        /></span>`,
    },
    {
      title: 'Selector',
      width: 'minmax(10rem, 3fr)',
      cell: (one) => html`<code class="foreign">${chooseSelector(one).slice(0, 300)}</code>`,
    },
    {
      title: 'Pick',
      width: '13rem',
      cell: (one) => html`<${PickButtons} element=${one} onPick=${(selector: string) => pick(one, selector)} />`,
    },
  ];
  if (elements.length === 0)
    return html`<${EmptyState} title="The page has no text to pick.">Type a selector instead.<//>`;
  return html`<div class="listed">
    <div class="toolbar">
      <${SearchBox} label="Search the page" value=${search} onInput=${setSearch} />
      <span class="faint" role="status">${shown.length} of ${elements.length}</span>
    </div>
    <${DataTable}
      label="Elements of the page"
      columns=${columns}
      rows=${shown}
      rowKey=${(one: unknown) => getText(one, 'selector')}
      onOpen=${(one: unknown) => pick(one, chooseSelector(one))}
    />
  </div>`;
}

/** Chooses the selector of one element: the short one if it matches only this element, since long paths break when a page changes. */
function chooseSelector(element: unknown): string {
  const similar = getText(element, 'similar');
  return similar !== '' && getNumber(element, 'matches') === 1 ? similar : getText(element, 'selector');
}

type PickButtonsProps = { readonly element: unknown; readonly onPick: (selector: string) => void };

function PickButtons({ element, onPick }: PickButtonsProps): VNode {
  const similar = getText(element, 'similar');
  const text = getText(element, 'text').slice(0, 60);
  const count = getNumber(element, 'matches') ?? 0;
  return html`<span class="actions">
    <button type="button" class="small" aria-label=${`This: ${text}`} onClick=${() => onPick(chooseSelector(element))}>
      This
    </button>
    ${
      similar === '' || count < 2
        ? null
        : html`<button
            type="button"
            class="small"
            aria-label=${`All ${count} like it: ${text}`}
            onClick=${() => onPick(similar)}
          >
            All ${count} like it
          </button>`
    }
  </span>`;
}

/** A field picked on a page: its name, the selector of its element, and the type as which its text is parsed. */
export type PickedField = { readonly name: string; readonly selector: string; readonly type: FieldType };

const SINGLE_TYPES = ['string', 'integer', 'number', 'money', 'date', 'datetime', 'boolean', 'url', 'html'] as const;
const LIST_TYPES = ['string[]', 'number[]', 'money[]', 'date[]', 'url[]'] as const;

/** The types as which the text of an element can be parsed. */
export const FIELD_TYPES = [...SINGLE_TYPES, ...LIST_TYPES] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Converts picked fields to the `extract` parameter. Unfinished fields are left out. */
export function toExtract(fields: readonly PickedField[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields
      .filter(({ name, selector }) => name !== '' && selector !== '')
      .map(({ name, selector, type }) => [name, { selector, type }]),
  );
}

/** Returns the list type of a type; `string[]` for types without one. */
function toListType(type: FieldType): FieldType {
  return LIST_TYPES.find((many) => many === `${type}[]`) ?? 'string[]';
}

/** Guesses the type of a text: money for an amount with a currency, number for digits, else string. */
export function guessType(text: string): FieldType {
  const short = text.trim();
  if (/^(?:[€$£¥₹]|[A-Z]{3})\s?\d|\d\s?(?:[€$£¥₹]|[A-Z]{3})$/.test(short)) return 'money';
  return /^[\d.,\s]+$/.test(short) && /\d/.test(short) ? 'number' : 'string';
}

/** Guesses a field name from a selector: its last class or id, else its element. */
export function guessName(selector: string, taken: readonly string[]): string {
  const last = selector.split(/[\s>]+/).at(-1) ?? '';
  const word = /[.#](?<name>[a-z_][\w-]*)/i.exec(last)?.groups?.['name'] ?? /^[a-z]\w*/i.exec(last)?.[0] ?? 'value';
  const base = word.replaceAll('-', '_').replace(/^_+/, '').toLowerCase() || 'value';
  let name = base;
  for (let count = 2; taken.includes(name); count += 1) name = `${base}_${count}`;
  return name;
}

type FieldListProps = {
  readonly fields: readonly PickedField[];
  /** What each field matches on the page, by field name. */
  readonly seen: unknown;
  readonly onChange: (fields: readonly PickedField[]) => void;
};

/** The picked fields with their current matches. Name, type and selector can be edited. */
export function FieldList({ fields, seen, onChange }: FieldListProps): VNode {
  const set = (at: number, field: PickedField): void => onChange(fields.with(at, field));
  return html`<section aria-label="Fields">
    ${fields.map(
      (field, at) =>
        html`<${FieldRow}
          key=${at}
          field=${field}
          seen=${getValue(seen, field.name)}
          onChange=${(next: PickedField) => set(at, next)}
          onRemove=${() => onChange(fields.toSpliced(at, 1))}
        />`,
    )}
    <button
      type="button"
      onClick=${() => onChange([...fields, { name: `field_${fields.length + 1}`, selector: '', type: 'string' }])}
    >
      Add a selector
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
  const matches = getNumber(seen, 'matches');
  const value = getValue(seen, 'value');
  return html`<fieldset class="picked">
    <legend class="faint">${field.name}</legend>
    <span class="field-inline">
      <label for=${`${id}-name`}>Name</label>
      <input
        id=${`${id}-name`}
        value=${field.name}
        onInput=${(event: Event) => onChange({ ...field, name: readControlValue(event) })}
      />
    </span>
    <span class="field-inline">
      <label for=${`${id}-selector`}>Selector</label>
      <input
        id=${`${id}-selector`}
        class="mono"
        value=${field.selector}
        onInput=${(event: Event) => onChange({ ...field, selector: readControlValue(event) })}
      />
    </span>
    <${SelectField}
      label="Type"
      value=${field.type}
      options=${FIELD_TYPES.map((type) => [type, type])}
      onChoose=${(word: string) => onChange({ ...field, type: parseFieldType(word) })}
    />
    <button type="button" class="small" aria-label=${`Remove ${field.name}`} onClick=${onRemove}>Remove</button>
    ${
      seen === undefined
        ? null
        : html`<p class=${matches === 0 ? 'problem' : 'faint'} role="status">
            ${matches === null ? '' : `matches ${matches}`}${matches === 1 ? ' element' : matches === null ? '' : ' elements'}:${' '}
            <${UntrustedText}
              text=${value === undefined || value === null ? 'no value' : JSON.stringify(value)}
              maxLength=${300}
            />
            ${getList(seen, 'values').length > 1 && !Array.isArray(value) ? html` <span>of <${UntrustedText} text=${getList(seen, 'values').map(String).join(' · ')} maxLength=${300} /></span>` : null}
          </p>`
    }
  </fieldset>`;
}

function parseFieldType(word: string): FieldType {
  return FIELD_TYPES.find((type) => type === word) ?? 'string';
}
