import { InvariantError } from '#extract/invariant-error.ts';
import { z } from 'zod';
import { JsonBytes } from '#extract/json/json-bytes.ts';

/**
 * Checks a body against its declaration and leaves out what that does not have; throws where they differ. Serialized members
 * come from a reader, which has the right types.
 */
export function checkBody(output: z.ZodType, body: unknown): Readonly<Record<string, unknown>> {
  const members = Object.entries(toMembers(body));
  const serialized = members.filter(([, value]) => value instanceof JsonBytes);
  if (serialized.length === 0) return toMembers(output.parse(body));
  const plain = Object.fromEntries(members.filter(([, value]) => !(value instanceof JsonBytes)));
  return { ...toMembers(output.parse(plain)), ...Object.fromEntries(serialized) };
}

/** Whether an output allows only its own members. */
export function isStrict(output: z.ZodType): boolean {
  return output instanceof z.ZodObject && output.def.catchall instanceof z.ZodNever;
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new InvariantError('an operation answers an object');
  return { ...value };
}
