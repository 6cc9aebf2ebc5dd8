import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { isCurrencyCode } from '#extract/values/currencies.ts';
import { checkSelector } from '#extract/select/css.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getMember } from '#extract/values/json.ts';
import { compileJsonPath } from '#extract/select/json-path.ts';
import { checkMemberName, parseJsonSchema, SchemaError } from '#extract/fields/json-schema.ts';
import { checkPattern } from '#extract/select/patterns.ts';
import { VALUE_TYPES } from './values/typed-values.ts';
import { checkXPath } from '#extract/select/xpath.ts';
import { nameSchema } from '#extract/schema/names.ts';

const MAX_FIELD_DEPTH = 16;
const MAX_FIELDS = 200;
const MAX_PROBLEMS = 5;
const FIELD_SOURCES = ['selector', 'xpath', 'json_path', 'regex'] as const;
const TYPE_NAMES: readonly string[] = VALUE_TYPES;
const LOCALISED_TYPES: ReadonlySet<string> = new Set(['integer', 'number', 'money', 'date', 'datetime']);

const FieldForm = z.strictObject({
  selector: z.string().optional().describe('CSS selector of the elements that hold the value'),
  xpath: z.string().optional().describe('XPath of the nodes or attributes that hold the value'),
  json_path: z.string().optional().describe('JSONPath into a JSON page or the JSON embedded in a page'),
  regex: z.string().optional().describe('RE2 expression over the text; the first group is the value'),
  attribute: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Attribute of the selected element to read instead of its text'),
  type: z.enum([...VALUE_TYPES, ...VALUE_TYPES.map((type) => `${type}[]` as const)]).optional(),
  many: z.boolean().optional().describe('All matches, as an array'),
  fields: z.record(z.string(), z.unknown()).optional().describe('Members of an object; each one is a field'),
  key: z.string().optional().describe('The member that identifies a row; requires `fields` and `many`'),
  description: z.string().max(500).optional().describe('Words to search for if the field has no selector'),
  currency: z.string().refine(isCurrencyCode, 'expected an ISO 4217 code in capitals').optional(),
  locale: z.string().refine(isLocale, 'expected a BCP 47 language tag').optional(),
});

/** A validated field in its long form: with exactly one of `type` and `fields`, and with `many`. */
export type Field = Omit<z.output<typeof FieldForm>, 'type' | 'many' | 'fields'> & {
  readonly type?: (typeof VALUE_TYPES)[number];
  readonly many: boolean;
  readonly fields?: FieldMap;
};

/** Fields by name. */
export type FieldMap = { readonly [name: string]: Field };

/** A validated extraction request: named fields, or an object schema without references. */
export type Extract =
  | { readonly fields: FieldMap; readonly schema?: undefined }
  | { readonly schema: JsonObject; readonly fields?: undefined };

/** The grammar in OpenAPI. The parser below is stricter, and its messages name the refused member. */
const EXTRACT_SCHEMA = {
  type: 'object',
  description:
    'Exactly one of `fields` and `schema`. A bare map of field names reads as `fields`, a bare JSON Schema (`type: object` with `properties`) as `schema`.',
  properties: {
    fields: {
      type: 'object',
      description: 'Named values: `"name": "type"`, `"name": "type[]"`, or the long form.',
      additionalProperties: {
        anyOf: [
          { type: 'string', enum: [...VALUE_TYPES, ...VALUE_TYPES.map((type) => `${type}[]`)] },
          removeDialect(z.toJSONSchema(FieldForm, { io: 'input', unrepresentable: 'any' })),
        ],
      },
    },
    schema: {
      type: 'object',
      description:
        'A JSON Schema of type object: local references only, at most 16 levels and 200 properties, RE2 patterns.',
    },
  },
  additionalProperties: true,
};

/**
 * The grammar of data to extract from a page, shared by all operations that extract. Short forms are expanded to the long
 * form, which parses to itself. Anything that cannot be extracted is refused with the path of the member.
 */
