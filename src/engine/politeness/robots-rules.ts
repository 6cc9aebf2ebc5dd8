/** A compiled rule of a robots.txt. */
export type RobotsRule = {
  readonly allows: boolean;
  /** Characters of the pattern as it was written, percent-encoded: the longer rule is the stronger one. */
  readonly strength: number;
  /** The text between the wildcards: the path starts with the first piece and has the others after it, in order. */
  readonly pieces: readonly string[];
  /** `$`: the last piece ends the path. */
  readonly anchored: boolean;
};

/** Characters that one decision may compare; a robots.txt beyond that is hostile, and its site is not visited. */
const MOST_STEPS = 20_000_000;

/** The rule of a pattern of RFC 9309 (`*` any characters, `$` at the end); none for an empty pattern. */
export function compileRule(pattern: string, kind: 'allow' | 'disallow'): readonly RobotsRule[] {
  if (pattern === '') return [];
  const encoded = toEncoded(pattern);
  const anchored = encoded.endsWith('$');
  const [first = '', ...later] = (anchored ? encoded.slice(0, -1) : encoded).split('*');
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
  const asked = path === '' ? '/' : upperEscapes(path);
  if (asked === '/robots.txt') return true;
  let steps = 0;
  for (const rule of rules) {
    if (matches(rule, asked)) return rule.allows;
    if (rule.pieces.length > 1) steps += asked.length + rule.strength;
    if (steps > MOST_STEPS) return false;
  }
  return true;
}

/** The leftmost place for each piece leaves the most room for those after it, so nothing has to be tried twice. */
function matches({ pieces, anchored }: RobotsRule, path: string): boolean {
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

/** Characters that the URL standard writes as escapes in any path. */
const NOT_PLAIN = /[^\x21\x23-\x3b\x3d\x3f-\x7e]+/g;

function toEncoded(pattern: string): string {
  return upperEscapes(pattern.toWellFormed().replace(NOT_PLAIN, (characters) => encodeURIComponent(characters)));
}

function upperEscapes(path: string): string {
  return path.includes('%') ? path.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase()) : path;
}
