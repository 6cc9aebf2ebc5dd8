import { isRecord, getList, getRecord, getText, getValue } from '#console/app/json.ts';

/** A JSON Schema from the service. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** The kind of form field for a value: `word` is one value of an enum, `words` several, `fixed` a constant. */
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

/** A property of an object schema. */
export type SchemaMember = {
  readonly name: string;
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
};

const MAX_REFERENCES = 20;

/** Resolves the references of a schema. Its own keywords take precedence over those of the referenced schema. */
export function resolveReferences(schema: SchemaNode, root: SchemaNode): SchemaNode {
  let found = schema;
  for (let count = 0; count < MAX_REFERENCES; count += 1) {
    const reference = found['$ref'];
    if (typeof reference !== 'string') return found;
    const { $ref: _followed, ...own } = found;
    found = { ...getRecord(root, ...reference.split('/').slice(1)), ...own };
  }
  return {};
}

/** Lists the alternatives of a union; the schema itself if it is no union. */
export function listUnionForms(schema: SchemaNode, root: SchemaNode): readonly SchemaNode[] {
  const branches = [...getList(schema, 'anyOf'), ...getList(schema, 'oneOf')].filter(isRecord);
  const types = getList(schema, 'type');
  if (branches.length > 0) return branches.flatMap((one) => listUnionForms(resolveReferences(one, root), root));
  return types.length > 0 ? types.map((type) => ({ ...schema, type })) : [schema];
}

/** Returns the kind of form field for a schema. */
export function getFieldKind(schema: SchemaNode, root: SchemaNode): FieldKind {
  if (listUnionForms(schema, root).length > 1) return 'union';
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
      return getListKind(schema, root);
    case 'object':
      return getObjectKind(schema);
    default:
      return 'json';
  }
}

function getListKind(schema: SchemaNode, root: SchemaNode): FieldKind {
  const items = getRecord(schema, 'items');
  if (Object.keys(items).length === 0) return 'json';
  return getFieldKind(resolveReferences(items, root), root) === 'word' ? 'words' : 'list';
}

function getObjectKind(schema: SchemaNode): FieldKind {
  if (Object.keys(getRecord(schema, 'properties')).length > 0) return 'members';
  return Object.keys(getRecord(schema, 'additionalProperties')).length > 0 ? 'map' : 'json';
}

/** Lists the properties of an object schema, without deprecated ones. */
export function listSchemaMembers(schema: SchemaNode): readonly SchemaMember[] {
  const required = getList(schema, 'required');
  return Object.entries(getRecord(schema, 'properties')).flatMap(([name, member]) =>
    isRecord(member) && member['deprecated'] !== true
      ? [{ name, schema: member, isRequired: required.includes(name) && member['default'] === undefined }]
      : [],
  );
}

/** Returns the title of one alternative of a union. */
export function getFormTitle(schema: SchemaNode): string {
  const title = getText(schema, 'title');
  if (title !== '') return title;
  const fixed = Object.entries(getRecord(schema, 'properties')).find(
    ([, member]) => isRecord(member) && 'const' in member,
  );
  if (fixed !== undefined) return String(getValue(fixed[1], 'const'));
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return 'one of several values';
  const required = getList(schema, 'required');
  if (required.length > 0) return required.join(', ');
  const type = getText(schema, 'type');
  return (
    { object: 'an object', array: 'a list', string: 'a text', integer: 'a whole number', null: 'nothing' }[type] ??
    (type || 'any JSON')
  );
}

/** Builds the initial value of a new field; undefined leaves it out. */
export function buildInitialValue(schema: SchemaNode, root: SchemaNode): unknown {
  const whole = resolveReferences(schema, root);
  if (whole['default'] !== undefined) return whole['default'];
  if ('const' in whole) return whole['const'];
  const kind = getFieldKind(whole, root);
  if (kind === 'union') return buildInitialValue(listUnionForms(whole, root)[0] ?? {}, root);
  if (kind === 'members') {
    const fixed = listSchemaMembers(whole).flatMap(({ name, schema: member, isRequired }) => {
      const start = isRequired ? buildInitialValue(member, root) : undefined;
      return start === undefined ? [] : [[name, start] as const];
    });
    return Object.fromEntries(fixed);
  }
  if (kind === 'word') return getList(whole, 'enum')[0];
  if (kind === 'list' || kind === 'words') return [];
  if (kind === 'map' || kind === 'json') return {};
  return kind === 'switch' ? false : '';
}

/** Finds the alternative of a union that a value matches by its type and its constant members; 0 if there is none. */
export function findFormIndex(forms: readonly SchemaNode[], value: unknown): number {
  const exact = forms.findIndex((form) => matchesForm(form, value) && hasRequiredMembers(form, value));
  return exact >= 0
    ? exact
    : Math.max(
        0,
        forms.findIndex((form) => matchesForm(form, value)),
      );
}

function matchesForm(form: SchemaNode, value: unknown): boolean {
  if ('const' in form) return form['const'] === value;
  if (Array.isArray(form['enum'])) return form['enum'].includes(value);
  if (form['type'] === 'array') return Array.isArray(value);
  if (form['type'] === 'integer' || form['type'] === 'number') return typeof value === 'number';
  if (form['type'] === 'null') return value === null;
  if (form['type'] !== 'object') return typeof value === form['type'];
  if (!isRecord(value)) return false;
  return Object.entries(getRecord(form, 'properties')).every(
    ([name, member]) => !isRecord(member) || !('const' in member) || value[name] === member['const'],
  );
}

