import { isRecord, listAt, recordAt, textAt, valueAt } from '#console/app/json.ts';

/** A JSON Schema as the service sends it. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** How a value is asked for. */
export type FieldKind =
  | 'text'
  | 'number'
  | 'switch'
  | 'word'
  | 'words'
  | 'list'
  | 'members'
  | 'map'
  | 'union'
  | 'fixed'
  | 'json';

/** A member of an object schema. */
export type SchemaMember = {
  readonly name: string;
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
};

const MAX_REFERENCES = 20;

/** A schema with its references followed; what it says itself goes before what it refers to. */
export function followReferences(schema: SchemaNode, root: SchemaNode): SchemaNode {
  let found = schema;
  for (let count = 0; count < MAX_REFERENCES; count += 1) {
    const reference = found['$ref'];
    if (typeof reference !== 'string') return found;
    const { $ref: _followed, ...own } = found;
    found = { ...recordAt(root, ...reference.split('/').slice(1)), ...own };
  }
  return {};
}

/** The forms of a union; the schema alone where it has one form. */
export function unionFormsOf(schema: SchemaNode, root: SchemaNode): readonly SchemaNode[] {
  const branches = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].filter(isRecord);
  const types = listAt(schema, 'type');
  if (branches.length > 0) return branches.flatMap((one) => unionFormsOf(followReferences(one, root), root));
  return types.length > 0 ? types.map((type) => ({ ...schema, type })) : [schema];
}

/** How the values of a schema are asked for. */
export function fieldKindOf(schema: SchemaNode, root: SchemaNode): FieldKind {
  if (unionFormsOf(schema, root).length > 1) return 'union';
  if ('const' in schema) return 'fixed';
  if (Array.isArray(schema['enum'])) return 'word';
  switch (schema['type']) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'switch';
    case 'array':
      return kindOfList(schema, root);
    case 'object':
      return kindOfObject(schema);
    default:
      return 'json';
  }
}

function kindOfList(schema: SchemaNode, root: SchemaNode): FieldKind {
  const items = recordAt(schema, 'items');
  if (Object.keys(items).length === 0) return 'json';
  return fieldKindOf(followReferences(items, root), root) === 'word' ? 'words' : 'list';
}

function kindOfObject(schema: SchemaNode): FieldKind {
  if (Object.keys(recordAt(schema, 'properties')).length > 0) return 'members';
  return Object.keys(recordAt(schema, 'additionalProperties')).length > 0 ? 'map' : 'json';
}

/** The members of an object, without those that are to go. */
export function schemaMembersOf(schema: SchemaNode): readonly SchemaMember[] {
  const required = listAt(schema, 'required');
  return Object.entries(recordAt(schema, 'properties')).flatMap(([name, member]) =>
    isRecord(member) && member['deprecated'] !== true
      ? [{ name, schema: member, isRequired: required.includes(name) && member['default'] === undefined }]
      : [],
  );
}

/** What a form of a union is called in a list of choices. */
export function formTitleOf(schema: SchemaNode): string {
  const title = textAt(schema, 'title');
  if (title !== '') return title;
  const fixed = Object.entries(recordAt(schema, 'properties')).find(
    ([, member]) => isRecord(member) && 'const' in member,
  );
  if (fixed !== undefined) return String(valueAt(fixed[1], 'const'));
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return 'one of a few words';
  const required = listAt(schema, 'required');
  if (required.length > 0) return required.join(', ');
  const type = textAt(schema, 'type');
  return (
    { object: 'an object', array: 'a list', string: 'a text', integer: 'a whole number', null: 'nothing' }[type] ??
    (type || 'any JSON')
  );
}

/** The value that a new field begins with; undefined leaves it out. */
export function startValueOf(schema: SchemaNode, root: SchemaNode): unknown {
  const whole = followReferences(schema, root);
  if (whole['default'] !== undefined) return whole['default'];
  if ('const' in whole) return whole['const'];
  const kind = fieldKindOf(whole, root);
  if (kind === 'union') return startValueOf(unionFormsOf(whole, root)[0] ?? {}, root);
  if (kind === 'members') {
    const fixed = schemaMembersOf(whole).flatMap(({ name, schema: member, isRequired }) => {
      const start = isRequired ? startValueOf(member, root) : undefined;
      return start === undefined ? [] : [[name, start] as const];
    });
    return Object.fromEntries(fixed);
  }
  if (kind === 'word') return listAt(whole, 'enum')[0];
  if (kind === 'list' || kind === 'words') return [];
  if (kind === 'map' || kind === 'json') return {};
  return kind === 'switch' ? false : '';
}

/** Which form of a union a value has: the first that it fits by its type and its fixed members. */
export function formIndexOf(forms: readonly SchemaNode[], value: unknown): number {
  const exact = forms.findIndex((form) => fits(form, value) && hasRequired(form, value));
  return exact >= 0
    ? exact
    : Math.max(
        0,
        forms.findIndex((form) => fits(form, value)),
      );
}

