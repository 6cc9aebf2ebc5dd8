import { InvariantError } from '#extract/invariant-error.ts';
import { z } from 'zod';
import { Extract, type Field, type FieldMap } from '#extract/grammar.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getMember } from '#extract/values/json.ts';

/** The kind of a single value. `any` depends on each value. */
export type ValueKind = 'number' | 'money' | 'string' | 'boolean' | 'date' | 'url' | 'any';

/** The shape of a watched field: one value, a list of one kind, or rows of members. */
export type FieldShape =
  | { readonly kind: ValueKind }
  | { readonly kind: 'list'; readonly item: ValueKind }
  | {
      readonly kind: 'rows';
      readonly members: FieldShapes;
      /** The member that identifies a row. */ readonly key: string | null;
      /**
       * Members that describe how a row was found and may differ although the row is unchanged. They are only compared
       * on request.
       */
      readonly quiet?: ReadonlySet<string>;
    };

/** The fields of a target by name. Members of objects have dotted names, such as `offer.price`. */
export type FieldShapes = ReadonlyMap<string, FieldShape>;

const MAX_DEPTH = 8;
const MAX_FIELDS = 500;

/** Members of an answer that describe the call, not its result. */
const CALL_MEMBERS: ReadonlySet<string> = new Set(
  'request_id usage model steps provider attempts cache warnings changes fetched_at complete stop_reason stats skipped errors json_unread truncated next_offset next_cursor'.split(
    ' ',
  ),
);

/** Members of a record at any depth that describe how and when it was read. */
const READING_MEMBERS: ReadonlySet<string> = new Set(
  'request_id usage credits tier attempts cache warnings changes fetched_at duration_ms'.split(' '),
);

/** Members of an answer and of its rows that depend on the order in which pages were loaded, by operation. */
const ORDER_DEPENDENT_MEMBERS: Readonly<
  Record<string, { readonly members: readonly string[]; readonly rows: readonly string[] }>
> = {
  crawl: { members: [], rows: ['depth', 'parent_url', 'near_duplicate_of'] },
  map: { members: ['sources'], rows: ['source', 'depth'] },
};

/** The operation whose fields may come from `extract`, and whose target may answer with an error page. */
export const FETCH_ID = 'fetch';

/** The parts of an operation that determine the shapes of its answer. */
export type WatchedOperation = { readonly id: string; readonly output: z.ZodType };

/** Whether the fields of an operation's answer are those of an `extract`. */
export function isExtract({ id }: WatchedOperation, input: JsonObject): boolean {
  return id === FETCH_ID && input['extract'] !== undefined;
}

/**
 * Builds the fields of an operation's answer: those of the `extract` of a fetch, else those of the operation's record.
 */
export function buildShapes(operation: WatchedOperation, input: JsonObject): FieldShapes {
  if (isExtract(operation, input)) return buildExtractShapes(Extract.parse(input['extract']));
  const shapes = buildOutputShapes(z.toJSONSchema(operation.output, { unrepresentable: 'any' }));
  const { members = [], rows = [] } = ORDER_DEPENDENT_MEMBERS[operation.id] ?? {};
  const comparable = [...shapes].filter(([name]) => !members.includes(name) && !isFileReference(name));
  return new Map(comparable.map(([name, shape]) => [name, withQuietMembers(shape, rows)]));
}

/** Whether a member refers to a file, which is new in every answer. */
function isFileReference(name: string): boolean {
  return /^(?:screenshot|pdf)\.(?:id|url|expires_at)$/.test(name);
}

function withQuietMembers(shape: FieldShape, names: readonly string[]): FieldShape {
  if (shape.kind !== 'rows') return shape;
  const quiet = [...shape.members.keys()].filter(
    (name) => names.includes(name) || isFileReference(name) || READING_MEMBERS.has(name.split('.').at(-1) ?? name),
  );
  return quiet.length === 0 ? shape : { ...shape, quiet: new Set(quiet) };
}

/** Builds the fields of an `extract`. */
export function buildExtractShapes(extract: Extract): FieldShapes {
  return extract.fields === undefined ? buildMemberShapes(extract.schema, 1) : buildFieldMapShapes(extract.fields);
}

