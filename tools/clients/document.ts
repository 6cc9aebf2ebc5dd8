import { isJsonObject } from '#extract/values/json-object.ts';
import { type JsonSchema, membersOf, requiredOf } from '#transports/schema.ts';

/** How a client calls an operation: once, until its job has ended, as a run that is followed, page by page, as events or as a file. */
export type CallForm = 'once' | 'work' | 'run' | 'list' | 'events' | 'file';

/** A member of an input, and whether it must be there. */
export type InputMember = { readonly name: string; readonly schema: JsonSchema; readonly isRequired: boolean };

/** An operation as the clients need it. */
export type ClientOperation = {
  /** In camel case. */
  readonly name: string;
  /** The id of the operation, which is the kind of its jobs. */
  readonly id: string;
  readonly summary: string;
  readonly form: CallForm;
  readonly method: string;
  readonly path: string;
  /** Members that are in the query. */
  readonly query: readonly string[];
  readonly members: readonly InputMember[];
  /** The body where it is one schema with a name and the path has no member. */
  readonly input: JsonSchema | null;
  /** Null where it answers no JSON. */
  readonly answer: JsonSchema | null;
  /** Whether an answer may have no body. */
  readonly mayBeEmpty: boolean;
  /** The member of the answer that is its long list, and the schema of an element. */
  readonly list: { readonly name: string; readonly item: JsonSchema } | null;
  /** The forms of the input by kind, where it orders another operation. */
  readonly forms: ReadonlyMap<string, JsonSchema>;
};

/** An event that is sent to webhooks. */
export type ClientEvent = { readonly type: string; readonly schema: JsonSchema };

/** What is generated from. */
export type ClientDocument = {
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly operations: readonly ClientOperation[];
  readonly events: readonly ClientEvent[];
};

/** Reads an OpenAPI document of the service. */
export function readDocument(document: JsonSchema): ClientDocument {
  const components = objectAt(document, 'components');
  const schemas = new Map(Object.entries(objectAt(components, 'schemas')).map(([name, one]) => [name, toObject(one)]));
  const context = { schemas, components };
  const operations = Object.entries(objectAt(document, 'paths')).flatMap(([path, entries]) =>
    Object.entries(toObject(entries)).map(([method, entry]) =>
      readOperation({ path, method: method.toUpperCase(), entry: toObject(entry) }, context),
    ),
  );
  const events = Object.entries(objectAt(document, 'webhooks')).map(([type, entry]) => ({
    type,
    schema: jsonOf(objectAt(toObject(entry), 'post', 'requestBody')) ?? {},
  }));
  return { schemas, operations, events };
}

type Context = { readonly schemas: ReadonlyMap<string, JsonSchema>; readonly components: JsonSchema };
type Route = { readonly path: string; readonly method: string; readonly entry: JsonSchema };

function readOperation({ path, method, entry }: Route, { schemas, components }: Context): ClientOperation {
  const parameters = listAt(entry, 'parameters').filter(({ in: place }) => place === 'path' || place === 'query');
  const body = jsonOf(objectAt(entry, 'requestBody'));
  const opened = body === null ? {} : follow(body, schemas);
  const ofBody = membersOf(opened).map(([name, schema]) => ({
    name,
    schema,
    isRequired: requiredOf(opened).includes(name),
  }));
  const ofParameters = parameters.map((parameter) => ({
    name: String(parameter['name']),
    schema: toParameterSchema(parameter),
    isRequired: parameter['required'] === true,
  }));
  const answers = Object.entries(objectAt(entry, 'responses'))
    .filter(([status]) => status.startsWith('2'))
    .map(([status, answer]) => ({ status, answer: resolve(toObject(answer), components) }));
  const [first] = answers;
  const answer = first === undefined ? null : jsonOf(first.answer);
  const name = String(entry['operationId']);
  const list = readList(entry, answer, schemas);
  const forms = readForms(opened, schemas);
  return {
    name,
    id: String(entry['x-operation']),
    summary: String(entry['summary']),
    form: formOf(entry, { answers: answers.map((one) => one.answer), list }),
    method,
    path,
    query: ofParameters.filter((one) => !path.includes(`{${one.name}}`)).map((one) => one.name),
    members: [...ofParameters, ...(forms.size === 0 ? ofBody : membersOfForms([...forms.values()]))],
    input: inputOf(entry, { body, schemas, hasParameters: parameters.length > 0 }),
    answer,
    mayBeEmpty: answers.some((one) => Object.keys(objectAt(one.answer, 'content')).length === 0),
    list,
    forms,
  };
}

