import { decodeHTMLStrict } from 'entities';
import { marked, type MarkedToken, type Token } from 'marked';
import { toWebUrl } from '#extract/values/web-urls.ts';
import type { ReadSource } from './passages.ts';

/** What an answer is rebuilt for: the pages that it may name and lead to. */
export type AnswerPages = readonly Pick<ReadSource, 'url' | 'text'>[];

/** Longer answers are cut, and deeper ones are text: both cost time that grows faster than they do. */
const MAX_CHARS = 10_000;
const MAX_DEPTH = 8;

/** A part of a line: `text` as it is to be seen, or `mark` as it is written. */
type MarkdownPiece = { readonly kind: 'text' | 'mark'; readonly value: string };

/** What a part is read for: the pages, and whether it stands within a link. */
type AnswerReading = { readonly pages: AnswerPages; readonly isInLink: boolean };

/**
 * Rebuilds the Markdown of a model that a page may have led: text, stress, lists, code, and links to the pages themselves.
 * Headings become stress and all else is text, so that nothing is loaded and nothing leads elsewhere. An address that no page
 * has is left out, and one that a page only speaks of is code.
 */
export function rebuildMarkdown(written: string, pages: AnswerPages): string {
  const tokens = marked.lexer(withoutDeepQuotes(written.slice(0, MAX_CHARS)));
  return toBlocks(tokens, { pages, isInLink: false }, 0).join('\n\n');
}

