/** Elements whose end tag is required. */
const CLOSED_TAGS = ['script', 'style', 'head', 'div', 'main', 'section', 'article', 'ul', 'table', 'span', 'a'];
const SLOT_BY_TAG: ReadonlyMap<string, number> = new Map(CLOSED_TAGS.map((name, slot) => [name, slot]));
const MAX_NAME_LENGTH = 7;
const MAX_HEAD_LENGTH = 2000;
const MAX_TRAILERS = 100;
/** What may follow the end tag of a complete page. */
const TRAILERS = [
  ['<!--', '-->'],
  ['<script', '</script>'],
] as const;
const ROOT_END = /<\/html\s*>/gi;

/**
 * Whether a page ends in the middle, as after a lost connection: it does not end with the end tag of its root, and an
 * element with a required end tag is open. A page that only omits the end tags of its root and body is complete.
 */
export function isTruncatedPage(html: string): boolean {
  if (!/^\s*<[^>]{0,500}>/.test(html) || !/<html[\s>]/i.test(html.slice(0, MAX_HEAD_LENGTH))) return false;
  if (hasRootEnd(html)) return false;
  return html.lastIndexOf('<') > html.lastIndexOf('>') || hasOpenElement(html);
}

/** Whether only comments and scripts follow the last end tag of the root. Earlier ones may be in scripts or frames. */
function hasRootEnd(html: string): boolean {
  let at = 0;
  for (const end of html.matchAll(ROOT_END)) at = end.index + end[0].length;
  if (at === 0) return false;
  for (let trailers = 0; trailers < MAX_TRAILERS; trailers++) {
    const rest = html.slice(at, at + MAX_HEAD_LENGTH).trimStart();
    if (rest === '') return html.slice(at).trim() === '';
    const trailer = TRAILERS.find(([start]) => rest.startsWith(start));
    const closed = trailer === undefined ? -1 : html.indexOf(trailer[1], at);
    if (trailer === undefined || closed < 0) return false;
    at = closed + trailer[1].length;
  }
  return false;
}

/** Whether an element is opened more often than it is closed. Checked in one pass, because pages can have megabytes. */
function hasOpenElement(html: string): boolean {
  const open = new Int32Array(CLOSED_TAGS.length);
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const isEnd = html[at + 1] === '/';
    const start = at + (isEnd ? 2 : 1);
    let end = start;
    while (end - start <= MAX_NAME_LENGTH && isLetter(html.charCodeAt(end))) end++;
    const slot = end > start && isNameEnd(html.charCodeAt(end)) ? readSlot(html, start, end) : undefined;
    if (slot !== undefined) open[slot] = (open[slot] ?? 0) + (isEnd ? -1 : 1);
  }
  return open.some((count) => count > 0);
}

function readSlot(html: string, start: number, end: number): number | undefined {
  const name = html.slice(start, end);
  return SLOT_BY_TAG.get(name) ?? SLOT_BY_TAG.get(name.toLowerCase());
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

/** White space or `>`. */
function isNameEnd(code: number): boolean {
  return code === 62 || (code <= 32 && code >= 9);
}
