/** A compiled rule of a robots.txt. */
export type RobotsRule = {
  readonly allows: boolean;
  /** Characters of the pattern in its one spelling: the longer rule is the stronger one. */
  readonly strength: number;
  /** The text between the wildcards: the path starts with the first piece and has the others after it, in order. */
  readonly pieces: readonly string[];
  /** `$`: the last piece ends the path. */
  readonly anchored: boolean;
};

/** Characters that one decision may compare; a robots.txt beyond that is hostile, and its site is not visited. */
const MAX_STEPS = 20_000_000;

/** The rule of a pattern of RFC 9309 (`*` any characters, `$` at the end); none for an empty pattern. */
export function compileRule(pattern: string, kind: 'allow' | 'disallow'): readonly RobotsRule[] {
  if (pattern === '') return [];
  const written = normalizeEscapes(pattern, UNSAFE);
  // What is forbidden is so in every spelling. What is allowed is so as it is written, as Google's parser has it.
  const encoded = kind === 'allow' ? written : decodeUnreserved(written);
  const anchored = encoded.endsWith('$');
  const body = (anchored ? encoded.slice(0, -1) : encoded).replaceAll('$', '%24');
  const [first = '', ...later] = body.split('*');
  const last = later.pop();
  // An empty piece between two wildcards has no effect; at the end it allows any rest.
  const middle = later.filter((piece) => piece !== '');
  const pieces = last === undefined ? [first] : [first, ...middle, last];
  return [{ allows: kind === 'allow', strength: encoded.length, pieces, anchored }];
}

/**
 * Whether the rules allow a path with its query, written as the URL standard serialises it. They come with the
 * strongest first (`parseRobots`), so the first that matches decides; robots.txt itself is always allowed.
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

/** The leftmost place for each piece leaves the most room for those after it, so nothing has to be tried twice. */
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

/** Characters beside the reserved and the unreserved ones (RFC 3986): they are written as escapes. */
const UNSAFE = /[^!#-;=?-[\]_a-z~]+/gi;
const UNSAFE_ASCII = /["<>\\^`{|}]/g;

/** A text in which all is an escape that has to be one, escapes in upper case. */
function normalizeEscapes(text: string, unsafe: RegExp): string {
  return text
    .toWellFormed()
    .replace(unsafe, (characters) => encodeURIComponent(characters))
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

/** The same without escapes of unreserved characters (RFC 9309, 2.2.2). */
function decodeUnreserved(written: string): string {
  if (!written.includes('%')) return written;
  return written.replace(/%[0-9A-F]{2}/g, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : escape;
  });
}

/** The path with the characters that a pattern gives another meaning as escapes, by which a pattern names them. */
function escapeWildcards(path: string): string {
  return /[*$]/.test(path) ? path.replaceAll('*', '%2A').replaceAll('$', '%24') : path;
}
