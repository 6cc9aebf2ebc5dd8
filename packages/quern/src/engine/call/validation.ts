import { z } from 'zod';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { findQuernNames, findSimilarName } from '#kernel/similar-names.ts';
import { createLazy } from '#kernel/lazy.ts';
import { formatFault } from '#kernel/json-file.ts';
import { completeUrl } from '#kernel/web-address.ts';

type JsonSchema = { readonly [key: string]: unknown };

/** An input that the transport could not parse. Its error is thrown at validation, after the check of the plan. */
export class UnparsedInput {
  readonly error: ServiceError;

  constructor(error: ServiceError) {
    this.error = error;
  }
}

/** What an input is validated by. */
export type InputRules<I extends z.ZodType = z.ZodType> = {
  readonly input: I;
  /** Alternative names of parameters. */
  readonly aliases?: Aliases<ParameterName<I>>;
  /** Parameters of which at least one is required. */
  readonly anyOf?: readonly string[];
};

/** Alternative names of each parameter. */
type Aliases<N extends string> = Readonly<Partial<Record<N, readonly string[]>>>;

/** The names of the parameters of an input; any name if the input is not known. */
type ParameterName<I extends z.ZodType> = unknown extends z.input<I> ? string : keyof z.input<I> & string;

/** A valid input with its defaults, and the deprecated parameters that the caller used. */
export type CheckedInput<T> = { readonly input: T; readonly deprecated: readonly string[] };

/**
 * Builds the function that validates inputs and applies their defaults. Every call of an operation passes it once, in
 * `accept` of the bound operation. `at` is the path of the input in the request body, used in messages. It throws
 * `invalid_request`.
 */
export function buildInputChecker<I extends z.ZodType>(rules: InputRules<I>) {
  // Lazy, because the service has many operations and most are never called.
  const prepared = createLazy(() => prepareRules(rules));
  return function checkInput(sent: unknown, at: readonly string[] = []): CheckedInput<z.output<I>> {
    if (sent instanceof UnparsedInput) throw sent.error;
    const { schema, description, deprecatedNames, aliases, anyOf } = prepared();
    const raw = prefixErrors(at, () => mergeAliases(sent, aliases));
    const result = schema.safeParse(completeUrls(raw), { error: formatFault });
    if (!result.success) {
      const details = listFaults(result.error, description, at);
      throw new ServiceError('invalid_request', details.join('; '), { details });
    }
    const input: unknown = result.data;
    if (anyOf.length > 0 && isJsonObject(input) && anyOf.every((name) => input[name] === undefined)) {
      const names = [...at, anyOf.join(' or ')].join('.');
      throw new ServiceError('invalid_request', `${names}: one of these parameters is required`);
    }
    const deprecated = isJsonObject(raw) ? deprecatedNames.filter((name) => Object.hasOwn(raw, name)) : [];
    return { input: result.data, deprecated };
  };
}

function prepareRules<I extends z.ZodType>({ input, aliases: named, anyOf = [] }: InputRules<I>) {
  const aliases = { ...named };
  const shown = describeInput({ input, aliases });
  const description: JsonSchema = z.toJSONSchema(shown, { io: 'input', unrepresentable: 'any' });
  const deprecatedNames = Object.entries(getProperties(description))
    .filter(([, member]) => isJsonObject(member) && member['deprecated'] === true)
    .map(([name]) => name);
  return { schema: input, description, deprecatedNames, aliases, anyOf };
}

/** Builds the documented schema of an input, with the aliases of its parameters. */
export function describeInput({ input, aliases = {} }: InputRules): z.ZodType {
  const named = Object.entries(aliases);
  if (named.length === 0) return input;
  if (!(input instanceof z.ZodObject)) throw new InvariantError('aliases need an object as input');
  const { shape } = input;
  const described: Record<string, z.ZodType> = {};
  for (const [name, others = []] of named) {
    const member: unknown = shape[name];
    if (!(member instanceof z.ZodType)) throw new InvariantError(`${name} has aliases but is no parameter`);
    // It becomes optional, because an alias may be sent instead; the input itself is validated with one name.
    described[name] = member.optional();
    for (const other of others) described[other] = unwrapDefault(member).optional().describe(`Alias of ${name}`);
  }
  return z.strictObject({ ...shape, ...described });
}

/** Parameters with page URLs, in any operation. */
const URL_PARAMETERS = ['url', 'urls'] as const;

/** Adds a missing scheme to the URLs of an input, because people often omit it. */
function completeUrls(raw: unknown): unknown {
  if (!isJsonObject(raw)) return raw;
  const given = URL_PARAMETERS.filter((name) => Object.hasOwn(raw, name));
  if (given.length === 0) return raw;
  return { ...raw, ...Object.fromEntries(given.map((name) => [name, completeUrlValue(raw[name])])) };
}

function completeUrlValue(value: unknown): unknown {
  if (typeof value === 'string') return completeUrl(value);
  return Array.isArray(value)
    ? value.map((one) => (isJsonObject(one) ? completeUrls(one) : completeUrlValue(one)))
    : value;
}

/**
 * Lists at most five problems, each prefixed with its parameter. For an unknown parameter the nearest known name is
 * suggested.
 */
function listFaults(error: z.ZodError, schema: JsonSchema, at: readonly string[]): readonly string[] {
  const issues = error.issues.flatMap(flattenUnion).slice(0, 5);
  return [...new Set(issues.map((issue) => describeIssue(issue, schema, at)))];
}

/** Error codes whose message starts with the name of a parameter. */
const CODES_WITH_PARAMETER: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'not_found', 'plan_upgrade_required']);

/** Runs `work` and prefixes the parameter in the message of its error with the path `at`. */
export function prefixErrors<T>(at: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (at.length === 0 || !(error instanceof ServiceError) || !CODES_WITH_PARAMETER.has(error.code)) throw error;
    const path = at.join('.');
    const details = error.details.map((detail) => `${path}.${detail}`);
    const message = details.length === 0 ? `${path}.${error.message}` : details.join('; ');
    throw new ServiceError(error.code, message, { cause: error, details });
  }
}

/** Reports the problems of the union branch that was meant: the one whose type fits at the top level. */
function flattenUnion(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.find((form) => form.length > 0 && form.every((one) => !isTypeMismatch(one)));
  if (meant === undefined) return [issue];
  return meant.flatMap((one) => flattenUnion({ ...one, path: [...issue.path, ...one.path] }));
}

/** Whether the value has a different type than the branch. */
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

/** Suggests our name of another service's parameter, or the nearest known name. Empty if there is none. */
function buildHint(key: string, known: readonly string[]): string {
  const ours = findQuernNames(key, known);
  if (ours.length > 0) return `; use ${ours.join(' or ')}`;
  const near = findSimilarName(key, known);
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
    const forms = Array.isArray(next['anyOf']) ? next['anyOf'].filter(isJsonObject) : [];
    at = forms.find((form) => isJsonObject(form['properties'])) ?? next;
  }
  return at;
}

function getProperties(schema: JsonSchema): JsonSchema {
  const members = schema['properties'];
  return isJsonObject(members) ? members : {};
}

/** Renames aliases to their parameters. Throws `invalid_request` if both were sent with different values. */
function mergeAliases(raw: unknown, aliases: Aliases<string>): unknown {
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
