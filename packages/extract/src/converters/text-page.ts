import { escapeHtmlAttribute, escapeHtmlText, replaceCharacter, toLineFeeds } from '#extract/values/portions.ts';
import { parseJsonValue } from '#extract/values/json.ts';

/** A body converted to an HTML page. */
export type ConvertedPage = {
  readonly html: string;
  /** A sentence about the part that was too large to convert; null if it is complete. */
  readonly cut: string | null;
};

/** A line whose layout is significant: code, logs, configuration, text tables. */
const PREFORMATTED_LINE = /^[ \t]{2,}\S|^[[{<#$%;]|^\/\/|^[\w.-]+[=:]\s*\S+$|[{};]$|^[|+]-{2,}|\t/;
const MAX_SAMPLED_LINES = 500;

/** Converts plain text to an HTML page: prose as paragraphs, text with significant line breaks as preformatted text. */
export function textToHtml(text: string): string {
  const sample = text.slice(0, 50_000).split('\n').slice(0, MAX_SAMPLED_LINES);
  const lines = sample.map((line) => line.slice(0, 200).trimEnd()).filter((line) => line !== '');
  const laidOut = lines.filter((line) => PREFORMATTED_LINE.test(line)).length;
  if (laidOut * 5 > lines.length) return codeToHtml(text, '');
  const paragraphs = toLineFeeds(text).split(/\n[ \t]*\n/);
  return paragraphs.map((paragraph) => `<p>${replaceCharacter(escapeHtmlText(paragraph), '\n', '<br>')}</p>`).join('');
}

/** Converts code to an HTML page. */
export function codeToHtml(code: string, language: string): string {
  const name = language === '' ? '' : ` class="language-${escapeHtmlAttribute(language)}"`;
  return `<pre><code${name}>${escapeHtmlText(code)}</code></pre>`;
}

/** Longer JSON is not formatted, and `MAX_INDENT` limits the indentation, so that the output stays linear in the input. */
const MAX_PRETTY_LENGTH = 500_000;
const MAX_INDENT = 16;

/**
 * Formats JSON with one member per line. Works on the text, so that numbers, duplicate keys and order stay as written.
 * Text that already has line breaks, is very long, or is not JSON is returned unchanged.
 */
export function formatJson(text: string): string {
  const source = text.replace(/^\uFEFF/, '').trim();
  if (source.length > MAX_PRETTY_LENGTH || source.includes('\n') || parseJsonValue(source) === undefined) return source;
  const parts: string[] = [];
  let depth = 0;
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},:]|[^\s"[\]{},:]+/gs;
  for (const [piece] of source.matchAll(token)) {
    if (piece === '{' || piece === '[') parts.push(piece, formatLineStart(++depth));
    else if (piece === '}' || piece === ']') closeLevel(parts, piece, --depth);
    else if (piece === ',') parts.push(piece, formatLineStart(depth));
    else parts.push(piece === ':' ? ': ' : piece);
  }
  return parts.join('');
}

function formatLineStart(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, Math.min(depth, MAX_INDENT)))}`;
}

/** Empty brackets stay on one line. */
function closeLevel(parts: string[], bracket: string, depth: number): void {
  const empty = parts.at(-1)?.startsWith('\n') && /^[[{]$/.test(parts.at(-2) ?? '');
  if (empty) parts.pop();
  else parts.push(formatLineStart(depth));
  parts.push(bracket);
}