/** The named input: the body of its own, or that of its jobs where all is in the query. */
function inputOf(
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

/** The members that all forms have; one that differs from form to form may be anything. */
function membersOfForms(forms: readonly JsonSchema[]): readonly InputMember[] {
  const [first = {}, ...others] = forms;
  return membersOf(first).map(([name, schema]) => {
    const isSame = others.every(
      (form) => JSON.stringify(objectAt(form, 'properties', name)) === JSON.stringify(schema),
    );
    return { name, schema: isSame ? schema : {}, isRequired: requiredOf(first).includes(name) };
  });
}

function readForms(body: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): ReadonlyMap<string, JsonSchema> {
  const mapping = Object.entries(objectAt(body, 'discriminator', 'mapping'));
  return new Map(mapping.map(([kind, reference]) => [kind, follow({ $ref: reference }, schemas)]));
}

function toParameterSchema(parameter: JsonSchema): JsonSchema {
  const { description } = parameter;
  const schema = jsonOf(parameter) ?? objectAt(parameter, 'schema');
  return typeof description === 'string' ? { ...schema, description } : schema;
}

function readList(
  entry: JsonSchema,
  answer: JsonSchema | null,
  schemas: ReadonlyMap<string, JsonSchema>,
): ClientOperation['list'] {
  if (answer === null) return null;
  const members = new Map(membersOf(follow(partOf(answer), schemas)));
  const name = typeof entry['x-list'] === 'string' ? entry['x-list'] : 'data';
  const member = members.get(name);
  if (member === undefined || (entry['x-list'] === undefined && !members.has('next_cursor'))) return null;
  return { name, item: objectAt(member, 'items') };
}

/** The declared part of an answer, beside what every answer has. */
function partOf(answer: JsonSchema): JsonSchema {
  const [first] = listAt(answer, 'allOf');
  return first ?? answer;
}

function formOf(
  entry: JsonSchema,
  { answers, list }: { readonly answers: readonly JsonSchema[]; readonly list: ClientOperation['list'] },
): CallForm {
  const types = new Set(answers.flatMap((answer) => Object.keys(objectAt(answer, 'content'))));
  if (types.has('text/event-stream')) return 'events';
  if (types.size > 0 && !types.has('application/json')) return 'file';
  if (entry['x-long-running'] === true) return 'run';
  if (entry['x-plan'] !== undefined && objectAt(entry, 'x-credits')['per'] !== undefined) return 'work';
  return list === null ? 'once' : 'list';
}

/** The schema that a reference leads to. */
export function follow(schema: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const name = referredName(schema);
  return name === null ? schema : (schemas.get(name) ?? {});
}

/** The name that a reference leads to; null for any other schema. */
export function referredName(schema: JsonSchema): string | null {
  const reference = schema['$ref'];
  return typeof reference === 'string' ? (reference.split('/').at(-1) ?? null) : null;
}

function resolve(value: JsonSchema, components: JsonSchema): JsonSchema {
  const reference = value['$ref'];
  if (typeof reference !== 'string') return value;
  const [, , kind = '', name = ''] = reference.split('/');
  return objectAt(components, kind, name);
}

function jsonOf(holder: JsonSchema): JsonSchema | null {
  const content = objectAt(holder, 'content');
  return content['application/json'] === undefined ? null : objectAt(content, 'application/json', 'schema');
}

/** The list at a member; empty where there is none. */
export function listAt(value: JsonSchema, name: string): readonly JsonSchema[] {
  const list = value[name];
  return Array.isArray(list) ? list.map(toObject) : [];
}

function objectAt(value: JsonSchema, ...path: readonly string[]): JsonSchema {
  return path.reduce<JsonSchema>((at, name) => toObject(at[name]), value);
}

function toObject(value: unknown): JsonSchema {
  return isJsonObject(value) ? value : {};
}
