/** A compiled rule of a robots.txt. */
export type RobotsRule = {
  readonly allows: boolean;
  /** Length of the normalized pattern. The longer rule wins. */
  readonly strength: number;
  /** The text between wildcards: the path starts with the first piece and contains the others after it, in order. */
  readonly pieces: readonly string[];
  /** `$`: the last piece ends the path. */
  readonly anchored: boolean;
};

/**
 * The most characters compared for one URL. A robots.txt that needs more is considered hostile, and everything is
 * disallowed.
 */
const MAX_STEPS = 20_000_000;

/** Compiles a pattern of RFC 9309 (`*` any characters, `$` the end). Returns no rule for an empty pattern. */
export function compileRule(pattern: string, kind: 'allow' | 'disallow'): readonly RobotsRule[] {
  if (pattern === '') return [];
  const written = normalizeEscapes(pattern, UNSAFE);
  // A disallowed path is disallowed in every spelling; an allowed one only as it is written, like in Google's parser.
  const encoded = kind === 'allow' ? written : decodeUnreserved(written);
  const anchored = encoded.endsWith('$');
  const body = (anchored ? encoded.slice(0, -1) : encoded).replaceAll('$', '%24');
  const [first = '', ...later] = body.split('*');
  const last = later.pop();
  // An empty piece between two wildcards has no effect; at the end it matches any rest.
  const middle = later.filter((piece) => piece !== '');
  const pieces = last === undefined ? [first] : [first, ...middle, last];
  return [{ allows: kind === 'allow', strength: encoded.length, pieces, anchored }];
}

/**
 * Whether the rules allow a path with its query, serialized as in the URL standard. `parseRobots` sorts the longest
 * rule first, so the first match decides. /robots.txt itself is always allowed.
 */
export function isAllowed({ rules }: { readonly rules: readonly RobotsRule[] }, path: string): boolean {
  const written = path === '' ? '/' : escapeWildcards(normalizeEscapes(path, UNSAFE_ASCII));
  const asked = decodeUnreserved(written);
  if (asked === '/robots.txt') return true;
  let steps = 0;
  for (const rule of rules) {
    if (matchesRule(rule, asked) || (rule.allows && written !== asked && matchesRule(rule, written)))
      return rule.allows;
    if (rule.pieces.length > 1) steps += asked.length + rule.strength;
    if (steps > MAX_STEPS) return false;
  }
  return true;
}

/** Matches each piece at its leftmost position, so no backtracking is needed. */
function matchesRule({ pieces, anchored }: RobotsRule, path: string): boolean {
  const first = pieces[0] ?? '';
  if (!path.startsWith(first)) return false;
  const last = pieces.length - 1;
  if (last === 0) return !anchored || path.length === first.length;
  let at = first.length;
  for (let index = 1; index < last; index++) {
    const piece = pieces[index] ?? '';
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const end = pieces[last] ?? '';
  return anchored ? path.length - end.length >= at && path.endsWith(end) : path.includes(end, at);
}

/** Characters that are neither reserved nor unreserved (RFC 3986) and must be escaped. */
const UNSAFE = /[^!#-;=?-[\]_a-z~]+/gi;
const UNSAFE_ASCII = /["<>\\^`{|}]/g;

/** Escapes everything that must be escaped, and writes escapes in upper case. */
function normalizeEscapes(text: string, unsafe: RegExp): string {
  return text
    .toWellFormed()
    .replace(unsafe, (characters) => encodeURIComponent(characters))
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

/** Decodes escapes of unreserved characters (RFC 9309, 2.2.2). */
function decodeUnreserved(written: string): string {
  if (!written.includes('%')) return written;
  return written.replace(/%[0-9A-F]{2}/g, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : escape;
  });
}

/** Escapes `*` and `$` in a path, because they have a special meaning in patterns. */
function escapeWildcards(path: string): string {
  return /[*$]/.test(path) ? path.replaceAll('*', '%2A').replaceAll('$', '%24') : path;
}