function hasRequiredMembers(form: SchemaNode, value: unknown): boolean {
  if (!isRecord(value)) return true;
  const known = Object.keys(getRecord(form, 'properties'));
  const isClosed = form['additionalProperties'] === false;
  return (
    getList(form, 'required').every((name) => typeof name === 'string' && name in value) &&
    (!isClosed || Object.keys(value).every((name) => known.includes(name)))
  );
}

/** Formats the limits of a value, such as `1 to 100`. */
export function formatLimits(schema: SchemaNode): string {
  const bound = (name: string): number | null => {
    const limit = schema[name];
    return typeof limit === 'number' && Math.abs(limit) !== Number.MAX_SAFE_INTEGER ? limit : null;
  };
  return [
    ...formatRange(bound('minimum'), bound('maximum'), ''),
    ...(bound('maxLength') === null || (bound('maxLength') ?? 0) > 5000
      ? []
      : formatRange(null, bound('maxLength'), ' characters')),
    ...formatRange(null, bound('maxItems'), ' items'),
  ].join(', ');
}

function formatRange(min: number | null, max: number | null, unit: string): readonly string[] {
  if (min !== null && max !== null) return [`${formatLimit(min)} to ${formatLimit(max)}${unit}`];
  if (max !== null) return [`at most ${formatLimit(max)}${unit}`];
  return min !== null && min > (unit === '' ? -Infinity : 1) ? [`at least ${formatLimit(min)}${unit}`] : [];
}

function formatLimit(limit: number): string {
  return limit.toLocaleString('en');
}

const MAX_LEVELS = 8;

/** Checks an input before it is sent. Returns the problems by the path of the member; the service validates again. */
export function findProblems(schema: SchemaNode, value: unknown): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  checkValue(schema, value, { root: schema, path: '', level: 0, problems });
  return problems;
}

type CheckContext = {
  readonly root: SchemaNode;
  readonly path: string;
  readonly level: number;
  readonly problems: Map<string, string>;
};

function checkValue(given: SchemaNode, value: unknown, context: CheckContext): void {
  const { root, path, level, problems } = context;
  const schema = resolveReferences(given, root);
  if (level > MAX_LEVELS || value === undefined || listUnionForms(schema, root).length > 1) return;
  const problem = findValueProblem(schema, value);
  if (problem !== null) problems.set(path, problem);
  if (isRecord(value)) checkMembers(schema, value, context);
  if (!Array.isArray(value)) return;
  for (const [at, item] of value.entries())
    checkValue(getRecord(schema, 'items'), item, { ...context, path: `${path}[${at}]`, level: level + 1 });
}

function checkMembers(schema: SchemaNode, value: Readonly<Record<string, unknown>>, context: CheckContext): void {
  const { root, path, level, problems } = context;
  for (const { name, schema: member, isRequired } of listSchemaMembers(schema)) {
    const at = path === '' ? name : `${path}.${name}`;
    const isMissing = value[name] === undefined || (value[name] === '' && isText(member, root));
    if (isMissing && isRequired) problems.set(at, 'is required');
    else checkValue(member, value[name], { ...context, path: at, level: level + 1 });
  }
}

function isText(schema: SchemaNode, root: SchemaNode): boolean {
  return getFieldKind(resolveReferences(schema, root), root) === 'text';
}

function findValueProblem(schema: SchemaNode, value: unknown): string | null {
  if (typeof value === 'number') return findNumberProblem(schema, value);
  if (typeof value === 'string') return findTextProblem(schema, value);
  if (!Array.isArray(value)) return null;
  const [min, max] = [getLimit(schema, 'minItems'), getLimit(schema, 'maxItems')];
  if (min !== null && value.length < min) return `needs at least ${min} items`;
  return max !== null && value.length > max ? `has more than ${max} items` : null;
}

function findNumberProblem(schema: SchemaNode, value: number): string | null {
  const [min, max] = [getLimit(schema, 'minimum'), getLimit(schema, 'maximum')];
  if (Number.isNaN(value)) return 'is not a number';
  if (min !== null && value < min) return `is less than ${min.toLocaleString('en')}`;
  if (max !== null && value > max) return `is more than ${max.toLocaleString('en')}`;
  return schema['type'] === 'integer' && !Number.isInteger(value) ? 'is not a whole number' : null;
}

function findTextProblem(schema: SchemaNode, value: string): string | null {
  const max = getLimit(schema, 'maxLength');
  if (max !== null && value.length > max) return `is longer than ${max.toLocaleString('en')} characters`;
  if (value === '') return null;
  const words = getList(schema, 'enum');
  if (words.length > 0 && !words.includes(value)) return 'is not one of the allowed values';
  return typeof schema['pattern'] === 'string' && !matchesPattern(schema['pattern'], value)
    ? 'does not have the required format'
    : null;
}

function matchesPattern(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

function getLimit(schema: SchemaNode, name: string): number | null {
  const limit = schema[name];
  return typeof limit === 'number' ? limit : null;
}
