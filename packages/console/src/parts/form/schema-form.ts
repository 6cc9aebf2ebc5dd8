import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isRecord, listAt, recordAt, textAt } from '#console/app/json.ts';
import { controlValue } from '#console/parts/controls.ts';
import { isDetailsOpen } from '#console/parts/json-tree.ts';
import {
  type FieldProps,
  FixedField,
  JsonField,
  NumberField,
  SwitchField,
  TextField,
  WordField,
  WordsField,
} from './simple-fields.ts';
import {
  type FieldKind,
  fieldKindOf,
  followReferences,
  formIndexOf,
  formTitleOf,
  limitsOf,
  type SchemaMember,
  schemaMembersOf,
  type SchemaNode,
  startValueOf,
  unionFormsOf,
} from './schema.ts';

type SchemaFormProps = {
  readonly schema: SchemaNode;
  readonly value: unknown;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  /** What is wrong, by the path of the member. */
  readonly problems?: ReadonlyMap<string, string>;
  /** Members to show at once though they may be left out. */
  readonly first?: readonly string[];
};

/** A form made from a JSON Schema: the members that are needed first, the others behind a line that opens. */
export function SchemaForm({ schema, value, onChange, problems = new Map(), first = [] }: SchemaFormProps): VNode {
  const given = isRecord(value) ? value : {};
  const [start] = useState(() => [...first, ...Object.keys(given)]);
  return html`<${Members}
    schema=${schema}
    root=${schema}
    path=""
    value=${given}
    first=${start}
    problems=${problems}
    onChange=${onChange}
  />`;
}

type MembersProps = {
  readonly schema: SchemaNode;
  readonly root: SchemaNode;
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly first: readonly string[];
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
};

