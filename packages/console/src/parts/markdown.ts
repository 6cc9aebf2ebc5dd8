import { html } from 'htm/preact';
import { marked, type MarkedToken, type Token } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ForeignLink } from './untrusted.ts';

/** Longer texts are drawn in portions of about this length. */
const PORTION_LENGTH = 60_000;
const MAX_LEVELS = 24;

type MarkdownProps = { readonly text: string };

/** Markdown of pages as elements of our own: its HTML is shown as text, its pictures as links, and nothing is loaded. */
export function Markdown({ text }: MarkdownProps): VNode {
  const [length, setLength] = useState(PORTION_LENGTH);
  const shown = useMemo(() => marked.lexer(cut(text, length)), [text, length]);
  return html`<div class="markdown" dir="auto">
    ${toNodes(shown, 0)}
    ${
      text.length > length
        ? html`<p>
            <button type="button" class="link" onClick=${() => setLength(length * 4)}>
              Show more of ${text.length.toLocaleString('en')} characters
            </button>
          </p>`
        : null
    }
  </div>`;
}

/** The beginning of a text, up to the end of a paragraph where there is one. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf('\n\n', length);
  return text.slice(0, end > length / 2 ? end : length);
}

function toNodes(tokens: readonly Token[] | undefined, level: number): ComponentChildren {
  if (tokens === undefined || level > MAX_LEVELS) return null;
  return tokens.map((token) => toNode(token, level));
}

const KINDS: ReadonlySet<string> = new Set(
  (
    'space def hr br html text escape checkbox heading paragraph blockquote strong ' +
    'em del codespan code link image list list_item table'
  ).split(' '),
);

function isKnown(token: Token): token is MarkedToken {
  return KINDS.has(token.type);
}

/** A kind of token that is not known here is shown as it was written. */
function toNode(token: Token, level: number): ComponentChildren {
  if (!isKnown(token)) return token.raw;
  const inner = (tokens: readonly Token[] | undefined): ComponentChildren => toNodes(tokens, level + 1);
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return html`<hr />`;
    case 'br':
      return html`<br />`;
    case 'html':
      return html`<code class="raw-markup">${token.raw}</code>`;
    case 'text':
      return token.tokens === undefined ? plain(token.text) : inner(token.tokens);
    case 'escape':
      return plain(token.text);
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'heading':
      return toHeading(token.depth, inner(token.tokens));
    case 'paragraph':
      return html`<p>${inner(token.tokens)}</p>`;
    case 'blockquote':
      return html`<blockquote>${inner(token.tokens)}</blockquote>`;
    case 'strong':
      return html`<strong>${inner(token.tokens)}</strong>`;
    case 'em':
      return html`<em>${inner(token.tokens)}</em>`;
    case 'del':
      return html`<del>${inner(token.tokens)}</del>`;
    case 'codespan':
      return html`<code>${plain(token.text)}</code>`;
    case 'code':
      return html`<pre tabIndex=${0}><code>${token.text}</code></pre>`;
    case 'link':
      return html`<${ForeignLink} url=${token.href} text=${wordsOf(token)} />`;
    case 'image':
      return html`<span class="picture-link"
        >▣ <${ForeignLink} url=${token.href} text=${wordsOf(token) || 'picture'}
      /></span>`;
    case 'list':
      return toListOf(token, level);
    case 'list_item':
      return inner(token.tokens);
    case 'table':
      return toTableOf(token, level);
    default:
      return null;
  }
}

/** What a link or picture says, without the marks of its Markdown. */
function wordsOf(token: { readonly text: string; readonly tokens?: readonly Token[] }): string {
  const tokens = token.tokens ?? [];
  if (tokens.length === 0) return plain(token.text);
  return tokens.map((one) => (isKnown(one) && 'text' in one ? wordsOf(one) : '')).join('');
}

function toListOf({ items, ordered, start }: Extract<MarkedToken, { type: 'list' }>, level: number): VNode {
  const lines = items.map((item) => html`<li>${toNodes(item.tokens, level + 1)}</li>`);
  return ordered
    ? html`<ol start=${start === '' ? 1 : start}>
        ${lines}
      </ol>`
    : html`<ul>
        ${lines}
      </ul>`;
}

/** One level deeper than written: the heading of the view is above. */
function toHeading(depth: number, children: ComponentChildren): VNode {
  const level = Math.min(depth + 1, 6);
  return html`<${`h${level}`} class=${`written-h${depth}`}>${children}<//>`;
}

function toTableOf({ header, rows }: Extract<MarkedToken, { type: 'table' }>, level: number): VNode {
  return html`<div class="scroll" role="region" aria-label="Table of the page" tabIndex=${0}>
    <table>
      <thead>
        <tr>
          ${header.map((cell) => html`<th scope="col">${toNodes(cell.tokens, level)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${toNodes(cell.tokens, level)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u{a0}',
};

/** The lexer leaves entities as they are written. */
function plain(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