export const Extract = nameSchema(
  'Extract',
  z
    .unknown()
    .meta(EXTRACT_SCHEMA)
    .transform((raw, context): Extract => {
      const problems: Problem[] = [];
      const extract = readExtract(raw, problems);
      for (const problem of problems) {
        context.issues.push({ code: 'custom', message: problem.message, path: [...problem.path], input: raw });
      }
      return extract ?? z.NEVER;
    }),
);

type Problem = { readonly path: readonly string[]; readonly message: string };
type FieldsWalk = { readonly problems: Problem[]; count: number };

function readExtract(raw: unknown, problems: Problem[]): Extract | null {
  if (!isJsonObject(raw)) {
    problems.push({ path: [], message: 'expected an object' });
    return null;
  }
  const isNamed = ['fields', 'schema', 'prompt'].some((name) => Object.hasOwn(raw, name));
  if (!isNamed) return isBareSchema(raw) ? readSchemaForm(raw, [], problems) : readFieldsForm(raw, [], problems);
  for (const name of Object.keys(raw).filter((key) => key !== 'fields' && key !== 'schema')) {
    addProblem(
      problems,
      [truncateName(name)],
      `unknown member; the nearest known name is ${closest(truncateName(name), ['fields', 'schema'])}`,
    );
  }
  const { fields, schema } = raw;
  if ((fields === undefined) === (schema === undefined))
    addProblem(problems, [], 'expected exactly one of fields and schema');
  if (problems.length > 0) return null;
  return schema === undefined
    ? readFieldsForm(fields, ['fields'], problems)
    : readSchemaForm(schema, ['schema'], problems);
}

function isBareSchema(raw: JsonObject): boolean {
  return raw['type'] === 'object' && isJsonObject(raw['properties']);
}

function readSchemaForm(raw: unknown, path: readonly string[], problems: Problem[]): Extract | null {
  try {
    if (!isJsonObject(raw)) throw new SchemaError([], 'expected a JSON Schema');
    return { schema: parseJsonSchema(raw) };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    addProblem(problems, [...path, ...error.path], error.message);
    return null;
  }
}

function readFieldsForm(raw: unknown, path: readonly string[], problems: Problem[]): Extract | null {
  const fields = readFields(raw, path, 1, { problems, count: 0 });
  return problems.length > 0 ? null : { fields };
}

function readFields(raw: unknown, path: readonly string[], depth: number, walk: FieldsWalk): FieldMap {
  const fields: Record<string, Field> = {};
  if (!isJsonObject(raw) || Object.keys(raw).length === 0) {
    addProblem(walk.problems, path, 'expected an object with at least one field');
    return fields;
  }
  if (depth > MAX_FIELD_DEPTH) {
    addProblem(walk.problems, path, `fields can be nested at most ${MAX_FIELD_DEPTH} levels deep`);
    return fields;
  }
  for (const [name, value] of Object.entries(raw)) {
    const at = [...path, truncateName(name)];
    walk.count += 1;
    if (walk.count > MAX_FIELDS) addProblem(walk.problems, at, `at most ${MAX_FIELDS} fields in all`);
    const problem = checkMemberName(name);
    if (problem !== null) addProblem(walk.problems, at, problem);
    if (walk.problems.length >= MAX_PROBLEMS || walk.count > MAX_FIELDS) break;
    const field = problem === null ? readField(value, at, depth, walk) : null;
    if (field !== null) fields[name] = field;
  }
  return fields;
}

function readField(raw: unknown, path: readonly string[], depth: number, walk: FieldsWalk): Field | null {
  if (typeof raw === 'string') {
    const type = findTypeName(raw);
    if (type === undefined)
      addProblem(walk.problems, path, `unknown type; expected one of ${TYPE_NAMES.join(', ')}, or one of them with []`);
    return type === undefined ? null : { type, many: raw.endsWith('[]') };
  }
  if (!isJsonObject(raw)) {
    addProblem(walk.problems, path, 'expected a type name or an object');
    return null;
  }
  const read = FieldForm.safeParse(raw);
  if (!read.success) {
    for (const issue of read.error.issues.slice(0, MAX_PROBLEMS)) addIssue(walk.problems, path, issue);
    return null;
  }
  const { type: written, many, fields: inner, ...rest } = read.data;
  const rows =
    getMember(raw, 'fields') === undefined ? undefined : readFields(inner, [...path, 'fields'], depth + 1, walk);
  const type = rows !== undefined ? undefined : findTypeName(written ?? 'string');
  const several = many ?? written?.endsWith('[]') ?? false;
  checkTogether({ ...read.data, many: several }, path, walk.problems);
  checkSources(read.data, path, walk.problems);
  return { ...rest, ...(rows === undefined ? { type } : { fields: rows }), many: several };
}