function Members({ schema, root, path, value, first, problems, onChange }: MembersProps): VNode {
  const members = schemaMembersOf(schema);
  const isFirst = ({ name, isRequired }: SchemaMember): boolean => isRequired || first.includes(name);
  const shown = members.length <= 4 ? members : members.filter(isFirst);
  const folded = members.filter((member) => !shown.includes(member));
  const set = folded.filter(({ name }) => value[name] !== undefined).length;
  const change = (name: string, next: unknown): void => {
    const { [name]: _old, ...others } = value;
    onChange(next === undefined ? others : { ...others, [name]: next });
  };
  const draw = (member: SchemaMember): VNode =>
    html`<${Field}
      key=${member.name}
      member=${member}
      root=${root}
      path=${path === '' ? member.name : `${path}.${member.name}`}
      value=${value[member.name]}
      problems=${problems}
      onChange=${(next: unknown) => change(member.name, next)}
    />`;
  return html`<div class="members">
    ${shown.map(draw)}
    ${
      folded.length === 0
        ? null
        : html`<${Folded} title=${`More options (${folded.length})`} note=${set === 0 ? '' : `${set} set`}>
            ${() => folded.map(draw)}
          <//>`
    }
  </div>`;
}

type FoldedProps = { readonly title: string; readonly note: string; readonly children: () => readonly VNode[] };

/** Fields that exist only once they have been opened. */
function Folded({ title, note, children }: FoldedProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return html`<details class="folded" open=${isOpen} onToggle=${(event: Event) => setOpen(isDetailsOpen(event))}>
    <summary>${title}${note === '' ? null : html` <span class="faint">${note}</span>`}</summary>
    ${isOpen ? children() : null}
  </details>`;
}

type OneFieldProps = {
  readonly member: SchemaMember;
  readonly root: SchemaNode;
  readonly path: string;
  readonly value: unknown;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (value: unknown) => void;
  /** Set where another field has the id that its path makes. */
  readonly id?: string;
};

const SIMPLE: Readonly<Partial<Record<FieldKind, (props: FieldProps) => VNode>>> = {
  text: TextField,
  number: NumberField,
  switch: SwitchField,
  word: WordField,
  words: WordsField,
  fixed: FixedField,
  json: JsonField,
};

function Field({ member, root, path, value, problems, onChange, id = `field-${path}` }: OneFieldProps): VNode {
  const schema = followReferences(member.schema, root);
  const kind = fieldKindOf(schema, root);
  const problem = problems.get(path);
  const simple = SIMPLE[kind];
  const shared = { schema, root, name: member.name, path, value, onChange, id, describedBy: `${id}-help`, problem };
  const help = html`<div class="help" id=${`${id}-help`}>
    ${problem === undefined ? null : html`<p class="problem">${member.name} ${problem}.</p>`}
    <${FieldHelp} schema=${schema} />
  </div>`;
  if (simple === undefined) {
    return html`<fieldset class="field">
      <legend class="member">${member.name}${member.isRequired ? html` <${Needed} />` : null}</legend>
      ${help}
      <${Compound} ...${shared} kind=${kind} problems=${problems} />
    </fieldset>`;
  }
  const isGroup = kind === 'words';
  const title = html`${member.name}${member.isRequired ? html` <${Needed} />` : null}`;
  return html`<div class=${`field kind-${kind}`}>
    ${kind === 'switch' ? null : isGroup ? html`<span class="member">${title}</span>` : html`<label class="member" for=${id}>${title}</label>`}
    <${simple} ...${shared} isRequired=${member.isRequired} />
    ${help}
  </div>`;
}

function Needed(): VNode {
  return html`<small class="needed">required</small>`;
}

function FieldHelp({ schema }: { readonly schema: SchemaNode }): VNode | null {
  const about = textAt(schema, 'description');
  const fallback = schema['default'];
  const isPlain = fallback !== undefined && JSON.stringify(fallback).length < 40 && !isEmpty(fallback);
  const facts = [limitsOf(schema), isPlain ? `default ${toPlain(fallback)}` : ''].filter((fact) => fact !== '');
  if (about === '' && facts.length === 0) return null;
  return html`<p>
    ${about}${about !== '' && facts.length > 0 ? ' · ' : ''}<span class="facts">${facts.join(' · ')}</span>
  </p>`;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

function toPlain(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}

type CompoundProps = Omit<FieldProps, 'isRequired'> & {
  readonly kind: FieldKind;
  readonly problems: ReadonlyMap<string, string>;
};

/** A value made of others: an object, a list, a map or one of several forms. */
function Compound({ kind, ...props }: CompoundProps): VNode {
  if (kind === 'members') return html`<${Group} ...${props} />`;
  if (kind === 'list') return html`<${ListOfFields} ...${props} />`;
  return kind === 'map' ? html`<${MapOfFields} ...${props} />` : html`<${UnionField} ...${props} />`;
}

type InnerProps = Omit<CompoundProps, 'kind'>;

/** An object: the fields of its members, once it is wanted. */
function Group({ schema, root, path, value, problems, onChange }: InnerProps): VNode {
  const given = isRecord(value) ? value : {};
  return html`<${Members}
    schema=${schema}
    root=${root}
    path=${path}
    value=${given}
    first=${Object.keys(given)}
    problems=${problems}
    onChange=${(next: Readonly<Record<string, unknown>>) => onChange(Object.keys(next).length === 0 ? undefined : next)}
  />`;
}

function ListOfFields({ schema, root, name, path, value, problems, onChange }: InnerProps): VNode {
  const items = followReferences(recordAt(schema, 'items'), root);
  const list = Array.isArray(value) ? value : listAt(schema, 'default');
  const put = (next: readonly unknown[]): void => onChange(next.length === 0 ? undefined : next);
  return html`<div class="items">
    ${list.map(
      (item, at) =>
        html`<div class="item" key=${at}>
          <${Field}
            member=${{ name: `${name} ${at + 1}`, schema: items, isRequired: true }}
            root=${root}
            path=${`${path}[${at}]`}
            value=${item}
            problems=${problems}
            onChange=${(next: unknown) => put(list.with(at, next ?? ''))}
          />
          <button
            type="button"
            class="small"
            aria-label=${`Remove ${name} ${at + 1}`}
            onClick=${() => put(list.toSpliced(at, 1))}
          >
            Remove
          </button>
        </div>`,
    )}
    <button type="button" class="small" onClick=${() => put([...list, startValueOf(items, root)])}>
      Add to ${name}
    </button>
  </div>`;
}

function MapOfFields({ schema, root, name, path, value, problems, onChange }: InnerProps): VNode {
  const [fresh, setFresh] = useState('');
  const given = isRecord(value) ? value : {};
  const values = recordAt(schema, 'additionalProperties');
  const add = (): void => {
    if (fresh === '' || fresh in given) return;
    onChange({ ...given, [fresh]: startValueOf(values, root) });
    setFresh('');
  };
  const remove = (key: string): void => {
    const { [key]: _gone, ...others } = given;
    onChange(Object.keys(others).length === 0 ? undefined : others);
  };
  return html`<div class="items">
    ${Object.entries(given).map(
      ([key, item]) =>
        html`<div class="item" key=${key}>
          <${Field}
            member=${{ name: key, schema: values, isRequired: true }}
            root=${root}
            path=${`${path}.${key}`}
            value=${item}
            problems=${problems}
            onChange=${(next: unknown) => onChange({ ...given, [key]: next ?? '' })}
          />
          <button type="button" class="small" aria-label=${`Remove ${key}`} onClick=${() => remove(key)}>Remove</button>
        </div>`,
    )}
    <div class="add">
      <input
        type="text"
        aria-label=${`New name in ${name}`}
        placeholder="name"
        value=${fresh}
        onInput=${(event: Event) => setFresh(controlValue(event))}
        onKeyDown=${(event: KeyboardEvent) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" class="small" onClick=${add}>Add to ${name}</button>
    </div>
  </div>`;
}

function UnionField({ schema, root, name, path, value, problems, onChange, id }: InnerProps): VNode {
  const forms = unionFormsOf(schema, root);
  const at = formIndexOf(forms, value);
  const isSet = value !== undefined;
  const form = forms[at] ?? {};
  return html`<div class="union">
    <select
      id=${id}
      aria-label=${`Form of ${name}`}
      onChange=${(event: Event) =>
        onChange(controlValue(event) === '' ? undefined : startValueOf(forms[Number(controlValue(event))] ?? {}, root))}
    >
      <option value="" selected=${!isSet}>–</option>
      ${forms.map((one, index) => html`<option value=${index} selected=${isSet && index === at}>${formTitleOf(one)}</option>`)}
    </select>
    ${
      isSet && form['type'] !== 'null'
        ? html`<${Field}
            key=${at}
            member=${{ name, schema: form, isRequired: false }}
            root=${root}
            path=${path}
            id=${`${id}-form`}
            value=${value}
            problems=${problems}
            onChange=${onChange}
          />`
        : null
    }
  </div>`;
}
