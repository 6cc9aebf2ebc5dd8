/** A JSON object. Only own members count; a member named `__proto__` is plain data. */
export type JsonObject = { readonly [name: string]: unknown };

/** Whether a JSON value is an object, not an array and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
