import { html } from 'htm/preact';
import { marked, type MarkedToken, type Token } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { UntrustedLink } from './untrusted.ts';

/** Longer texts are shown in parts of about this length. */
const CHUNK_LENGTH = 60_000;
const MAX_LEVELS = 24;

type MarkdownProps = { readonly text: string };

/** Renders Markdown of a page. Its HTML is shown as text and its images as links, so nothing is loaded. */
export function Markdown({ text }: MarkdownProps): VNode {
  const [length, setLength] = useState(CHUNK_LENGTH);
  const shown = useMemo(() => marked.lexer(cutAtParagraph(text, length)), [text, length]);
  return html`<div class="markdown" dir="auto">
    ${renderTokens(shown, 0)}
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

/** Returns the start of a text, up to the end of a paragraph if there is one. */
function cutAtParagraph(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf('\n\n', length);
  return text.slice(0, end > length / 2 ? end : length);
}

function renderTokens(tokens: readonly Token[] | undefined, level: number): ComponentChildren {
  if (tokens === undefined || level > MAX_LEVELS) return null;
  return tokens.map((token) => renderToken(token, level));
}

const TOKEN_TYPES: ReadonlySet<string> = new Set(
  (
    'space def hr br html text escape checkbox heading paragraph blockquote strong ' +
    'em del codespan code link image list list_item table'
  ).split(' '),
);

function isKnownToken(token: Token): token is MarkedToken {
  return TOKEN_TYPES.has(token.type);
}

/** Renders a token; an unknown kind of token is shown as its source. */
function renderToken(token: Token, level: number): ComponentChildren {
  if (!isKnownToken(token)) return token.raw;
  const inner = (tokens: readonly Token[] | undefined): ComponentChildren => renderTokens(tokens, level + 1);
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
      return token.tokens === undefined ? decodeEntities(token.text) : inner(token.tokens);
    case 'escape':
      return decodeEntities(token.text);
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'heading':
      return renderHeading(token.depth, inner(token.tokens));
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
      return html`<code>${decodeEntities(token.text)}</code>`;
    case 'code':
      return html`<pre tabIndex=${0}><code>${token.text}</code></pre>`;
    case 'link':
      return html`<${UntrustedLink} url=${token.href} text=${getPlainText(token)} />`;
    case 'image':
      return html`<span class="picture-link"
        >▣ <${UntrustedLink} url=${token.href} text=${getPlainText(token) || 'picture'}
      /></span>`;
    case 'list':
      return renderList(token, level);
    case 'list_item':
      return inner(token.tokens);
    case 'table':
      return renderTable(token, level);
    default:
      return null;
  }
}

/** Returns the text of a link or image without Markdown syntax. */
function getPlainText(token: { readonly text: string; readonly tokens?: readonly Token[] }): string {
  const tokens = token.tokens ?? [];
  if (tokens.length === 0) return decodeEntities(token.text);
  return tokens.map((one) => (isKnownToken(one) && 'text' in one ? getPlainText(one) : '')).join('');
}

function renderList({ items, ordered, start }: Extract<MarkedToken, { type: 'list' }>, level: number): VNode {
  const lines = items.map((item) => html`<li>${renderTokens(item.tokens, level + 1)}</li>`);
  return ordered
    ? html`<ol start=${start === '' ? 1 : start}>
        ${lines}
      </ol>`
    : html`<ul>
        ${lines}
      </ul>`;
}

/** Renders a heading one level deeper than in the source, since the view has its own heading above. */
function renderHeading(depth: number, children: ComponentChildren): VNode {
  const level = Math.min(depth + 1, 6);
  return html`<${`h${level}`} class=${`written-h${depth}`}>${children}<//>`;
}

function renderTable({ header, rows }: Extract<MarkedToken, { type: 'table' }>, level: number): VNode {
  return html`<div class="scroll" role="region" aria-label="Table of the page" tabIndex=${0}>
    <table>
      <thead>
        <tr>
          ${header.map((cell) => html`<th scope="col">${renderTokens(cell.tokens, level)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${renderTokens(cell.tokens, level)}</td>`)}
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

/** Decodes the entities that the lexer leaves in the text. */
function decodeEntities(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
