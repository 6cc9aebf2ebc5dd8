import { isPythonKeyword, toPythonName } from '#console/app/samples.ts';
import { type JsonSchema, listMembers, listRequired } from '#transports/schema.ts';
import { type ClientDocument, followReference, getList, getReferenceName } from './document.ts';

/** The header of every generated file. */
export const PYTHON_HEAD =
  '# Generated from the OpenAPI document by tools/generate-clients.ts; changes here are lost.\n';

const IDENTIFIER = /^[A-Za-z_]\w*$/;
const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Converts a camel-case name to snake case. */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Schemas = ClientDocument['schemas'];

/** Collects the classes of responses and the types of inputs that are used. */
export class PythonTypes {
  readonly #schemas: Schemas;
  readonly #classes = new Map<string, string>();
  readonly #inputs = new Map<string, string>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** The text of all collected classes and types. */
  toText(): string {
    return [...this.#classes.values(), ...this.#inputs.values()].join('\n\n');
  }

  /** The names of all of them. */
  names(): readonly string[] {
    return [...this.#classes.keys(), ...this.#inputs.keys()];
  }

  /** The class of a response: that of its record, with the fields that every response has. */
  answerClass(schema: JsonSchema, otherwise: string): string {
    const parts = getList(schema, 'allOf');
    if (parts.length === 0) return this.#recordClass(schema, otherwise);
    const bases = parts.map((part) => this.#recordClass(part, otherwise));
    const name = bases.toReversed().join('');
    if (!this.#classes.has(name)) {
      this.#classes.set(name, '');
      // A class comes after its bases.
      this.#classes.delete(name);
      this.#classes.set(name, `class ${name}(${bases.join(', ')}):\n    """${bases.join(' and ')}."""\n`);
    }
    return name;
  }

  #recordClass(schema: JsonSchema, otherwise: string): string {
    const name = getReferenceName(schema) ?? otherwise;
    if (this.#classes.has(name)) return name;
    const body = followReference(schema, this.#schemas);
    this.#classes.set(name, '');
    const records: string[] = [];
    const required = listRequired(body);
    const lines = listMembers(body).map(([member, inner]) => {
      const held = this.#heldRecord(inner, name + toTitle(member));
      if (held !== null) records.push(`        "${member}": lambda: ${held},\n`);
      const type = this.#outputType(inner, name + toTitle(member));
      const isOptional = !required.includes(member) && !type.startsWith('Optional[');
      return `${toRemark(inner)}    ${toPythonName(member)}: ${isOptional ? `Optional[${type}]` : type}\n`;
    });
    const held = records.length === 0 ? '' : `\n    _records = {\n${records.join('')}    }\n`;
    const text = typeof body['description'] === 'string' ? body['description'] : toWords(name);
    const open = lines.length === 0 ? '' : '\n';
    this.#classes.set(name, `class ${name}(Record):\n    """${text}."""\n${open}${lines.join('')}${held}`);
    return name;
  }

  /** The class of the record or records in a field; null if it has none. */
  #heldRecord(schema: JsonSchema, otherwise: string): string | null {
    const form = this.#mainForm(schema);
    const body = followReference(form, this.#schemas);
    if (body['type'] === 'array')
      return this.#heldRecord(getList({ items: [body['items']] }, 'items')[0] ?? {}, otherwise);
    return body['type'] === 'object' && listMembers(body).length > 0 ? this.#recordClass(form, otherwise) : null;
  }

  /** The conversion of a value that is not null. */
  #mainForm(schema: JsonSchema): JsonSchema {
    const forms = [...getList(schema, 'anyOf'), ...getList(schema, 'oneOf')].filter(({ type }) => type !== 'null');
    return forms.length === 1 ? (forms[0] ?? schema) : schema;
  }

  #outputType(schema: JsonSchema, otherwise: string): string {
    return toPythonType(schema, {
      list: 'List',
      map: 'Dict',
      named: (one) => {
        const body = followReference(one, this.#schemas);
        if (body['type'] === 'object' && listMembers(body).length > 0) return this.#recordClass(one, otherwise);
        return getReferenceName(one) === null ? null : this.#outputType(body, otherwise);
      },
    });
  }

  /** The type of a value that callers pass. */
  inputType(schema: JsonSchema): string {
    return toPythonType(schema, {
      list: 'Sequence',
      map: 'Mapping',
      named: (one) => {
        const name = getReferenceName(one);
        if (name !== null) return this.#inputName(name, followReference(one, this.#schemas));
        return one['type'] === 'object' && listMembers(one).length > 0 ? 'Mapping[str, Any]' : null;
      },
    });
  }

  #inputName(name: string, body: JsonSchema): string {
    if (this.#inputs.has(name)) return name;
    const members = listMembers(body);
    const isDict = body['type'] === 'object' && body['additionalProperties'] === false;
    this.#inputs.set(name, '');
    if (!isDict || members.some(([member]) => isPythonKeyword(member) || !IDENTIFIER.test(member))) {
      this.#inputs.set(name, `${name}: TypeAlias = ${quoteNames(this.inputType({ ...body, $ref: undefined }))}\n`);
      return name;
    }
    const required = listRequired(body);
    const lines = members.map(([member, inner]) => {
      const type = this.inputType(inner);
      return `${toRemark(inner)}    ${member}: ${required.includes(member) ? `Required[${type}]` : type}\n`;
    });
    const text = lines.length === 0 ? '    pass\n' : lines.join('');
    this.#inputs.set(name, `class ${name}(TypedDict, total=False):\n${text}`);
    return name;
  }
}

/** Quotes names of types that may be defined later. */
function quoteNames(type: string): string {
  return `"${type.replaceAll('"', "'")}"`;
}

type Names = {
  readonly list: string;
  readonly map: string;
  /** The name of a schema; null if it is inline. */
  readonly named: (schema: JsonSchema) => string | null;
};

function toPythonType(schema: JsonSchema, names: Names): string {
  const name = names.named(schema);
  if (name !== null) return name;
  if ('const' in schema) return `Literal[${toLiteral(schema['const'])}]`;
  if (Array.isArray(schema['enum'])) return `Literal[${schema['enum'].map(toLiteral).join(', ')}]`;
  const any = [...getList(schema, 'anyOf'), ...getList(schema, 'oneOf')];
  if (any.length > 0) return toUnion(any.map((one) => toPythonType(one, names)));
  const { type } = schema;
  if (Array.isArray(type)) return toUnion(type.map((one: unknown) => toPlain(String(one), schema, names)));
  return typeof type === 'string' ? toPlain(type, schema, names) : 'Any';
}

function toPlain(type: string, schema: JsonSchema, names: Names): string {
  if (type === 'array') {
    return `${names.list}[${toPythonType(getList({ items: [schema['items']] }, 'items')[0] ?? {}, names)}]`;
  }
  if (type !== 'object') return PLAIN[type] ?? 'Any';
  const value = getList({ others: [schema['additionalProperties']] }, 'others')[0];
  return `${names.map}[str, ${value === undefined ? 'Any' : toPythonType(value, names)}]`;
}

function toUnion(types: readonly string[]): string {
  const kinds = [...new Set(types)];
  const others = kinds.filter((one) => one !== 'None');
  const [first = 'None'] = others;
  const union = others.length > 1 ? `Union[${others.join(', ')}]` : first;
  return others.length < kinds.length ? `Optional[${union}]` : union;
}

function toLiteral(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  return JSON.stringify(value);
}

function toTitle(member: string): string {
  return member.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function toWords(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words}, as the service answers it`;
}

function toRemark({ description }: JsonSchema): string {
  return typeof description === 'string' ? `    #: ${description}\n` : '';
}
