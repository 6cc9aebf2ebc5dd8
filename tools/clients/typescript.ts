import { type JsonSchema, listMembers, listRequired } from '#transports/schema.ts';
import { type ClientDocument, type ClientOperation, type InputMember, getList, getReferenceName } from './document.ts';

const HEAD = '// Generated from the OpenAPI document by tools/generate-clients.ts; changes here are lost.\n\n';
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A module with the types of all named schemas and of unnamed inputs. */
export function toTypesModule({ schemas, operations, events }: ClientDocument): string {
  const named = [...schemas].map(([name, schema]) => toDeclaration(name, schema));
  const inputs = operations
    .filter(({ input, members }) => input === null && members.length > 0)
    .map((operation) => toDeclaration(getInputName(operation), toInputSchema(operation, schemas)));
  const union = events.map(({ schema }) => `\n  | ${toType(schema, '')}`).join('');
  const event = `/** The body of a webhook's delivery; \`type\` tells which. */\nexport type WebhookEvent =${union};\n`;
  return HEAD + [...named, ...inputs, event].join('\n');
}

function toDeclaration(name: string, schema: JsonSchema): string {
  return `${toComment(schema, '')}export type ${name} = ${toType(schema, '')};\n`;
}

/** Fields in path and query, and those that the body declares. */
function toInputSchema({ name, members }: ClientOperation, schemas: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const own: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member.name, member.schema])),
    required: members.filter(({ isRequired }) => isRequired).map((member) => member.name),
  };
  if (schemas.has(getTypeName(name))) throw new Error(`${name} is the name of a schema, too`);
  return own;
}

/** A module with the class that has a method for each operation. */
export function toOperationsModule({ operations }: ClientDocument): string {
  const types = new Set<string>();
  const methods = operations.map((operation) => toMethod(operation, types));
  const routes = operations.map((operation) => `  ${operation.name}: ${toRoute(operation)},\n`);
  const imported = [...types].toSorted().join(',\n  ');
  return `${HEAD}import type { CallOptions, Caller, FileBody, JobEvent, JobRun, List, ResumeOptions, RunOptions } from '../caller.ts';
import type {
  ${imported},
} from './types.ts';

const ROUTES = {
${routes.join('')}} as const;

/** A method for each operation of the API. */
export class Operations {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
${methods.join('')}}
`;
}

function toRoute({ id, method, path, query, list }: ClientOperation): string {
  const parts = [
    `operation: '${id}'`,
    `method: '${method}'`,
    `path: '${path}'`,
    `query: [${query.map((name) => `'${name}'`).join(', ')}]`,
    `list: ${list === null ? 'null' : `'${list.name}'`}`,
  ];
  return `{ ${parts.join(', ')} }`;
}

function toMethod(operation: ClientOperation, types: Set<string>): string {
  const { name, summary, form, answer, mayBeEmpty, list } = operation;
  const use = (schema: JsonSchema): string => {
    for (const referred of listNames(schema)) types.add(referred);
    return toType(schema, '');
  };
  const input = toInput(operation, types);
  const parameters = input === '' ? 'options?: CallOptions' : `${input}, options?: CallOptions`;
  const passed = `ROUTES.${name}, ${input === '' ? '{}' : 'input'}, options`;
  const comment = `\n  /** ${summary}. */\n`;
  const result = (): string => (answer === null ? 'null' : use(answer));
  const item = (): string => (list === null ? 'never' : use(list.item));
  switch (form) {
    case 'events':
      return `${comment}  ${name}(${parameters}): AsyncIterable<JobEvent> {\n    return this.caller.events(${passed});\n  }\n`;
    case 'file':
      return `${comment}  async ${name}(${parameters}): Promise<FileBody> {\n    return this.caller.file(${passed});\n  }\n`;
    case 'list':
      return `${comment}  ${name}(${parameters}): List<${item()}> {\n    return this.caller.list(${passed});\n  }\n`;
    case 'run':
      return toRun({ name, comment, given: parameters, passed, result: result(), item: item() });
    case 'work':
      return `${comment}  async ${name}(${parameters}): Promise<${result()}> {\n    return this.caller.work(${passed});\n  }\n`;
    default: {
      const type = answer === null ? 'void' : mayBeEmpty ? `(${result()}) | null` : result();
      return `${comment}  async ${name}(${parameters}): Promise<${type}> {\n    return this.caller.send(${passed});\n  }\n`;
    }
  }
}

