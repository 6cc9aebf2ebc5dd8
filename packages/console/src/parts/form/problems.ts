import { isRecord, listAt, recordAt } from '#console/app/reading.ts';
import { fieldKindOf, followReferences, schemaMembersOf, type SchemaNode, unionFormsOf } from './schema.ts';

const MAX_LEVELS = 8;

/** What is wrong with an input, by the path of its member; the service has the last word. */
export function problemsOf(schema: SchemaNode, value: unknown): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  look(schema, value, { root: schema, path: '', level: 0, problems });
  return problems;
}

type Looking = {
  readonly root: SchemaNode;
  readonly path: string;
  readonly level: number;
  readonly problems: Map<string, string>;
};

function look(given: SchemaNode, value: unknown, looking: Looking): void {
  const { root, path, level, problems } = looking;
  const schema = followReferences(given, root);
  if (level > MAX_LEVELS || value === undefined || unionFormsOf(schema, root).length > 1) return;
  const problem = problemOf(schema, value);
  if (problem !== null) problems.set(path, problem);
  if (isRecord(value)) lookAtMembers(schema, value, looking);
  if (!Array.isArray(value)) return;
  for (const [at, item] of value.entries())
    look(recordAt(schema, 'items'), item, { ...looking, path: `${path}[${at}]`, level: level + 1 });
}

function lookAtMembers(schema: SchemaNode, value: Readonly<Record<string, unknown>>, looking: Looking): void {
  const { root, path, level, problems } = looking;
  for (const { name, schema: member, isRequired } of schemaMembersOf(schema)) {
    const at = path === '' ? name : `${path}.${name}`;
    const isMissing = value[name] === undefined || (value[name] === '' && isText(member, root));
    if (isMissing && isRequired) problems.set(at, 'is needed');
    else look(member, value[name], { ...looking, path: at, level: level + 1 });
  }
}

function isText(schema: SchemaNode, root: SchemaNode): boolean {
  return fieldKindOf(followReferences(schema, root), root) === 'text';
}

function problemOf(schema: SchemaNode, value: unknown): string | null {
  if (typeof value === 'number') return problemOfNumber(schema, value);
  if (typeof value === 'string') return problemOfText(schema, value);
  if (!Array.isArray(value)) return null;
  const [least, most] = [limitOf(schema, 'minItems'), limitOf(schema, 'maxItems')];
  if (least !== null && value.length < least) return `needs at least ${least}`;
  return most !== null && value.length > most ? `has more than ${most}` : null;
}

function problemOfNumber(schema: SchemaNode, value: number): string | null {
  const [least, most] = [limitOf(schema, 'minimum'), limitOf(schema, 'maximum')];
  if (Number.isNaN(value)) return 'is no number';
  if (least !== null && value < least) return `is less than ${least.toLocaleString('en')}`;
  if (most !== null && value > most) return `is more than ${most.toLocaleString('en')}`;
  return schema['type'] === 'integer' && !Number.isInteger(value) ? 'is not whole' : null;
}

function problemOfText(schema: SchemaNode, value: string): string | null {
  const most = limitOf(schema, 'maxLength');
  if (most !== null && value.length > most) return `is longer than ${most.toLocaleString('en')} characters`;
  if (value === '') return null;
  const words = listAt(schema, 'enum');
  if (words.length > 0 && !words.includes(value)) return 'is not one of the words';
  return typeof schema['pattern'] === 'string' && !isMatched(schema['pattern'], value)
    ? 'does not have its form'
    : null;
}

function isMatched(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

function limitOf(schema: SchemaNode, name: string): number | null {
  const limit = schema[name];
  return typeof limit === 'number' ? limit : null;
}
