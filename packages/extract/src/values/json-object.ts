/** An object of JSON: own members only, `__proto__` among them as plain data. */
export type JsonObject = { readonly [name: string]: unknown };

/** Whether a JSON value is an object, not an array and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