type RunText = {
  readonly name: string;
  readonly comment: string;
  readonly given: string;
  readonly passed: string;
  readonly result: string;
  readonly item: string;
};

/** Methods of long operations return a run, which can be resumed by its job id. */
function toRun({ name, comment, given, passed, result, item }: RunText): string {
  const type = `JobRun<${result}, ${item}>`;
  const title = name.slice(0, 1).toUpperCase() + name.slice(1);
  return `${comment}  ${name}(${given.replace('CallOptions', 'RunOptions')}): ${type} {
    return this.caller.run(${passed});
  }

  /** Resumes a ${name} that was submitted before, by the id of its job. */
  resume${title}(id: string, options?: ResumeOptions): ${type} {
    return this.caller.resume(ROUTES.${name}, id, options);
  }
`;
}

function toInput(operation: ClientOperation, types: Set<string>): string {
  const { input, members } = operation;
  if (input === null && members.length === 0) return '';
  const name = input === null ? getInputName(operation) : (getReferenceName(input) ?? 'never');
  types.add(name);
  return `input: ${name}${isOptional(members) ? ' = {}' : ''}`;
}

function isOptional(members: readonly InputMember[]): boolean {
  return members.every(({ isRequired }) => !isRequired);
}

/** The type of an input that the document does not name. */
function getInputName({ name }: ClientOperation): string {
  return `${getTypeName(name)}Request`;
}

function getTypeName(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** The names that a schema refers to. */
function listNames(schema: JsonSchema): readonly string[] {
  const references = JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/([^"/]+)"/g);
  return [...references].map(([, name = '']) => name);
}

/** A schema as a TypeScript type; `indent` is that of the line it begins in. */
function toType(schema: JsonSchema, indent: string): string {
  const reference = getReferenceName(schema);
  if (reference !== null) return reference;
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((one: unknown) => JSON.stringify(one)).join(' | ');
  const all = getList(schema, 'allOf');
  if (all.length > 0) return all.map((one) => toOperand(toType(one, indent))).join(' & ');
  const any = [...getList(schema, 'anyOf'), ...getList(schema, 'oneOf')];
  if (any.length > 0) return toUnion(any.map((one) => toType(one, indent)));
  const { type } = schema;
  if (Array.isArray(type)) return toUnion(type.map((one: unknown) => toPlainType(String(one), schema, indent)));
  return typeof type === 'string' ? toPlainType(type, schema, indent) : 'unknown';
}

function toOperand(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}

function toUnion(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function toPlainType(type: string, schema: JsonSchema, indent: string): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') {
    const item = toType(getList({ items: [schema['items']] }, 'items')[0] ?? {}, indent);
    return /^readonly|[|&]/.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`;
  }
  return type === 'object' ? toObjectType(schema, indent) : type;
}

function toObjectType(schema: JsonSchema, indent: string): string {
  const { additionalProperties: others } = schema;
  const members = listMembers(schema);
  const value = others === true ? {} : getList({ others: [others] }, 'others')[0];
  if (members.length === 0 && others === false) return 'Readonly<Record<string, never>>';
  if (members.length === 0) return `Readonly<Record<string, ${toType(value ?? {}, indent)}>>`;
  const inner = `${indent}  `;
  const required = listRequired(schema);
  const lines = members.map(([name, member]) => {
    const key = IDENTIFIER.test(name) ? name : `'${name}'`;
    return `${toComment(member, inner)}${inner}readonly ${key}${required.includes(name) ? '' : '?'}: ${toType(member, inner)};\n`;
  });
  const index = others === true ? `${inner}readonly [name: string]: unknown;\n` : '';
  return `{\n${lines.join('')}${index}${indent}}`;
}

function toComment({ description, deprecated }: JsonSchema, indent: string): string {
  const words = [
    ...(typeof description === 'string' ? [description] : []),
    ...(deprecated === true ? ['@deprecated'] : []),
  ];
  return words.length === 0 ? '' : `${indent}/** ${words.join(' ').replaceAll('*/', '*\\/')} */\n`;
}
