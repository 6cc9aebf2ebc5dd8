/** A `token68` of RFC 9110, the form of every API key. */
const KEY = /^[A-Za-z0-9._~+/-]{1,512}=*$/;

/** The bearer of a request by RFC 6750: whether there is one, and the key, null where it cannot be one. */
export function readBearer(rawHeaders: readonly string[]): { readonly present: boolean; readonly key: string | null } {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization');
  if (values.length > 1) return { present: true, key: null };
  const [scheme, key] = splitOnce((values[0] ?? '').trim());
  if (scheme.toLowerCase() !== 'bearer' || key === '') return { present: false, key: null };
  return { present: true, key: KEY.test(key) ? key : null };
}

function splitOnce(text: string): readonly [string, string] {
  const space = text.indexOf(' ');
  return space === -1 ? [text, ''] : [text.slice(0, space), text.slice(space).trimStart()];
}
