import type { Extract, Field, FieldMap } from '#extract/grammar.ts';
import { isJsonObject, memberOf } from '#extract/values/json.ts';

/** What a single value is compared as; `any` goes by what comes. */
export type Kind = 'number' | 'money' | 'string' | 'boolean' | 'date' | 'url' | 'any';

/** What a watched field holds: one value, many of one kind, or rows of members. */
export type Shape =
  | { readonly kind: Kind }
  | { readonly kind: 'list'; readonly item: Kind }
  | { readonly kind: 'rows'; readonly members: Shapes; /** What tells rows apart. */ readonly key: string | null };

/** The fields of a target by name; members of an object in it have dotted names, `offer.price`. */
export type Shapes = ReadonlyMap<string, Shape>;

const DEEPEST = 8;
const MOST_FIELDS = 500;

/** Members of an answer that tell of the call, not of what was asked for. */
const OF_THE_CALL: ReadonlySet<string> = new Set(
  'request_id usage model steps provider attempts cache warnings fetched_at complete stop_reason stats skipped errors json_unread truncated next_offset next_cursor'.split(
    ' ',
  ),
);

/** The fields that an `extract` names. */
export function shapesOfExtract(extract: Extract): Shapes {
  return extract.fields === undefined ? shapesOfMembers(extract.schema, 1) : shapesOfFields(extract.fields);
}

/** The fields of an operation's answer, from the JSON Schema of its output; what tells of the call is left out. */
export function shapesOfOutput(schema: unknown): Shapes {
  const properties = memberOf(schema, 'properties');
  const own = isJsonObject(properties)
    ? Object.fromEntries(Object.entries(properties).filter(([name]) => !OF_THE_CALL.has(name)))
    : {};
  return shapesOfMembers({ properties: own }, 1);
}

function shapesOfFields(fields: FieldMap): Shapes {
  return join(Object.entries(fields).map(([name, field]) => [name, shapeOfField(field)]));
}

function shapeOfField(field: Field): Shape | Shapes {
  if (field.fields !== undefined) {
    const members = shapesOfFields(field.fields);
    return field.many ? { kind: 'rows', members, key: field.key ?? null } : members;
  }
  const kind = KINDS[field.type ?? 'string'];
  return field.many ? { kind: 'list', item: kind } : { kind };
}

const KINDS: Readonly<Record<NonNullable<Field['type']>, Kind>> = {
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

function shapesOfMembers(schema: unknown, depth: number): Shapes {
  const properties = memberOf(schema, 'properties');
  const members = Object.entries(isJsonObject(properties) ? properties : {});
  return join(members.map(([name, written]) => [name, shapeOfSchema(written, depth)]));
}

function shapeOfSchema(written: unknown, depth: number): Shape | Shapes {
  const schema = branchOf(written);
  const type = typeOf(schema);
  if (type === 'object') {
    if (isMoney(schema)) return { kind: 'money' };
    const members = depth < DEEPEST && !isOpen(schema) ? shapesOfMembers(schema, depth + 1) : new Map<string, Shape>();
    return members.size === 0 ? { kind: 'any' } : members;
  }
  if (type !== 'array') return { kind: kindOf(type, memberOf(schema, 'format')) };
  const item = shapeOfSchema(memberOf(schema, 'items'), depth + 1);
  if (!('kind' in item)) return { kind: 'rows', members: item, key: null };
  return { kind: 'list', item: item.kind === 'list' || item.kind === 'rows' ? 'any' : item.kind };
}

function kindOf(type: unknown, format: unknown): Kind {
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type !== 'string') return 'any';
  if (format === 'date' || format === 'date-time') return 'date';
  return format === 'uri' ? 'url' : 'string';
}

/** Whether an object is no more than an amount and its currency. */
function isMoney(schema: unknown): boolean {
  const properties = memberOf(schema, 'properties');
  if (!isJsonObject(properties)) return false;
  return Object.keys(properties).toSorted().join() === 'amount,currency';
}

function isOpen(schema: unknown): boolean {
  return isJsonObject(memberOf(schema, 'additionalProperties'));
}

/** Of alternatives the only one that is not null; of several none. */
function branchOf(schema: unknown): unknown {
  const branches = memberOf(schema, 'anyOf') ?? memberOf(schema, 'oneOf');
  if (!Array.isArray(branches)) return schema;
  const told = branches.filter((branch) => memberOf(branch, 'type') !== 'null');
  return told.length === 1 ? branchOf(told[0]) : {};
}

function typeOf(schema: unknown): unknown {
  const type = memberOf(schema, 'type');
  if (!Array.isArray(type)) return type;
  const told = type.filter((one) => one !== 'null');
  return told.length === 1 ? told[0] : undefined;
}

/** One map of all fields, the members of an object under the object's name and a dot. */
function join(named: readonly (readonly [string, Shape | Shapes])[]): Shapes {
  const shapes = new Map<string, Shape>();
  for (const [name, shape] of named) {
    if ('kind' in shape) shapes.set(name, shape);
    else for (const [member, inner] of shape) shapes.set(`${name}.${member}`, inner);
  }
  if (shapes.size > MOST_FIELDS) throw new Error(`a target of ${shapes.size} fields`);
  return shapes;
}
