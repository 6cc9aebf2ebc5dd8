/** Longer JSON is shown as it stands, deeper levels are not indented further: output stays linear in the input. */
const MAX_PRETTY = 500_000;
const MAX_INDENT = 16;

/**
 * JSON set out with one member a line. Works on the text alone: numbers, repeated keys and order stay as they are
 * written, whatever a JavaScript value could hold. Text that is laid out already, or very long, is left as it is.
 */
export function prettyJson(text: string): string {
  const source = text.replace(/^\uFEFF/, '').trim();
  if (source.length > MAX_PRETTY || source.includes('\n')) return source;
  const parts: string[] = [];
  let depth = 0;
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},:]|[^\s"[\]{},:]+/gs;
  for (const [piece] of source.matchAll(token)) {
    if (piece === '{' || piece === '[') parts.push(piece, lineAt(++depth));
    else if (piece === '}' || piece === ']') closeLevel(parts, piece, --depth);
    else if (piece === ',') parts.push(piece, lineAt(depth));
    else parts.push(piece === ':' ? ': ' : piece);
  }
  return parts.join('');
}

function lineAt(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, Math.min(depth, MAX_INDENT)))}`;
}

/** Nothing between the brackets stays on the line. */
function closeLevel(parts: string[], bracket: string, depth: number): void {
  const empty = parts.at(-1)?.startsWith('\n') && /^[[{]$/.test(parts.at(-2) ?? '');
  if (empty) parts.pop();
  else parts.push(lineAt(depth));
  parts.push(bracket);
}
