import { z } from 'zod';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { oursFor } from '#kernel/foreign-names.ts';
import { lazy } from '#kernel/lazy.ts';
import { nearName } from '#kernel/near-name.ts';
import { describeFault } from '#kernel/schema-messages.ts';
import { completeAddress } from '#kernel/web-address.ts';

type JsonSchema = { readonly [key: string]: unknown };

/** An input that its transport could not parse; validation throws the error, so that the plan gate comes first. */
export class Unread {
  readonly error: ServiceError;

  constructor(error: ServiceError) {
    this.error = error;
  }
}

/**
 * Builds the reader of one input schema: typed input and the deprecated members used, or `invalid_request`; `shown` has
 * all names that may be sent, where others stand for those of the schema.
 */
export function buildReader<I extends z.ZodType>(schema: I, shown: z.ZodType = schema) {
  // A start builds a reader for each operation, and most calls are of few.
  const description = lazy((): JsonSchema => z.toJSONSchema(shown, { io: 'input', unrepresentable: 'any' }));
  const deprecatedNames = lazy(() =>
    Object.entries(getProperties(description()))
      .filter(([, member]) => isJsonObject(member) && member['deprecated'] === true)
      .map(([name]) => name),
  );
  return function read(
    raw: unknown,
    at: readonly string[] = [],
  ): { readonly input: z.output<I>; readonly deprecated: readonly string[] } {
    if (raw instanceof Unread) throw raw.error;
    const result = schema.safeParse(completeUrls(raw), { error: describeFault });
    if (!result.success) {
      const details = listFaults(result.error, description(), at);
      throw new ServiceError('invalid_request', details.join('; '), { details });
    }
    const deprecated = isJsonObject(raw) ? deprecatedNames().filter((name) => Object.hasOwn(raw, name)) : [];
    return { input: result.data, deprecated };
  };
}

/** Members that hold addresses of pages, in the input of any operation. */
const URL_PARAMETERS = ['url', 'urls'] as const;

/** An input whose addresses have a scheme, as those that people type often do not. */
function completeUrls(raw: unknown): unknown {
  if (!isJsonObject(raw)) return raw;
  const given = URL_PARAMETERS.filter((name) => Object.hasOwn(raw, name));
  if (given.length === 0) return raw;
  return { ...raw, ...Object.fromEntries(given.map((name) => [name, completeUrlValue(raw[name])])) };
}

function completeUrlValue(value: unknown): unknown {
  if (typeof value === 'string') return completeAddress(value);
  return Array.isArray(value) ? value.map(completeUrlValue) : value;
}

/** At most five problems, each with the member it is about; an unknown member gets the nearest known name. */
function listFaults(error: z.ZodError, schema: JsonSchema, at: readonly string[]): readonly string[] {
  const issues = error.issues.flatMap(flattenUnion).slice(0, 5);
  return [...new Set(issues.map((issue) => describeIssue(issue, schema, at)))];
}

/** Codes whose message begins with the member that it is about. */
const CODES_WITH_PARAMETER: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'not_found', 'plan_upgrade_required']);

/** Runs work that may refuse a member of an input, and prefixes the member with the path of the input. */
export function prefixErrors<T>(at: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (at.length === 0 || !(error instanceof ServiceError) || !CODES_WITH_PARAMETER.has(error.code)) throw error;
    throw new ServiceError(error.code, `${at.join('.')}.${error.message}`, { cause: error });
  }
}

/** The problems of a union by the branch that was meant: the one of which some member fits. */
function flattenUnion(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.find((form) => form.length > 0 && form.every((one) => !isTypeMismatch(one)));
  if (meant === undefined) return [issue];
  return meant.flatMap((one) => flattenUnion({ ...one, path: [...issue.path, ...one.path] }));
}

/** Whether a problem is that the value has another type altogether. */
function isTypeMismatch({ code, path }: z.core.$ZodIssue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_union');
}

function describeIssue(issue: z.core.$ZodIssue, schema: JsonSchema, at: readonly string[]): string {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return `${[...at, ...path].join('.') || 'body'}: ${issue.message}`;
  const known = Object.keys(getProperties(findSchemaAt(schema, path)));
  return issue.keys
    .slice(0, 5)
    .map((key) => {
      const name = [...at, ...path, truncateKey(key)].join('.');
      return `${name}: unknown member${buildHint(key, known)}`;
    })
    .join('; ');
}

/** Our name for what another service calls so, or the known name that is near; nothing where none is. */
function buildHint(key: string, known: readonly string[]): string {
  const ours = oursFor(key, known);
  if (ours.length > 0) return `; its name here is ${ours.join(' or ')}`;
  const near = nearName(key, known);
  return near === null ? '' : `; the nearest known name is ${near}`;
}

function truncateKey(key: string): string {
  if (key === '') return '""';
  return key.length <= 100 ? key : `${key.slice(0, 100)}…`;
}

function findSchemaAt(schema: JsonSchema, path: readonly string[]): JsonSchema {
  let at = schema;
  for (const name of path) {
    const next = getProperties(at)[name] ?? at['items'];
    if (!isJsonObject(next)) return {};
    at = next;
  }
  return at;
}

function getProperties(schema: JsonSchema): JsonSchema {
  const members = schema['properties'];
  return isJsonObject(members) ? members : {};
}

/** Other names by member. */
export type Aliases<N extends string = string> = Readonly<Partial<Record<N, readonly string[]>>>;

/** The schema that shows `members` and their other names, and the reader of an input by `schema` that takes each of them. */
export function buildAliasReader<I extends z.ZodType>(
  schema: I,
  members: Readonly<Record<string, z.core.$ZodType>>,
  aliases: Aliases,
) {
  const shown = z.strictObject({ ...members, ...describeAliases(members, aliases) });
  const readOwn = buildReader(schema, shown);
  function read(sent: unknown, at: readonly string[] = []): ReturnType<typeof readOwn> {
    return readOwn(sent instanceof Unread ? sent : prefixErrors(at, () => mergeAliases(sent, aliases)), at);
  }
  return { shown, read };
}

/** The other names as optional members. Those that have one are optional too: whether one came is looked at later. */
function describeAliases(
  members: Readonly<Record<string, z.core.$ZodType>>,
  aliases: Aliases,
): Record<string, z.ZodType> {
  const described: Record<string, z.ZodType> = {};
  for (const [name, others = []] of Object.entries(aliases)) {
    const member = members[name];
    if (!(member instanceof z.ZodType)) throw new InvariantError(`${name} has aliases and is no member`);
    described[name] = member.optional();
    for (const other of others) described[other] = unwrapDefault(member).optional().describe(`Alias of ${name}`);
  }
  return described;
}

/** Members under their own names. Throws `invalid_request` for two names of one with different values. */
function mergeAliases(raw: unknown, aliases: Aliases): unknown {
  if (!isJsonObject(raw)) return raw;
  const merged = new Map<string, unknown>(Object.entries(raw));
  for (const [name, others = []] of Object.entries(aliases)) {
    for (const other of others) {
      if (!merged.has(other)) continue;
      const value = merged.get(other);
      merged.delete(other);
      if (merged.has(name) && JSON.stringify(merged.get(name)) !== JSON.stringify(value)) {
        throw new ServiceError('invalid_request', `${other}: is an alias of ${name}, and the two differ`);
      }
      merged.set(name, value);
    }
  }
  return Object.fromEntries(merged);
}

function unwrapDefault(member: z.ZodType): z.ZodType {
  return member instanceof z.ZodDefault && member.def.innerType instanceof z.ZodType ? member.def.innerType : member;
}