/** Builds the fields of an answer from the JSON Schema of its output, without members that describe the call. */
export function buildOutputShapes(schema: unknown): FieldShapes {
  const properties = getMember(schema, 'properties');
  const own = isJsonObject(properties)
    ? Object.fromEntries(Object.entries(properties).filter(([name]) => !CALL_MEMBERS.has(name)))
    : {};
  return buildMemberShapes({ properties: own }, 1);
}

function buildFieldMapShapes(fields: FieldMap): FieldShapes {
  return flattenShapes(Object.entries(fields).map(([name, field]) => [name, buildFieldShape(field)]));
}

function buildFieldShape(field: Field): FieldShape | FieldShapes {
  if (field.fields !== undefined) {
    const members = buildFieldMapShapes(field.fields);
    return field.many ? { kind: 'rows', members, key: field.key ?? null } : members;
  }
  const kind = KINDS[field.type ?? 'string'];
  return field.many ? { kind: 'list', item: kind } : { kind };
}

const KINDS: Readonly<Record<NonNullable<Field['type']>, ValueKind>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  money: 'money',
  date: 'date',
  datetime: 'date',
  url: 'url',
  html: 'string',
};

function buildMemberShapes(schema: unknown, depth: number): FieldShapes {
  const properties = getMember(schema, 'properties');
  const members = Object.entries(isJsonObject(properties) ? properties : {});
  return flattenShapes(members.map(([name, written]) => [name, buildSchemaShape(written, depth)]));
}

function buildSchemaShape(written: unknown, depth: number): FieldShape | FieldShapes {
  const schema = getSingleBranch(written);
  const type = getSingleType(schema);
  if (type === 'object') {
    if (isMoney(schema)) return { kind: 'money' };
    const members =
      depth < MAX_DEPTH && !hasOpenMembers(schema)
        ? buildMemberShapes(schema, depth + 1)
        : new Map<string, FieldShape>();
    return members.size === 0 ? { kind: 'any' } : members;
  }
  if (type !== 'array') return { kind: toValueKind(type, getMember(schema, 'format')) };
  const item = buildSchemaShape(getMember(schema, 'items'), depth + 1);
  if (!('kind' in item)) return { kind: 'rows', members: item, key: null };
  return { kind: 'list', item: item.kind === 'list' || item.kind === 'rows' ? 'any' : item.kind };
}

function toValueKind(type: unknown, format: unknown): ValueKind {
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type !== 'string') return 'any';
  if (format === 'date' || format === 'date-time') return 'date';
  return format === 'uri' ? 'url' : 'string';
}

/** Whether an object has exactly the members amount and currency. */
function isMoney(schema: unknown): boolean {
  const properties = getMember(schema, 'properties');
  if (!isJsonObject(properties)) return false;
  return Object.keys(properties).toSorted().join() === 'amount,currency';
}

function hasOpenMembers(schema: unknown): boolean {
  return isJsonObject(getMember(schema, 'additionalProperties'));
}

/** Gets the only non-null branch of a union, `{}` if there are several. */
function getSingleBranch(schema: unknown): unknown {
  const branches = getMember(schema, 'anyOf') ?? getMember(schema, 'oneOf');
  if (!Array.isArray(branches)) return schema;
  const nonNull = branches.filter((branch) => getMember(branch, 'type') !== 'null');
  return nonNull.length === 1 ? getSingleBranch(nonNull[0]) : {};
}

function getSingleType(schema: unknown): unknown {
  const type = getMember(schema, 'type');
  if (!Array.isArray(type)) return type;
  const nonNull = type.filter((one) => one !== 'null');
  return nonNull.length === 1 ? nonNull[0] : undefined;
}

/** Flattens named shapes. Members of objects get dotted names. */
function flattenShapes(named: readonly (readonly [string, FieldShape | FieldShapes])[]): FieldShapes {
  const shapes = new Map<string, FieldShape>();
  for (const [name, shape] of named) {
    if ('kind' in shape) shapes.set(name, shape);
    else for (const [member, inner] of shape) shapes.set(`${name}.${member}`, inner);
  }
  if (shapes.size > MAX_FIELDS) throw new InvariantError(`a target of ${shapes.size} fields`);
  return shapes;
}