type FieldForm = z.output<typeof FieldForm>;

/** Refuses members that have no effect together, because they would be ignored. */
function checkTogether(field: FieldForm, path: readonly string[], problems: Problem[]): void {
  const sources = FIELD_SOURCES.filter((source) => field[source] !== undefined);
  const rows = field.fields !== undefined;
  const type = field.type?.replace('[]', '') ?? (rows ? '' : 'string');
  const key = field.key;
  const checks: readonly (readonly [string, boolean, string])[] = [
    [sources[1] ?? '', sources.length > 1, `only one of ${FIELD_SOURCES.join(', ')} can be given`],
    [
      'attribute',
      field.attribute !== undefined && !sources.some((source) => source === 'selector' || source === 'xpath'),
      'requires selector or xpath',
    ],
    ['attribute', field.attribute !== undefined && (rows || type === 'html'), 'cannot be read as html or as fields'],
    ['type', rows && field.type !== undefined, 'cannot be combined with fields'],
    ['many', field.type?.endsWith('[]') === true && !field.many, 'contradicts the [] of the type'],
    ['key', key !== undefined && !(rows && field.many), 'requires fields and many'],
    [
      'key',
      key !== undefined && field.fields !== undefined && !Object.hasOwn(field.fields, key),
      'is not a member of fields',
    ],
    ['currency', field.currency !== undefined && type !== 'money', 'requires the type money'],
    [
      'locale',
      field.locale !== undefined && !LOCALISED_TYPES.has(type),
      `requires one of the types ${[...LOCALISED_TYPES].join(', ')}`,
    ],
  ];
  for (const [member, wrong, message] of checks) if (wrong) addProblem(problems, [...path, member], message);
}

function checkSources(field: FieldForm, path: readonly string[], problems: Problem[]): void {
  const checks = [
    ['selector', checkSelector],
    ['xpath', checkXPath],
    ['json_path', checkJsonPath],
    ['regex', checkPattern],
  ] as const;
  for (const [member, check] of checks) {
    const text = field[member];
    const problem = text === undefined ? null : check(text);
    if (problem !== null) addProblem(problems, [...path, member], problem);
  }
}

function checkJsonPath(text: string): string | null {
  try {
    compileJsonPath(text);
    return null;
  } catch (error) {
    // The library appends the whole text and the position of the error.
    return error instanceof Error ? `not a JSONPath: ${error.message.replace(/ \('.*$/s, '')}` : 'not a JSONPath';
  }
}

function findTypeName(written: string): (typeof VALUE_TYPES)[number] | undefined {
  return VALUE_TYPES.find((type) => written === type || written === `${type}[]`);
}

function addIssue(problems: Problem[], path: readonly string[], issue: z.core.$ZodIssue): void {
  if (issue.code !== 'unrecognized_keys') {
    addProblem(problems, [...path, ...issue.path.map(String)], issue.message);
    return;
  }
  for (const key of issue.keys.slice(0, MAX_PROBLEMS)) {
    const nearest = closest(truncateName(key), Object.keys(FieldForm.shape));
    addProblem(problems, [...path, truncateName(key)], `unknown member; the nearest known name is ${nearest}`);
  }
}

function addProblem(problems: Problem[], path: readonly string[], message: string): void {
  if (problems.length < MAX_PROBLEMS) problems.push({ path, message });
}

function truncateName(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`;
}

function isLocale(tag: string): boolean {
  try {
    return tag.length <= 35 && new Intl.Locale(tag).language !== '';
  } catch {
    return false;
  }
}

function removeDialect(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}