/** Rebuilds one line of a model as `rebuildMarkdown` does. */
export function rebuildLine(written: string, pages: AnswerPages): string {
  const tokens = marked.Lexer.lexInline(written);
  const reading = { pages, isInLink: false };
  return toLine(toPieces(tokens, reading, 0), reading)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Quotes and lists in one line are parsed one in another, as deep as they are written. */
function withoutDeepQuotes(written: string): string {
  return written.replaceAll(/^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){8,}/gm, '');
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

function toBlocks(tokens: readonly Token[], reading: AnswerReading, depth: number): readonly string[] {
  return tokens.flatMap((token) => toBlock(token, reading, depth)).filter((block) => block.trim() !== '');
}

function toBlock(token: Token, reading: AnswerReading, depth: number): readonly string[] {
  const line = (inner: readonly Token[]): string => toLine(toPieces(inner, reading, depth), reading).trim();
  if (!isKnown(token) || depth > MAX_DEPTH) return [toLine(toText(token.raw), reading)];
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

function toList({ items, ordered, start, loose }: ListToken, reading: AnswerReading, depth: number): string {
  const lines = items.map((item, at) => {
    const sign = ordered ? `${Number(start) + at}. ` : '- ';
    const blocks = toBlocks(item.tokens, reading, depth + 1);
    return `${sign}${blocks.join(loose ? '\n\n' : '\n').replaceAll(/\n(?=.)/g, `\n${' '.repeat(sign.length)}`)}`;
  });
  return lines.join(loose ? '\n\n' : '\n');
}

type ListToken = Extract<MarkedToken, { type: 'list' }>;

function toPieces(tokens: readonly Token[], reading: AnswerReading, depth: number): readonly MarkdownPiece[] {
  if (depth > MAX_DEPTH) return toText(tokens.map(({ raw }) => raw).join(''));
  return tokens.flatMap((token) => toPiece(token, reading, depth + 1));
}

function toPiece(token: Token, reading: AnswerReading, depth: number): readonly MarkdownPiece[] {
  if (!isKnown(token)) return toText(token.raw);
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
  reading: AnswerReading,
  depth: number,
): readonly MarkdownPiece[] {
  if (autolink === true) return toAddress(text, reading);
  const { pages, isInLink } = reading;
  const url = pageAt(href, pages) ?? pageAt(decodeHTMLStrict(href), pages);
  // A number that leads to its page is how some models cite it.
  if (/^\d{1,3}$/.test(text)) return toText(`[${text}]`);
  const within = { pages, isInLink: true };
  const label = toPieces(tokens, within, depth);
  const shown = toLine(label, within).trim();
  if (isInLink || url === null || shown === '') return label;
  const target = url.replaceAll(/[\\()]|&(?=#?\w+;)/g, '\\$&');
  return [{ kind: 'mark', value: `[${shown}](${target})` }];
}

type LinkToken = Extract<MarkedToken, { type: 'link' }>;

/** The address of a page as the page has it; null for an address of none of them. */
function pageAt(address: string, pages: AnswerPages): string | null {
  const url = toWebUrl(address, address);
  return pages.find((page) => page.url === address || page.url === url)?.url ?? null;
}

/** An address of a text: a link to a page, code where a page only speaks of it, nothing otherwise. */
function toAddress(address: string, { pages, isInLink }: AnswerReading): readonly MarkdownPiece[] {
  const url = pageAt(address, pages);
  if (url !== null && !isInLink) return [{ kind: 'mark', value: `<${url}>` }];
  const isSpokenOf = PLAIN.test(address) || pages.some((page) => page.url === url || page.text.includes(address));
  return isSpokenOf ? toCode(address, { pages }) : [{ kind: 'text', value: ' ' }];
}

function toText(value: string): readonly MarkdownPiece[] {
  return [{ kind: 'text', value }];
}

/** Code of one line. */
function toCode(text: string, { pages }: Pick<AnswerReading, 'pages'>): readonly MarkdownPiece[] {
  const code = withoutStrayMarkers(text.replaceAll(/\s+/g, ' '), pages).trim();
  if (code === '') return [];
  const sign = '`'.repeat(longestRun(code) + 1);
  const gap = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return [{ kind: 'mark', value: `${sign}${gap}${code}${gap}${sign}` }];
}

function toCodeBlock(text: string, { pages }: AnswerReading): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${withoutStrayMarkers(text, pages)}\n${fence}`;
}

function longestRun(code: string): number {
  return Math.max(0, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
}

/** A text without markers that name no page, also those that appear when others are taken out. */
function withoutStrayMarkers(text: string, pages: AnswerPages): string {
  const without = text.replaceAll(/ ?\[(\d{1,3})\]/g, (whole, digits: string) =>
    pages[Number(digits) - 1] === undefined ? '' : whole,
  );
  return without === text ? text : withoutStrayMarkers(without, pages);
}

/** What a reader of Markdown may make a link of: addresses with a scheme or without, and those of mail. */
const ADDRESS = new RegExp(
  [
    String.raw`(?:(?<![a-z0-9])[a-z][a-z0-9+.-]{0,20}:/+|//|(?<![a-z0-9])www\.)[^\s<>()[\]"'\`]*`,
    String.raw`(?:(?<![a-z0-9])(?:mailto|xmpp):)?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+`,
    String.raw`\b(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}[/?#:][^\s<>()[\]"'\`]*`,
  ].join('|'),
  'gi',
);
/** One that begins with the name of a host, as `node.js/npm`, which a sentence may hold. */
const PLAIN = /^(?!www\.)[a-z0-9-]+\.[^@]*$/i;

/** Pieces as one text of Markdown; neighbours are read together, since an address may come in parts. */
function toLine(pieces: readonly MarkdownPiece[], reading: AnswerReading): string {
  const parts: string[] = [];
  let text = '';
  for (const { kind, value } of [...pieces, END]) {
    if (kind === 'text') text += value;
    else {
      parts.push(guarded(withoutStrayMarkers(text, reading.pages), reading), value);
      text = '';
    }
  }
  // What begins a heading, a quote, a list, a rule or a definition begins a line.
  return parts
    .join('')
    .replaceAll(/^[ \t]+/gm, '')
    .replaceAll(/^(?=[#>+=-])/gm, '\\')
    .replaceAll(/^(\d{1,9})(?=[.)])|^(\[\d{1,3}\])(?=:)/gm, '$1$2\\');
}

const END: MarkdownPiece = { kind: 'mark', value: '' };

/** A text whose addresses lead to pages only, and whose signs are no marks. */
function guarded(text: string, reading: AnswerReading): string {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(/[.,;:!?*_~]+$/, '');
    parts.push(escaped(text.slice(at, index)), ...toAddress(address, reading).map(({ value }) => value));
    at = index + address.length;
  }
  parts.push(escaped(text.slice(at)));
  return parts.join('').replaceAll(/ {2,}/g, ' ');
}

const SIGNS = /\[\d{1,3}\]\(?|[\\`*[\]~]|!(?=\[|$)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|</gu;

/** A text as it is to be seen; markers of pages stay. */
function escaped(text: string): string {
  return text.replaceAll(SIGNS, (sign) => {
    if (sign === '<') return '&lt;';
    if (sign === '&') return '&amp;';
    if (sign.length === 1) return `\\${sign}`;
    return sign.endsWith('(') ? `${sign.slice(0, -1)}\\(` : sign;
  });
}
