import { isJsonObject } from '#extract/values/json-object.ts';
import { type JsonSchema, listMembers, listRequired } from '#transports/schema.ts';

/** How a client calls an operation: a single call, a job with polling, a run, pages, events or a file download. */
export type CallForm = 'once' | 'work' | 'run' | 'list' | 'events' | 'file';

/** An input field, and whether it is required. */
export type InputMember = { readonly name: string; readonly schema: JsonSchema; readonly isRequired: boolean };

/** An operation with everything that the client generators need. */
export type ClientOperation = {
  /** In camel case. */
  readonly name: string;
  /** The id of the operation, which is the kind of its jobs. */
  readonly id: string;
  readonly summary: string;
  readonly form: CallForm;
  readonly method: string;
  readonly path: string;
  /** Fields sent in the query. */
  readonly query: readonly string[];
  readonly members: readonly InputMember[];
  /** The body, if it is a named schema and the path has no parameters. */
  readonly input: JsonSchema | null;
  /** Null if the response is not JSON. */
  readonly answer: JsonSchema | null;
  /** Whether a response may have no body. */
  readonly mayBeEmpty: boolean;
  /** The field with the long list of the response, and the schema of an element. */
  readonly list: { readonly name: string; readonly item: JsonSchema } | null;
  /** The variants of the input by kind, for operations that run another operation. */
  readonly forms: ReadonlyMap<string, JsonSchema>;
};

/** An event that is sent to webhooks. */
export type ClientEvent = { readonly type: string; readonly schema: JsonSchema };

/** The contents of the OpenAPI document that the generators use. */
export type ClientDocument = {
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly operations: readonly ClientOperation[];
  readonly events: readonly ClientEvent[];
};

/** Reads an OpenAPI document of the service. */
export function readDocument(document: JsonSchema): ClientDocument {
  const components = getObject(document, 'components');
  const schemas = new Map(Object.entries(getObject(components, 'schemas')).map(([name, one]) => [name, toObject(one)]));
  const context = { schemas, components };
  const operations = Object.entries(getObject(document, 'paths')).flatMap(([path, entries]) =>
    Object.entries(toObject(entries)).map(([method, entry]) =>
      readOperation({ path, method: method.toUpperCase(), entry: toObject(entry) }, context),
    ),
  );
  const events = Object.entries(getObject(document, 'webhooks')).map(([type, entry]) => ({
    type,
    schema: getJsonSchema(getObject(toObject(entry), 'post', 'requestBody')) ?? {},
  }));
  return { schemas, operations, events };
}

type Context = { readonly schemas: ReadonlyMap<string, JsonSchema>; readonly components: JsonSchema };
type Route = { readonly path: string; readonly method: string; readonly entry: JsonSchema };

function readOperation({ path, method, entry }: Route, { schemas, components }: Context): ClientOperation {
  const parameters = getList(entry, 'parameters').filter(({ in: place }) => place === 'path' || place === 'query');
  const body = getJsonSchema(getObject(entry, 'requestBody'));
  const opened = body === null ? {} : followReference(body, schemas);
  const ofBody = listMembers(opened).map(([name, schema]) => ({
    name,
    schema,
    isRequired: listRequired(opened).includes(name),
  }));
  const ofParameters = parameters.map((parameter) => ({
    name: String(parameter['name']),
    schema: toParameterSchema(parameter),
    isRequired: parameter['required'] === true,
  }));
  const answers = Object.entries(getObject(entry, 'responses'))
    .filter(([status]) => status.startsWith('2'))
    .map(([status, answer]) => ({ status, answer: resolve(toObject(answer), components) }));
  const [first] = answers;
  const answer = first === undefined ? null : getJsonSchema(first.answer);
  const name = String(entry['operationId']);
  const list = readList(entry, answer, schemas);
  const forms = readForms(opened, schemas);
  return {
    name,
    id: String(entry['x-operation']),
    summary: String(entry['summary']),
    form: getForm(entry, { answers: answers.map((one) => one.answer), list }),
    method,
    path,
    query: ofParameters.filter((one) => !path.includes(`{${one.name}}`)).map((one) => one.name),
    members: [...ofParameters, ...(forms.size === 0 ? ofBody : listFormMembers([...forms.values()]))],
    input: readInput(entry, { body, schemas, hasParameters: parameters.length > 0 }),
    answer,
    mayBeEmpty: answers.some((one) => Object.keys(getObject(one.answer, 'content')).length === 0),
    list,
    forms,
  };
}

