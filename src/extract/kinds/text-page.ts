import { toHtmlAttribute, toHtmlText } from '#extract/values/html-text.ts';
import { replaceEach, toLineFeeds } from '#extract/values/portions.ts';

/** A line whose layout means something: code, logs, configuration, tables drawn with characters. */
const LAID_OUT = /^[ \t]{2,}\S|^[[{<#$%;]|^\/\/|^[\w.-]+[=:]\s*\S+$|[{};]$|^[|+]-{2,}|\t/;
const SAMPLED_LINES = 500;

/** Plain text as an HTML page: prose as paragraphs, anything whose lines matter as preformatted text. */
export function textToHtml(text: string): string {
  const sample = text.slice(0, 50_000).split('\n').slice(0, SAMPLED_LINES);
  const lines = sample.map((line) => line.slice(0, 200).trimEnd()).filter((line) => line !== '');
  const laidOut = lines.filter((line) => LAID_OUT.test(line)).length;
  if (laidOut * 5 > lines.length) return codeToHtml(text, '');
  const paragraphs = toLineFeeds(text).split(/\n[ \t]*\n/);
  return paragraphs.map((paragraph) => `<p>${replaceEach(toHtmlText(paragraph), '\n', '<br>')}</p>`).join('');
}

/** Code as an HTML page. */
export function codeToHtml(code: string, language: string): string {
  const name = language === '' ? '' : ` class="language-${toHtmlAttribute(language)}"`;
  return `<pre><code${name}>${toHtmlText(code)}</code></pre>`;
}
