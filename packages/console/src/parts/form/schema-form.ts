import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isRecord, getList, getRecord, getText } from '#console/app/json.ts';
import { readControlValue } from '#console/parts/controls.ts';
import { isDetailsOpen } from '#console/parts/json-tree.ts';
import {
  type FieldProps,
  ConstField,
  JsonField,
  NumberField,
  SwitchField,
  TextField,
  EnumField,
  EnumListField,
} from './simple-fields.ts';
import {
  type FieldKind,
  getFieldKind,
  resolveReferences,
  findFormIndex,
  getFormTitle,
  formatLimits,
  type SchemaMember,
  listSchemaMembers,
  type SchemaNode,
  buildInitialValue,
  listUnionForms,
} from './schema.ts';

type SchemaFormProps = {
  readonly schema: SchemaNode;
  readonly value: unknown;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  /** Problems by the path of the member. */
  readonly problems?: ReadonlyMap<string, string>;
  /** Optional members that are shown without opening "More options". */
  readonly first?: readonly string[];
};

/** A form for a JSON Schema: required members first, the others behind "More options". */
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
  const members = listSchemaMembers(schema);
  const isFirst = ({ name, isRequired }: SchemaMember): boolean => isRequired || first.includes(name);
  const shown = members.length <= 4 ? members : members.filter(isFirst);
  const collapsed = members.filter((member) => !shown.includes(member));
  const set = collapsed.filter(({ name }) => value[name] !== undefined).length;
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
      collapsed.length === 0
        ? null
        : html`<${StreamState} title=${`More options (${collapsed.length})`} note=${set === 0 ? '' : `${set} set`}>
            ${() => collapsed.map(draw)}
          <//>`
    }
  </div>`;
}

type CollapsedFieldsProps = {
  readonly title: string;
  readonly note: string;
  readonly children: () => readonly VNode[];
};

/** Fields that are rendered only while they are open. */
function StreamState({ title, note, children }: CollapsedFieldsProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return html`<details class="folded" open=${isOpen} onToggle=${(event: Event) => setOpen(isDetailsOpen(event))}>
    <summary>${title}${note === '' ? null : html` <span class="faint">${note}</span>`}</summary>
    ${isOpen ? children() : null}
  </details>`;
}

type MemberFieldProps = {
  readonly member: SchemaMember;
  readonly root: SchemaNode;
  readonly path: string;
  readonly value: unknown;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (value: unknown) => void;
  /** The element id, if another field already has the id derived from the path. */
  readonly id?: string;
};

const SIMPLE_FIELDS: Readonly<Partial<Record<FieldKind, (props: FieldProps) => VNode>>> = {
  text: TextField,
  number: NumberField,
  switch: SwitchField,
  word: EnumField,
  words: EnumListField,
  fixed: ConstField,
  json: JsonField,
};

function Field({ member, root, path, value, problems, onChange, id = `field-${path}` }: MemberFieldProps): VNode {
  const schema = resolveReferences(member.schema, root);
  const kind = getFieldKind(schema, root);
  const problem = problems.get(path);
  const simple = SIMPLE_FIELDS[kind];
  const shared = { schema, root, name: member.name, path, value, onChange, id, describedBy: `${id}-help`, problem };
  const help = html`<div class="help" id=${`${id}-help`}>
    ${problem === undefined ? null : html`<p class="problem">${member.name} ${problem}.</p>`}
    <${FieldHelp} schema=${schema} />
  </div>`;
  if (simple === undefined) {
    return html`<fieldset class="field">
      <legend class="member">${member.name}${member.isRequired ? html` <${RequiredMark} />` : null}</legend>
      ${help}
      <${CompoundField} ...${shared} kind=${kind} problems=${problems} />
    </fieldset>`;
  }
  const isGroup = kind === 'words';
  const title = html`${member.name}${member.isRequired ? html` <${RequiredMark} />` : null}`;
  return html`<div class=${`field kind-${kind}`}>
    ${kind === 'switch' ? null : isGroup ? html`<span class="member">${title}</span>` : html`<label class="member" for=${id}>${title}</label>`}
    <${simple} ...${shared} isRequired=${member.isRequired} />
    ${help}
  </div>`;
}

function RequiredMark(): VNode {
  return html`<small class="needed">required</small>`;
}

function FieldHelp({ schema }: { readonly schema: SchemaNode }): VNode | null {
  const about = getText(schema, 'description');
  const fallback = schema['default'];
  const isPlain = fallback !== undefined && JSON.stringify(fallback).length < 40 && !isEmpty(fallback);
  const facts = [formatLimits(schema), isPlain ? `default ${formatDefault(fallback)}` : ''].filter(
    (fact) => fact !== '',
  );
  if (about === '' && facts.length === 0) return null;
  return html`<p>
    ${about}${about !== '' && facts.length > 0 ? ' · ' : ''}<span class="facts">${facts.join(' · ')}</span>
  </p>`;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

function formatDefault(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}

type CompoundSwitchProps = Omit<FieldProps, 'isRequired'> & {
  readonly kind: FieldKind;
  readonly problems: ReadonlyMap<string, string>;
};

/** A field for an object, a list, a map or a union. */
function CompoundField({ kind, ...props }: CompoundSwitchProps): VNode {
  if (kind === 'members') return html`<${ObjectField} ...${props} />`;
  if (kind === 'list') return html`<${ListField} ...${props} />`;
  return kind === 'map' ? html`<${MapField} ...${props} />` : html`<${UnionField} ...${props} />`;
}

type CompoundFieldProps = Omit<CompoundSwitchProps, 'kind'>;

/** The fields of the members of an object. */
function ObjectField({ schema, root, path, value, problems, onChange }: CompoundFieldProps): VNode {
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

function ListField({ schema, root, name, path, value, problems, onChange }: CompoundFieldProps): VNode {
  const items = resolveReferences(getRecord(schema, 'items'), root);
  const list = Array.isArray(value) ? value : getList(schema, 'default');
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
    <button type="button" class="small" onClick=${() => put([...list, buildInitialValue(items, root)])}>
      Add to ${name}
    </button>
  </div>`;
}

function MapField({ schema, root, name, path, value, problems, onChange }: CompoundFieldProps): VNode {
  const [fresh, setFresh] = useState('');
  const given = isRecord(value) ? value : {};
  const values = getRecord(schema, 'additionalProperties');
  const add = (): void => {
    if (fresh === '' || fresh in given) return;
    onChange({ ...given, [fresh]: buildInitialValue(values, root) });
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
        onInput=${(event: Event) => setFresh(readControlValue(event))}
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

function UnionField({ schema, root, name, path, value, problems, onChange, id }: CompoundFieldProps): VNode {
  const forms = listUnionForms(schema, root);
  const at = findFormIndex(forms, value);
  const isSet = value !== undefined;
  const form = forms[at] ?? {};
  return html`<div class="union">
    <select
      id=${id}
      aria-label=${`Form of ${name}`}
      onChange=${(event: Event) =>
        onChange(
          readControlValue(event) === ''
            ? undefined
            : buildInitialValue(forms[Number(readControlValue(event))] ?? {}, root),
        )}
    >
      <option value="" selected=${!isSet}>–</option>
      ${forms.map((one, index) => html`<option value=${index} selected=${isSet && index === at}>${getFormTitle(one)}</option>`)}
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
