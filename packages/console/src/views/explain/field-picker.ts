import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { listAt, numberAt, textAt, valueAt } from '#console/app/json.ts';
import { controlValue, SearchBox, SelectField } from '#console/parts/controls.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { Empty } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';

const MAX_INDENT = 8;

type ElementPickerProps = {
  readonly elements: readonly unknown[];
  readonly fields: readonly PickedField[];
  readonly onPick: (field: PickedField) => void;
};

/** The elements of a page that have text, in its order: one picks what is to be watched or extracted. */
export function ElementPicker({ elements, fields, onPick }: ElementPickerProps): VNode {
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const shown = useMemo(
    () => elements.filter((one) => `${textAt(one, 'text')} ${textAt(one, 'selector')}`.toLowerCase().includes(wanted)),
    [elements, wanted],
  );
  const pick = (element: unknown, selector: string): void => {
    const type = guessType(textAt(element, 'text'));
    onPick({
      name: guessName(
        selector,
        fields.map(({ name }) => name),
      ),
      selector,
      type: selector === selectorOf(element) ? type : toListType(type),
    });
  };
  const columns: readonly TableColumn<unknown>[] = [
    {
      title: 'Text',
      width: 'minmax(14rem, 4fr)',
      cell: (one) =>
        html`<span style=${{ paddingLeft: `${Math.min(numberAt(one, 'depth') ?? 0, MAX_INDENT) * 8}px` }}
          ><${Foreign} text=${textAt(one, 'text')} most=${160}
        /></span>`,
    },
    {
      title: 'Selector',
      width: 'minmax(10rem, 3fr)',
      cell: (one) => html`<code class="foreign">${selectorOf(one).slice(0, 300)}</code>`,
    },
    {
      title: 'Pick',
      width: '13rem',
      cell: (one) => html`<${PickButtons} element=${one} onPick=${(selector: string) => pick(one, selector)} />`,
    },
  ];
  if (elements.length === 0) return html`<${Empty} title="The page has no text to pick.">Type a selector instead.<//>`;
  return html`<div class="listed">
    <div class="toolbar">
      <${SearchBox} label="Search the page" value=${search} onInput=${setSearch} />
      <span class="faint" role="status">${shown.length} of ${elements.length}</span>
    </div>
    <${DataTable}
      label="Elements of the page"
      columns=${columns}
      rows=${shown}
      keyOf=${(one: unknown) => textAt(one, 'selector')}
      onOpen=${(one: unknown) => pick(one, selectorOf(one))}
    />
  </div>`;
}

/** The selector of one element: a short one where it names this one alone, since long paths break when a page changes. */
function selectorOf(element: unknown): string {
  const similar = textAt(element, 'similar');
  return similar !== '' && numberAt(element, 'matches') === 1 ? similar : textAt(element, 'selector');
}

type PickButtonsProps = { readonly element: unknown; readonly onPick: (selector: string) => void };

function PickButtons({ element, onPick }: PickButtonsProps): VNode {
  const similar = textAt(element, 'similar');
  const text = textAt(element, 'text').slice(0, 60);
  const count = numberAt(element, 'matches') ?? 0;
  return html`<span class="actions">
    <button type="button" class="small" aria-label=${`This: ${text}`} onClick=${() => onPick(selectorOf(element))}>
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

/** A field that was picked on a page: its name, the selector of its element, and how its text is read. */
export type PickedField = { readonly name: string; readonly selector: string; readonly type: FieldType };

const ONE = ['string', 'integer', 'number', 'money', 'date', 'datetime', 'boolean', 'url', 'html'] as const;
const MANY = ['string[]', 'number[]', 'money[]', 'date[]', 'url[]'] as const;

/** How texts of elements can be read. */
export const FIELD_TYPES = [...ONE, ...MANY] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Picked fields in the grammar of `extract`. */
export function toExtract(fields: readonly PickedField[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields
      .filter(({ name, selector }) => name !== '' && selector !== '')
      .map(({ name, selector, type }) => [name, { selector, type }]),
  );
}

/** The type of a list of what is read so; of types without lists, a list of texts. */
function toListType(type: FieldType): FieldType {
  return MANY.find((many) => many === `${type}[]`) ?? 'string[]';
}

/** How a text is most likely read: an amount with a currency as money, digits as a number. */
export function guessType(text: string): FieldType {
  const short = text.trim();
  if (/^(?:[€$£¥₹]|[A-Z]{3})\s?\d|\d\s?(?:[€$£¥₹]|[A-Z]{3})$/.test(short)) return 'money';
  return /^[\d.,\s]+$/.test(short) && /\d/.test(short) ? 'number' : 'string';
}

/** A name for a field by its selector: its last class or id, else its element. */
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
