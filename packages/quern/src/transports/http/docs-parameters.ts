import { isJsonObject } from '#extract/values/json-object.ts';
import { listForms, getItems, type JsonSchema, listMembers, listRequired } from '#transports/schema.ts';

/** One row of a parameter table. */
export type ParameterRow = {
  /** Dotted path, with `[]` after a list. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** The default as JSON; empty if there is none. */
  readonly fallback: string;
  readonly bounds: string;
  readonly description: string;
};

const MAX_LEVELS = 4;
const MAX_OUTLINE_LEVELS = 8;

const BOUND_KEYWORDS: readonly (readonly [string, string, string])[] = [
  ['minimum', 'at least', ''],
  ['exclusiveMinimum', 'more than', ''],
  ['maximum', 'at most', ''],
  ['exclusiveMaximum', 'less than', ''],
  ['minLength', 'at least', ' characters'],
  ['maxLength', 'at most', ' characters'],
  ['minItems', 'at least', ' items'],
  ['maxItems', 'at most', ' items'],
];

/** Lists all parameters of an input schema; nested ones follow the one that contains them. */
export function listParameters(root: JsonSchema): readonly ParameterRow[] {
  return listRows(root, { root, prefix: '', level: 1 });
}

type SchemaPosition = { readonly root: JsonSchema; readonly prefix: string; readonly level: number };

function listRows(schema: JsonSchema, { root, prefix, level }: SchemaPosition): readonly ParameterRow[] {
  return listMembers(schema).flatMap(([name, member]) => {
    const forms = listForms(member, root);
    const isRequired = listRequired(schema).includes(name) && member['default'] === undefined;
    const line = { ...describeMember(member, forms, root), name: prefix + name, isRequired };
    const inner =
      level === MAX_LEVELS ? [] : forms.flatMap((form) => listNested(form, line.name, { root, prefix, level }));
    return [line, ...inner];
  });
}

function listNested(form: JsonSchema, name: string, { root, level }: SchemaPosition): readonly ParameterRow[] {
  if (form['type'] !== 'array') return listRows(form, { root, prefix: `${name}.`, level: level + 1 });
  return listForms(getItems(form), root).flatMap((item) =>
    listRows(item, { root, prefix: `${name}[].`, level: level + 1 }),
  );
}

function describeMember(
  member: JsonSchema,
  forms: readonly JsonSchema[],
  root: JsonSchema,
): Omit<ParameterRow, 'name' | 'isRequired'> {
  const { description, deprecated } = member;
  const fallback = member['default'];
  return {
    type: forms.map((form) => formatType(form, root)).join(' or '),
    isDeprecated: deprecated === true,
    fallback: fallback === undefined ? '' : JSON.stringify(fallback),
    bounds: [...new Set(forms.flatMap(formatBounds))].join(', '),
    description: typeof description === 'string' ? description : '',
  };
}

function formatType(form: JsonSchema, root: JsonSchema): string {
  const { type, format } = form;
  const words = form['const'] === undefined ? form['enum'] : [form['const']];
  if (Array.isArray(words)) return words.map(String).join(' | ');
  if (type === 'array') {
    const items = listForms(getItems(form), root).map((item) => formatType(item, root));
    return `list of ${items.join(' or ')}`;
  }
  if (typeof type !== 'string') return 'any value';
  return typeof format === 'string' ? `${type} (${format === 'uri' ? 'URL' : format})` : type;
}

/** Formats the limits, without those of safe integers. */
function formatBounds(form: JsonSchema): readonly string[] {
  return BOUND_KEYWORDS.flatMap(([name, before, after]) => {
    const limit = form[name];
    if (typeof limit !== 'number' || Math.abs(limit) === Number.MAX_SAFE_INTEGER) return [];
    const unit = limit === 1 ? after.replace(/s$/, '') : after;
    return [`${before} ${limit.toLocaleString('en')}${unit}`];
  });
}

/** Builds the outline of an answer: each member with its type as value. */
export function buildOutline(schema: JsonSchema, root: JsonSchema, level = 1): unknown {
  if (level > MAX_OUTLINE_LEVELS) return '…';
  const forms = listForms(schema, root);
  const object = forms.find((form) => isJsonObject(form['properties']));
  if (object !== undefined) {
    return Object.fromEntries(
      listMembers(object).map(([name, member]) => [name, buildOutline(member, root, level + 1)]),
    );
  }
  const list = forms.find((form) => form['type'] === 'array');
  if (list !== undefined) return [buildOutline(getItems(list), root, level + 1)];
  return forms.map((form) => formatType(form, root)).join(' | ');
}
