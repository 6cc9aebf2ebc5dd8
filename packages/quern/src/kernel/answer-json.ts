import { JsonBytes } from '#extract/json/size.ts';

/** Maximum size of one response body as JSON in UTF-8. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Serializes a response body: one string, or UTF-8 pieces if a field is already serialized (`JsonBytes`). */
export function stringifyAnswer(body: object): string | readonly Uint8Array[] {
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  if (!members.some(([, value]) => value instanceof JsonBytes)) return JSON.stringify(body);
  const pieces: Uint8Array[] = [];
  let text = '{';
  for (const [at, [name, value]] of members.entries()) {
    text += `${at === 0 ? '' : ','}${JSON.stringify(name)}:`;
    if (!(value instanceof JsonBytes)) text += JSON.stringify(value);
    else {
      pieces.push(Buffer.from(text), value.bytes);
      text = '';
    }
  }
  pieces.push(Buffer.from(`${text}}`));
  return pieces;
}