/** The name of the input schema: that of the body, or that of its jobs if all fields are in the query. */
function readInput(
  entry: JsonSchema,
  {
    body,
    schemas,
    hasParameters,
  }: {
    readonly body: JsonSchema | null;
    readonly schemas: ReadonlyMap<string, JsonSchema>;
    readonly hasParameters: boolean;
  },
): JsonSchema | null {
  if (body !== null) return hasParameters ? null : body;
  const id = String(entry['operationId']);
  const name = `${id.slice(0, 1).toUpperCase()}${id.slice(1)}Input`;
  return schemas.has(name) ? { $ref: `#/components/schemas/${name}` } : null;
}

/** The fields that all variants have; fields with different schemas accept any value. */
function listFormMembers(forms: readonly JsonSchema[]): readonly InputMember[] {
  const [first = {}, ...others] = forms;
  return listMembers(first).map(([name, schema]) => {
    const isSame = others.every(
      (form) => JSON.stringify(getObject(form, 'properties', name)) === JSON.stringify(schema),
    );
    return { name, schema: isSame ? schema : {}, isRequired: listRequired(first).includes(name) };
  });
}

function readForms(body: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): ReadonlyMap<string, JsonSchema> {
  const mapping = Object.entries(getObject(body, 'discriminator', 'mapping'));
  return new Map(mapping.map(([kind, reference]) => [kind, followReference({ $ref: reference }, schemas)]));
}

function toParameterSchema(parameter: JsonSchema): JsonSchema {
  const { description } = parameter;
  const schema = getJsonSchema(parameter) ?? getObject(parameter, 'schema');
  return typeof description === 'string' ? { ...schema, description } : schema;
}

function readList(
  entry: JsonSchema,
  answer: JsonSchema | null,
  schemas: ReadonlyMap<string, JsonSchema>,
): ClientOperation['list'] {
  if (answer === null) return null;
  const members = new Map(listMembers(followReference(getPart(answer), schemas)));
  const name = typeof entry['x-list'] === 'string' ? entry['x-list'] : 'data';
  const member = members.get(name);
  if (member === undefined || (entry['x-list'] === undefined && !members.has('next_cursor'))) return null;
  return { name, item: getObject(member, 'items') };
}

/** The declared part of a response, without the fields that every response has. */
function getPart(answer: JsonSchema): JsonSchema {
  const [first] = getList(answer, 'allOf');
  return first ?? answer;
}

function getForm(
  entry: JsonSchema,
  { answers, list }: { readonly answers: readonly JsonSchema[]; readonly list: ClientOperation['list'] },
): CallForm {
  const types = new Set(answers.flatMap((answer) => Object.keys(getObject(answer, 'content'))));
  if (types.has('text/event-stream')) return 'events';
  if (types.size > 0 && !types.has('application/json')) return 'file';
  if (entry['x-long-running'] === true) return 'run';
  if (entry['x-plan'] !== undefined && getObject(entry, 'x-credits')['per'] !== undefined) return 'work';
  return list === null ? 'once' : 'list';
}

/** Resolves a `$ref` to its schema. */
export function followReference(schema: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const name = getReferenceName(schema);
  return name === null ? schema : (schemas.get(name) ?? {});
}

/** The name that a `$ref` refers to; null for other schemas. */
export function getReferenceName(schema: JsonSchema): string | null {
  const reference = schema['$ref'];
  return typeof reference === 'string' ? (reference.split('/').at(-1) ?? null) : null;
}

function resolve(value: JsonSchema, components: JsonSchema): JsonSchema {
  const reference = value['$ref'];
  if (typeof reference !== 'string') return value;
  const [, , kind = '', name = ''] = reference.split('/');
  return getObject(components, kind, name);
}

function getJsonSchema(holder: JsonSchema): JsonSchema | null {
  const content = getObject(holder, 'content');
  return content['application/json'] === undefined ? null : getObject(content, 'application/json', 'schema');
}

/** The array at a member; empty if there is none. */
export function getList(value: JsonSchema, name: string): readonly JsonSchema[] {
  const list = value[name];
  return Array.isArray(list) ? list.map(toObject) : [];
}

function getObject(value: JsonSchema, ...path: readonly string[]): JsonSchema {
  return path.reduce<JsonSchema>((at, name) => toObject(at[name]), value);
}

function toObject(value: unknown): JsonSchema {
  return isJsonObject(value) ? value : {};
}
