import type { Operation } from '#engine/call/operation.ts';
import { describeInput } from '#engine/call/validation.ts';
import type { ToolView } from '#engine/call/tool-view.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { listForms, getItems, type JsonSchema, listMembers, listRequired, toJsonSchema } from '#transports/schema.ts';

/** A type of at least this length that occurs at least this often is defined once, with a name; others are inlined. */
const MIN_NAMED_CHARS = 60;
const MIN_NAMED_TIMES = 3;
const MAX_DEPTH = 8;
/** Longer unions are written with one alternative per line. */
const MIN_LONG_UNION_CHARS = 300;

type NamedType = { readonly name: string; readonly text: string };

/** Formats a schema as text: a line `name?: type - description` for each member, then the named types. */
export function formatGrammar(schema: JsonSchema): string {
  const writer = new TypeWriter(schema);
  const members = writer.writeMembers(schema).join('\n') || 'No parameters.';
  const types = nameTypes(writer.written);
  const defined = types.map(({ name, text }, at) => `${name} = ${replaceNamedTypes(text, types.slice(at + 1))}`);
  return [replaceNamedTypes(members, types), ...defined].join('\n');
}

/** Names long types that occur often, longest first, after the first member that has the type. */
function nameTypes(written: TypeWriter['written']): readonly NamedType[] {
  const often = [...written].filter(([text, { times }]) => text.length >= MIN_NAMED_CHARS && times >= MIN_NAMED_TIMES);
  const taken = new Set<string>();
  return often
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([text, { member }]) => {
      const plain = member.charAt(0).toUpperCase() + member.slice(1);
      const name = taken.has(plain) ? `${plain}${taken.size + 1}` : plain;
      taken.add(name);
      return { name, text };
    });
}

function replaceNamedTypes(text: string, types: readonly NamedType[]): string {
  return types.reduce((whole, type) => whole.replaceAll(type.text, type.name), text);
}

class TypeWriter {
  /** Every written type by its text, with the first member that has it, and how often it occurs. */
  readonly written = new Map<string, { readonly member: string; readonly times: number }>();
  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** Writes a line for each member of an object. */
  writeMembers(schema: JsonSchema): readonly string[] {
    const required = listRequired(schema);
    return listMembers(schema).map(([name, member]) => {
      const { description, default: standard } = member;
      const meaning = typeof description === 'string' ? ` - ${description}` : '';
      const defaultText =
        standard === undefined || typeof standard === 'object' ? '' : ` = ${JSON.stringify(standard)}`;
      return `${name}${required.includes(name) ? '' : '?'}: ${this.#write(name, member, 0)}${defaultText}${meaning}`;
    });
  }

  #write(member: string, schema: JsonSchema, depth: number): string {
    const forms = [...new Set(listForms(schema, this.#root).map((form) => this.#writeForm(member, form, depth)))];
    const isLong = forms.length > 4 && forms.join('').length > MIN_LONG_UNION_CHARS;
    const text = forms.join(isLong ? '\n  | ' : ' | ');
    const known = this.written.get(text);
    this.written.set(text, { member: known?.member ?? member, times: (known?.times ?? 0) + 1 });
    return text;
  }

  #writeForm(member: string, schema: JsonSchema, depth: number): string {
    const { type, const: constant, enum: words } = schema;
    if (constant !== undefined) return JSON.stringify(constant);
    if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join('|');
    if (depth >= MAX_DEPTH) return typeof type === 'string' ? type : 'any';
    if (type === 'array') {
      const item = this.#write(member, getItems(schema), depth + 1);
      return item.includes('|') ? `(${item})[]` : `${item}[]`;
    }
    if (type !== 'object') return typeof type === 'string' ? type : 'any';
    const required = listRequired(schema);
    const members = listMembers(schema).map(
      ([name, inner]) => `${name}${required.includes(name) ? '' : '?'}: ${this.#write(name, inner, depth + 1)}`,
    );
    const { additionalProperties: others } = schema;
    const rest = isJsonObject(others) ? [`[name]: ${this.#write(member, others, depth + 1)}`] : [];
    return members.length + rest.length === 0 ? 'object' : `{${[...members, ...rest].join(', ')}}`;
  }
}

/** Longer enums appear only in the grammar of the tool. */
const MAX_ENUM_VALUES = 12;

type InputSchema = { type: 'object'; properties: Record<string, object>; required: string[] };

/** Lists the parameters that the list of tools shows, without details that only validation needs. */
export function listToolMembers({ input, agent }: Operation): readonly (readonly [string, object])[] {
  const schema = toJsonSchema(input, 'input');
  const members = listMembers(schema);
  if (agent?.members === undefined)
    return members.map(([name, member]) => [name, describeToolMember(member, schema, null)]);
  const known = new Map(members);
  return Object.entries(agent.members).map(([name, meaning]) => [
    name,
    describeToolMember(known.get(name) ?? {}, schema, meaning),
  ]);
}

/** Builds the input schema of a tool for one operation. */
export function buildInputSchema(operation: Operation, more: Readonly<Record<string, object>>): InputSchema {
  const required = [...listRequired(toJsonSchema(describeInput(operation), 'input'))];
  return { type: 'object', properties: { ...Object.fromEntries(listToolMembers(operation)), ...more }, required };
}

/** Builds the schema of a tool's structured content: the facts that its operations declare, and how to continue. */
export function buildOutputSchema(views: readonly Pick<ToolView, 'facts'>[], isPriced: boolean) {
  const types = [
    ...views.flatMap(({ facts = {} }) => Object.entries(facts)),
    ...(isPriced ? [['credits', 'integer'] as const] : []),
    ['next_offset', 'integer'] as const,
    ['next_cursor', 'string'] as const,
  ];
  const properties: Record<string, object> = Object.fromEntries(types.map(([name, type]) => [name, { type }]));
  return { type: 'object' as const, properties };
}

function describeToolMember(member: JsonSchema, root: JsonSchema, meaning: string | null): object {
  const forms = listForms(member, root).filter(({ type }) => type !== 'null');
  const types = new Set(forms.map(({ type }) => type).filter((type) => typeof type === 'string'));
  // A string is accepted for a list of one.
  if (types.has('array')) types.add('string');
  const [first] = [...types];
  const description = meaning ?? (typeof member['description'] === 'string' ? member['description'] : null);
  return {
    ...(types.size === 0 ? {} : { type: types.size === 1 ? first : [...types] }),
    ...getEnumKeyword(forms),
    ...(description === null ? {} : { description: description }),
  };
}

/** Returns the enum keyword if the enum is the only alternative. */
function getEnumKeyword(forms: readonly JsonSchema[]): object {
  const [form] = forms;
  if (forms.length !== 1 || form === undefined) return {};
  const words = form['enum'];
  if (Array.isArray(words) && words.length <= MAX_ENUM_VALUES) return { enum: words };
  const inner = getItems(form)['enum'];
  return Array.isArray(inner) && inner.length <= MAX_ENUM_VALUES ? { items: { enum: inner } } : {};
}
