import { decodeHTMLStrict } from 'entities';
import { marked, type MarkedToken, type Token } from 'marked';
import { toWebUrl } from '#extract/values/web-urls.ts';
import type { SourcePage } from './read-sources.ts';

/** The pages that an answer may cite and link to. */
export type CitablePages = readonly Pick<SourcePage, 'url' | 'text'>[];

/** Longer answers are truncated and deeper nesting becomes plain text, because both take superlinear time. */
const MAX_CHARS = 10_000;
const MAX_DEPTH = 8;

/** A part of a line: `text` must be escaped, `mark` is finished Markdown. */
type MarkdownPiece = { readonly kind: 'text' | 'mark'; readonly value: string };

/** The citable pages, and whether the token is inside a link. */
type RenderContext = { readonly pages: CitablePages; readonly isInLink: boolean };

/**
 * Sanitizes the Markdown of a model that a page may have manipulated. Text, emphasis, lists, code and links to the pages remain;
 * headings become bold; all else becomes text, so that nothing is loaded and no link leads elsewhere. A URL that occurs in the
 * text of a page becomes code; other URLs are removed.
 */
export function sanitizeMarkdown(written: string, pages: CitablePages): string {
  const tokens = marked.lexer(removeDeepQuotes(written.slice(0, MAX_CHARS)));
  return toBlocks(tokens, { pages, isInLink: false }, 0).join('\n\n');
}

/** Sanitizes a single line like `sanitizeMarkdown`. */
export function sanitizeLine(written: string, pages: CitablePages): string {
  const tokens = marked.Lexer.lexInline(written);
  const reading = { pages, isInLink: false };
  return toLine(toPieces(tokens, reading, 0), reading)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Removes long runs of quote and list markers, which the parser would nest once per marker. */
function removeDeepQuotes(written: string): string {
  return written.replaceAll(/^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){8,}/gm, '');
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

function toBlocks(tokens: readonly Token[], reading: RenderContext, depth: number): readonly string[] {
  return tokens.flatMap((token) => toBlock(token, reading, depth)).filter((block) => block.trim() !== '');
}

function toBlock(token: Token, reading: RenderContext, depth: number): readonly string[] {
  const line = (inner: readonly Token[]): string => toLine(toPieces(inner, reading, depth), reading).trim();
  if (!isKnownToken(token) || depth > MAX_DEPTH) return [toLine(toText(token.raw), reading)];
  switch (token.type) {
    case 'space':
    case 'def':
    case 'hr':
      return [];
    case 'heading': {
      const title = line(token.tokens);
      return title === '' || title.includes('**') ? [title] : [`**${title}**`];
    }
    case 'code':
      return [toCodeBlock(token.text, reading)];
    case 'list':
      return [toList(token, reading, depth)];
    case 'blockquote':
      return toBlocks(token.tokens, reading, depth + 1);
    case 'table':
      return [[token.header, ...token.rows].map((row) => row.map((cell) => line(cell.tokens)).join(', ')).join('\n')];
    case 'paragraph':
      return [line(token.tokens)];
    default:
      return [line([token])];
  }
}

function toList({ items, ordered, start, loose }: ListToken, reading: RenderContext, depth: number): string {
  const lines = items.map((item, at) => {
    const sign = ordered ? `${Number(start) + at}. ` : '- ';
    const blocks = toBlocks(item.tokens, reading, depth + 1);
    return `${sign}${blocks.join(loose ? '\n\n' : '\n').replaceAll(/\n(?=.)/g, `\n${' '.repeat(sign.length)}`)}`;
  });
  return lines.join(loose ? '\n\n' : '\n');
}

type ListToken = Extract<MarkedToken, { type: 'list' }>;

function toPieces(tokens: readonly Token[], reading: RenderContext, depth: number): readonly MarkdownPiece[] {
  if (depth > MAX_DEPTH) return toText(tokens.map(({ raw }) => raw).join(''));
  return tokens.flatMap((token) => toPiece(token, reading, depth + 1));
}

function toPiece(token: Token, reading: RenderContext, depth: number): readonly MarkdownPiece[] {
  if (!isKnownToken(token)) return toText(token.raw);
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? toText(decodeHTMLStrict(token.raw)) : toPieces(token.tokens, reading, depth);
    case 'escape':
      return toText(token.text);
    case 'br':
      return toText('\n');
    case 'checkbox':
      return toText(token.checked ? '☑ ' : '☐ ');
    case 'codespan':
      return toCode(token.text, reading);
    case 'strong':
    case 'em': {
      const sign = token.type === 'em' ? '*' : '**';
      const inner = toLine(toPieces(token.tokens, reading, depth), reading).trim();
      return inner === '' ? [] : [{ kind: 'mark', value: `${sign}${inner}${sign}` }];
    }
    case 'del':
      return toPieces(token.tokens, reading, depth);
    case 'link':
      return toLink(token, reading, depth);
    case 'image':
      return toPieces(token.tokens, { ...reading, isInLink: true }, depth);
    default:
      return toText(token.raw);
  }
}

