import type { Operation } from '#engine/call/operation.ts';
import type { ToolView } from '#engine/call/tool-view.ts';
import { formsOf, itemsOf, type JsonSchema, membersOf, requiredOf, toJsonSchema } from '#transports/schema.ts';

/** Longer enumerations are in the grammar of the tool. */
const MAX_WORDS = 12;

type InputSchema = { type: 'object'; properties: Record<string, object>; required: string[] };

/** The members of an input that a list of tools shows, without what validation says anyway. */
export function toListedMembers({ input, agent }: Operation): readonly (readonly [string, object])[] {
  const schema = toJsonSchema(input, 'input');
  const members = membersOf(schema);
  if (agent?.members === undefined) return members.map(([name, member]) => [name, toListed(member, schema, null)]);
  const known = new Map(members);
  return Object.entries(agent.members).map(([name, meaning]) => [
    name,
    toListed(known.get(name) ?? {}, schema, meaning),
  ]);
}

/** The input of a tool that is one operation. */
export function toInputSchema(operation: Operation, more: Readonly<Record<string, object>>): InputSchema {
  const required = [...requiredOf(toJsonSchema(operation.input, 'input'))];
  return { type: 'object', properties: { ...Object.fromEntries(toListedMembers(operation)), ...more }, required };
}

/** Facts that a tool gives beside its text: those that its operations declare, and how to go on. */
export function toOutputSchema(views: readonly Pick<ToolView, 'facts'>[], isPriced: boolean) {
  const types = [
    ...views.flatMap(({ facts = {} }) => Object.entries(facts)),
    ...(isPriced ? [['credits', 'integer'] as const] : []),
    ['next_offset', 'integer'] as const,
    ['next_cursor', 'string'] as const,
  ];
  const properties: Record<string, object> = Object.fromEntries(types.map(([name, type]) => [name, { type }]));
  return { type: 'object' as const, properties };
}

function toListed(member: JsonSchema, root: JsonSchema, meaning: string | null): object {
  const forms = formsOf(member, root).filter(({ type }) => type !== 'null');
  const types = new Set(forms.map(({ type }) => type).filter((type) => typeof type === 'string'));
  // A text stands for a list of one.
  if (types.has('array')) types.add('string');
  const [first] = [...types];
  const said = meaning ?? (typeof member['description'] === 'string' ? member['description'] : null);
  return {
    ...(types.size === 0 ? {} : { type: types.size === 1 ? first : [...types] }),
    ...wordsOf(forms),
    ...(said === null ? {} : { description: said }),
  };
}

/** The words of an enumeration where there is nothing else. */
function wordsOf(forms: readonly JsonSchema[]): object {
  const [form] = forms;
  if (forms.length !== 1 || form === undefined) return {};
  const words = form['enum'];
  if (Array.isArray(words) && words.length <= MAX_WORDS) return { enum: words };
  const inner = itemsOf(form)['enum'];
  return Array.isArray(inner) && inner.length <= MAX_WORDS ? { items: { enum: inner } } : {};
}
