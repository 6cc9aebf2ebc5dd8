import { InvariantError } from '#extract/invariant-error.ts';
import { z } from 'zod';
import { isJsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildReader, namedFrom, Unread } from './validation.ts';

/** Other names by member. */
export type Aliases<N extends string = string> = Readonly<Partial<Record<N, readonly string[]>>>;

/** The schema that shows `members` and their other names, and the reader of an input by `schema` that takes each of them. */
export function aliasReader<I extends z.ZodType>(
  schema: I,
  members: Readonly<Record<string, z.core.$ZodType>>,
  aliases: Aliases,
) {
  const shown = z.strictObject({ ...members, ...describeAliases(members, aliases) });
  const readOwn = buildReader(schema, shown);
  function read(sent: unknown, at: readonly string[] = []): ReturnType<typeof readOwn> {
    return readOwn(sent instanceof Unread ? sent : namedFrom(at, () => mergeAliases(sent, aliases)), at);
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
    for (const other of others) described[other] = withoutDefault(member).optional().describe(`Alias of ${name}`);
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

function withoutDefault(member: z.ZodType): z.ZodType {
  return member instanceof z.ZodDefault && member.def.innerType instanceof z.ZodType ? member.def.innerType : member;
}