function fits(form: SchemaNode, value: unknown): boolean {
  if ('const' in form) return form['const'] === value;
  if (Array.isArray(form['enum'])) return form['enum'].includes(value);
  if (form['type'] === 'array') return Array.isArray(value);
  if (form['type'] === 'integer' || form['type'] === 'number') return typeof value === 'number';
  if (form['type'] === 'null') return value === null;
  if (form['type'] !== 'object') return typeof value === form['type'];
  if (!isRecord(value)) return false;
  return Object.entries(recordAt(form, 'properties')).every(
    ([name, member]) => !isRecord(member) || !('const' in member) || value[name] === member['const'],
  );
}

function hasRequired(form: SchemaNode, value: unknown): boolean {
  if (!isRecord(value)) return true;
  const known = Object.keys(recordAt(form, 'properties'));
  const isClosed = form['additionalProperties'] === false;
  return (
    listAt(form, 'required').every((name) => typeof name === 'string' && name in value) &&
    (!isClosed || Object.keys(value).every((name) => known.includes(name)))
  );
}

/** The limits of a value in words. */
export function limitsOf(schema: SchemaNode): string {
  const bound = (name: string): number | null => {
    const limit = schema[name];
    return typeof limit === 'number' && Math.abs(limit) !== Number.MAX_SAFE_INTEGER ? limit : null;
  };
  return [
    ...range(bound('minimum'), bound('maximum'), ''),
    ...(bound('maxLength') === null || (bound('maxLength') ?? 0) > 5000
      ? []
      : range(null, bound('maxLength'), ' characters')),
    ...range(null, bound('maxItems'), ' items'),
  ].join(', ');
}

function range(least: number | null, most: number | null, unit: string): readonly string[] {
  if (least !== null && most !== null) return [`${toWords(least)} to ${toWords(most)}${unit}`];
  if (most !== null) return [`at most ${toWords(most)}${unit}`];
  return least !== null && least > (unit === '' ? -Infinity : 1) ? [`at least ${toWords(least)}${unit}`] : [];
}

function toWords(limit: number): string {
  return limit.toLocaleString('en');
}

const MAX_LEVELS = 8;

/** What is wrong with an input, by the path of its member; the service has the last word. */
export function problemsOf(schema: SchemaNode, value: unknown): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  look(schema, value, { root: schema, path: '', level: 0, problems });
  return problems;
}

type Looking = {
  readonly root: SchemaNode;
  readonly path: string;
  readonly level: number;
  readonly problems: Map<string, string>;
};

function look(given: SchemaNode, value: unknown, looking: Looking): void {
  const { root, path, level, problems } = looking;
  const schema = followReferences(given, root);
  if (level > MAX_LEVELS || value === undefined || unionFormsOf(schema, root).length > 1) return;
  const problem = problemOf(schema, value);
  if (problem !== null) problems.set(path, problem);
  if (isRecord(value)) lookAtMembers(schema, value, looking);
  if (!Array.isArray(value)) return;
  for (const [at, item] of value.entries())
    look(recordAt(schema, 'items'), item, { ...looking, path: `${path}[${at}]`, level: level + 1 });
}

function lookAtMembers(schema: SchemaNode, value: Readonly<Record<string, unknown>>, looking: Looking): void {
  const { root, path, level, problems } = looking;
  for (const { name, schema: member, isRequired } of schemaMembersOf(schema)) {
    const at = path === '' ? name : `${path}.${name}`;
    const isMissing = value[name] === undefined || (value[name] === '' && isText(member, root));
    if (isMissing && isRequired) problems.set(at, 'is needed');
    else look(member, value[name], { ...looking, path: at, level: level + 1 });
  }
}

function isText(schema: SchemaNode, root: SchemaNode): boolean {
  return fieldKindOf(followReferences(schema, root), root) === 'text';
}

function problemOf(schema: SchemaNode, value: unknown): string | null {
  if (typeof value === 'number') return problemOfNumber(schema, value);
  if (typeof value === 'string') return problemOfText(schema, value);
  if (!Array.isArray(value)) return null;
  const [least, most] = [limitOf(schema, 'minItems'), limitOf(schema, 'maxItems')];
  if (least !== null && value.length < least) return `needs at least ${least}`;
  return most !== null && value.length > most ? `has more than ${most}` : null;
}

function problemOfNumber(schema: SchemaNode, value: number): string | null {
  const [least, most] = [limitOf(schema, 'minimum'), limitOf(schema, 'maximum')];
  if (Number.isNaN(value)) return 'is no number';
  if (least !== null && value < least) return `is less than ${least.toLocaleString('en')}`;
  if (most !== null && value > most) return `is more than ${most.toLocaleString('en')}`;
  return schema['type'] === 'integer' && !Number.isInteger(value) ? 'is not whole' : null;
}

function problemOfText(schema: SchemaNode, value: string): string | null {
  const most = limitOf(schema, 'maxLength');
  if (most !== null && value.length > most) return `is longer than ${most.toLocaleString('en')} characters`;
  if (value === '') return null;
  const words = listAt(schema, 'enum');
  if (words.length > 0 && !words.includes(value)) return 'is not one of the words';
  return typeof schema['pattern'] === 'string' && !isMatched(schema['pattern'], value)
    ? 'does not have its form'
    : null;
}

function isMatched(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

function limitOf(schema: SchemaNode, name: string): number | null {
  const limit = schema[name];
  return typeof limit === 'number' ? limit : null;
}
