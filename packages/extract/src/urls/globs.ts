/** A compiled glob: codes of characters, and the two wildcards below zero. */
type Glob = { readonly codes: Int32Array; readonly prefix: string; readonly hasQuery: boolean };

const WITHIN_SEGMENT = -1;
const ACROSS_SEGMENTS = -2;
const SLASH = 47;
const QUESTION = 63;

/**
 * Compiles a glob on path and query: `*` stands for any characters of one path segment or query, `**` for any at all,
 * as `*` does at the start (`*.pdf`), every other character for itself, `?` for where the query starts. Letters of
 * other scripts match their escapes.
 */
export function compileGlob(pattern: string): Glob {
  const text = pattern.toWellFormed().replace(/[^\x21-\x7e]+/g, (characters) => encodeURIComponent(characters));
  const tokens = text.match(/\*+|[^*]/g) ?? [];
  const codes = Int32Array.from(tokens, (token, at) => {
    if (token.startsWith('*')) return token.length === 1 && at > 0 ? WITHIN_SEGMENT : ACROSS_SEGMENTS;
    return token.charCodeAt(0);
  });
  return { codes, prefix: text.split('*', 1)[0] ?? '', hasQuery: text.includes('?') };
}

/**
 * Whether a glob matches the whole of a path, and its query where the glob speaks of one. A slash at the end of the
 * path that the glob does not ask for is passed over.
 */
export function matchesGlob(glob: Glob, path: string, query: string): boolean {
  if (!path.startsWith(glob.hasQuery ? (glob.prefix.split('?', 1)[0] ?? '') : glob.prefix)) return false;
  const text = glob.hasQuery && query !== '' ? `${path}?${query}` : path;
  if (matchesToEnd(glob.codes, text)) return true;
  return !text.includes('?') && path.length > 1 && path.endsWith('/') && matchesToEnd(glob.codes, path.slice(0, -1));
}

/** Moves the set of places in the glob that the text read so far can have come to; linear in the text. */
function matchesToEnd(codes: Int32Array, text: string): boolean {
  let reached = new Uint8Array(codes.length + 1);
  let next = new Uint8Array(codes.length + 1);
  markReached(codes, reached, 0);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    next.fill(0);
    let any = false;
    for (let place = 0; place < codes.length; place++) {
      if (reached[place] === 0) continue;
      const wanted = codes[place];
      if (wanted === code) markReached(codes, next, place + 1);
      else if (wanted === ACROSS_SEGMENTS || (wanted === WITHIN_SEGMENT && code !== SLASH && code !== QUESTION))
        markReached(codes, next, place);
      else continue;
      any = true;
    }
    if (!any) return false;
    [reached, next] = [next, reached];
  }
  return reached[codes.length] === 1;
}

/** A wildcard may stand for nothing, so what follows it is reached with it. */
function markReached(codes: Int32Array, places: Uint8Array, from: number): void {
  let place = from;
  places[place] = 1;
  while ((codes[place] ?? 0) < 0) places[++place] = 1;
}
