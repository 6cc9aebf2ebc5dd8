/** Elements whose end tag no page may leave out. */
const CLOSED = ['script', 'style', 'head', 'div', 'main', 'section', 'article', 'ul', 'table', 'span', 'a'] as const;
const MAX_HEAD = 2000;
const MAX_TRAILERS = 100;
/** What a whole page may have after its end tag. */
const TRAILERS = [
  ['<!--', '-->'],
  ['<script', '</script>'],
] as const;
const ROOT_END = /<\/html\s*>/gi;

/**
 * Whether a page ends in the middle, as after a lost connection: the end tag of its root is not the end, and elements
 * that only an end tag closes are open. A page that only leaves out the end tags of its root and body is whole.
 */
export function isCutShort(html: string): boolean {
  if (!/^\s*<[^>]{0,500}>/.test(html) || !/<html[\s>]/i.test(html.slice(0, MAX_HEAD))) return false;
  if (endsWithRoot(html)) return false;
  return html.lastIndexOf('<') > html.lastIndexOf('>') || CLOSED.some((name) => isOpen(html, name));
}

/** Whether only comments and scripts follow the last end tag of the root; others may be in scripts or in frames. */
function endsWithRoot(html: string): boolean {
  let at = 0;
  for (const end of html.matchAll(ROOT_END)) at = end.index + end[0].length;
  if (at === 0) return false;
  for (let trailers = 0; trailers < MAX_TRAILERS; trailers++) {
    const rest = html.slice(at, at + MAX_HEAD).trimStart();
    if (rest === '') return html.slice(at).trim() === '';
    const trailer = TRAILERS.find(([start]) => rest.startsWith(start));
    const closed = trailer === undefined ? -1 : html.indexOf(trailer[1], at);
    if (trailer === undefined || closed < 0) return false;
    at = closed + trailer[1].length;
  }
  return false;
}

function isOpen(html: string, name: string): boolean {
  const opened = html.match(new RegExp(`<${name}(?=[\\s>])`, 'gi'))?.length ?? 0;
  return opened > (html.match(new RegExp(`</${name}\\s*>`, 'gi'))?.length ?? 0);
}
