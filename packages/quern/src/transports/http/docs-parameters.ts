import { isJsonObject } from '#extract/values/json-object.ts';
import { formsOf, itemsOf, type JsonSchema, membersOf, requiredOf } from '#transports/schema.ts';

/** One line of a parameter table. */
export type Member = {
  /** Dotted, `[]` behind a list. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** As JSON, empty where there is none. */
  readonly fallback: string;
  readonly bounds: string;
  readonly description: string;
};

const MAX_LEVELS = 4;
const MAX_OUTLINE_LEVELS = 8;

const BOUNDS: readonly (readonly [string, string, string])[] = [
  ['minimum', 'at least', ''],
  ['exclusiveMinimum', 'more than', ''],
  ['maximum', 'at most', ''],
  ['exclusiveMaximum', 'less than', ''],
  ['minLength', 'at least', ' characters'],
  ['maxLength', 'at most', ' characters'],
  ['minItems', 'at least', ' items'],
  ['maxItems', 'at most', ' items'],
];

/** Every member of an input schema, nested ones behind the one that holds them. */
export function toMembers(root: JsonSchema): readonly Member[] {
  return listMembers(root, { root, prefix: '', level: 1 });
}

type Place = { readonly root: JsonSchema; readonly prefix: string; readonly level: number };

function listMembers(schema: JsonSchema, { root, prefix, level }: Place): readonly Member[] {
  return membersOf(schema).flatMap(([name, member]) => {
    const forms = formsOf(member, root);
    const isRequired = requiredOf(schema).includes(name) && member['default'] === undefined;
    const line = { ...describe(member, forms, root), name: prefix + name, isRequired };
    const inner = level === MAX_LEVELS ? [] : forms.flatMap((form) => nest(form, line.name, { root, prefix, level }));
    return [line, ...inner];
  });
}

function nest(form: JsonSchema, name: string, { root, level }: Place): readonly Member[] {
  if (form['type'] !== 'array') return listMembers(form, { root, prefix: `${name}.`, level: level + 1 });
  return formsOf(itemsOf(form), root).flatMap((item) =>
    listMembers(item, { root, prefix: `${name}[].`, level: level + 1 }),
  );
}

function describe(
  member: JsonSchema,
  forms: readonly JsonSchema[],
  root: JsonSchema,
): Omit<Member, 'name' | 'isRequired'> {
  const { description, deprecated } = member;
  const fallback = member['default'];
  return {
    type: forms.map((form) => toType(form, root)).join(' or '),
    isDeprecated: deprecated === true,
    fallback: fallback === undefined ? '' : JSON.stringify(fallback),
    bounds: [...new Set(forms.flatMap(toBounds))].join(', '),
    description: typeof description === 'string' ? description : '',
  };
}

function toType(form: JsonSchema, root: JsonSchema): string {
  const { type, format } = form;
  const words = form['const'] === undefined ? form['enum'] : [form['const']];
  if (Array.isArray(words)) return words.map(String).join(' | ');
  if (type === 'array') {
    const items = formsOf(itemsOf(form), root).map((item) => toType(item, root));
    return `list of ${items.join(' or ')}`;
  }
  if (typeof type !== 'string') return 'any value';
  return typeof format === 'string' ? `${type} (${format === 'uri' ? 'URL' : format})` : type;
}

/** The limits in words, without those of every safe integer. */
function toBounds(form: JsonSchema): readonly string[] {
  return BOUNDS.flatMap(([name, before, after]) => {
    const limit = form[name];
    if (typeof limit !== 'number' || Math.abs(limit) === Number.MAX_SAFE_INTEGER) return [];
    const unit = limit === 1 ? after.replace(/s$/, '') : after;
    return [`${before} ${limit.toLocaleString('en')}${unit}`];
  });
}

/** An answer in outline: each member with its type in the place of its value. */
export function toOutline(schema: JsonSchema, root: JsonSchema, level = 1): unknown {
  if (level > MAX_OUTLINE_LEVELS) return '…';
  const forms = formsOf(schema, root);
  const object = forms.find((form) => isJsonObject(form['properties']));
  if (object !== undefined) {
    return Object.fromEntries(membersOf(object).map(([name, member]) => [name, toOutline(member, root, level + 1)]));
  }
  const list = forms.find((form) => form['type'] === 'array');
  if (list !== undefined) return [toOutline(itemsOf(list), root, level + 1)];
  return forms.map((form) => toType(form, root)).join(' | ');
}