function toLink(
  { href, text, tokens, autolink }: LinkToken,
  reading: RenderContext,
  depth: number,
): readonly MarkdownPiece[] {
  if (autolink === true) return toUrlPieces(text, reading);
  const { pages, isInLink } = reading;
  const url = findPageUrl(href, pages) ?? findPageUrl(decodeHTMLStrict(href), pages);
  // Some models cite a page as a link with a number as its text.
  if (/^\d{1,3}$/.test(text)) return toText(`[${text}]`);
  const within = { pages, isInLink: true };
  const label = toPieces(tokens, within, depth);
  const shown = toLine(label, within).trim();
  if (isInLink || url === null || shown === '') return label;
  const target = url.replaceAll(/[\\()]|&(?=#?\w+;)/g, '\\$&');
  return [{ kind: 'mark', value: `[${shown}](${target})` }];
}

type LinkToken = Extract<MarkedToken, { type: 'link' }>;

/** The URL of the citable page at an address; null if there is none. */
function findPageUrl(address: string, pages: CitablePages): string | null {
  const url = toWebUrl(address, address);
  return pages.find((page) => page.url === address || page.url === url)?.url ?? null;
}

/** Renders an address in text: a link if it is a citable page, code if a page mentions it, otherwise nothing. */
function toUrlPieces(address: string, { pages, isInLink }: RenderContext): readonly MarkdownPiece[] {
  const url = findPageUrl(address, pages);
  if (url !== null && !isInLink) return [{ kind: 'mark', value: `<${url}>` }];
  const isMentioned =
    HOST_LIKE_NAME.test(address) || pages.some((page) => page.url === url || page.text.includes(address));
  return isMentioned ? toCode(address, { pages }) : [{ kind: 'text', value: ' ' }];
}

function toText(value: string): readonly MarkdownPiece[] {
  return [{ kind: 'text', value }];
}

/** Inline code. */
function toCode(text: string, { pages }: Pick<RenderContext, 'pages'>): readonly MarkdownPiece[] {
  const code = removeStrayMarkers(text.replaceAll(/\s+/g, ' '), pages).trim();
  if (code === '') return [];
  const sign = '`'.repeat(measureLongestRun(code) + 1);
  const gap = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return [{ kind: 'mark', value: `${sign}${gap}${code}${gap}${sign}` }];
}

function toCodeBlock(text: string, { pages }: RenderContext): string {
  const fence = '`'.repeat(Math.max(3, measureLongestRun(text) + 1));
  return `${fence}\n${removeStrayMarkers(text, pages)}\n${fence}`;
}

function measureLongestRun(code: string): number {
  return Math.max(0, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
}

/** Removes markers without a page, repeatedly, because a removal can join characters to a new marker. */
function removeStrayMarkers(text: string, pages: CitablePages): string {
  const without = text.replaceAll(/ ?\[(\d{1,3})\]/g, (whole, digits: string) =>
    pages[Number(digits) - 1] === undefined ? '' : whole,
  );
  return without === text ? text : removeStrayMarkers(without, pages);
}

/** What Markdown renderers may turn into a link: addresses with or without a scheme, and e-mail addresses. */
const ADDRESS_PATTERN = new RegExp(
  [
    String.raw`(?:(?<![a-z0-9])[a-z][a-z0-9+.-]{0,20}:/+|//|(?<![a-z0-9])www\.)[^\s<>()[\]"'\`]*`,
    String.raw`(?:(?<![a-z0-9])(?:mailto|xmpp):)?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+`,
    String.raw`\b(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}[/?#:][^\s<>()[\]"'\`]*`,
  ].join('|'),
  'gi',
);
/** An address without a scheme that may be ordinary text, such as `node.js/npm`. */
const HOST_LIKE_NAME = /^(?!www\.)[a-z0-9-]+\.[^@]*$/i;

/** Joins pieces to Markdown. Adjacent text is handled together, because an address may span several pieces. */
function toLine(pieces: readonly MarkdownPiece[], reading: RenderContext): string {
  const parts: string[] = [];
  let text = '';
  for (const { kind, value } of [...pieces, END]) {
    if (kind === 'text') text += value;
    else {
      parts.push(renderText(removeStrayMarkers(text, reading.pages), reading), value);
      text = '';
    }
  }
  // Escape what would start a heading, quote, list, rule or definition at the beginning of a line.
  return parts
    .join('')
    .replaceAll(/^[ \t]+/gm, '')
    .replaceAll(/^(?=[#>+=-])/gm, '\\')
    .replaceAll(/^(\d{1,9})(?=[.)])|^(\[\d{1,3}\])(?=:)/gm, '$1$2\\');
}

const END: MarkdownPiece = { kind: 'mark', value: '' };

/** Escapes text and renders the addresses in it. */
function renderText(text: string, reading: RenderContext): string {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS_PATTERN)) {
    const address = found.replace(/[.,;:!?*_~]+$/, '');
    parts.push(escapeMarkdown(text.slice(at, index)), ...toUrlPieces(address, reading).map(({ value }) => value));
    at = index + address.length;
  }
  parts.push(escapeMarkdown(text.slice(at)));
  return parts.join('').replaceAll(/ {2,}/g, ' ');
}

const SIGNS = /\[\d{1,3}\]\(?|[\\`*[\]~]|!(?=\[|$)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|</gu;

/** Escapes Markdown characters; citation markers remain. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(SIGNS, (sign) => {
    if (sign === '<') return '&lt;';
    if (sign === '&') return '&amp;';
    if (sign.length === 1) return `\\${sign}`;
    return sign.endsWith('(') ? `${sign.slice(0, -1)}\\(` : sign;
  });
}
