/** Deeper than any schema that is accepted, and no danger to whoever walks it. */
const DEEPEST = 64;

/** Whether a JSON value is an object, not an array and not null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object in an answer, with or without a fence or words around it; null when there is none. */
export function readJsonAnswer(text: string): Readonly<Record<string, unknown>> | null {
  const value = parse(text) ?? parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return isJsonObject(value) && isShallow(value) ? value : null;
}

function parse(text: string): unknown {
  try {
    // NUL shows nothing, and stores refuse it.
    return JSON.parse(text, (_name, value: unknown) =>
      typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value,
    );
  } catch {
    return null;
  }
}

function isShallow(root: unknown): boolean {
  let level: readonly unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return false;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return true;
}
