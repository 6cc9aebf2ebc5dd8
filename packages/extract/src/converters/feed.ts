import { parseUrl } from '#extract/values/parse-url.ts';
import { decodeHTML, decodeXML, escapeAttribute, escapeText } from 'entities';
import type { ConvertedPage } from './text-page.ts';
import { parseXml, type XmlElement } from './xml.ts';

const MAX_ITEMS = 2000;

/**
 * Converts an RSS, RDF or Atom feed to an HTML page: its title and description, then each item as an article with
 * linked title, author, date and content. Null if the source is not a feed.
 */
export function feedToHtml(source: string): ConvertedPage | null {
  const root = parseXml(source);
  if (root === null || !/^(?:rss|rdf|feed)$/.test(root.name)) return null;
  const channel = root.name === 'feed' ? root : (findChild(root, 'channel') ?? root);
  const items = root.name === 'feed' ? listChildren(root, 'entry') : listItems(root, channel);
  const title = readTitle(channel);
  const base = findBase(root, channel);
  const parts = [
    '<!doctype html><html',
    formatLangAttribute(root, channel),
    '><head>',
    base === '' ? '' : `<base href="${escapeAttribute(base)}">`,
    '<title>',
    escapeText(title),
    '</title>',
  ];
  const about = readChildText(channel, 'description') || readChildText(channel, 'subtitle');
  if (about !== '') parts.push(`<meta name="description" content="${escapeAttribute(about)}">`);
  parts.push('</head><body><main>');
  if (title !== '') parts.push('<h1>', escapeText(title), '</h1>');
  if (about !== '') parts.push('<p>', escapeText(about), '</p>');
  for (const item of items.slice(0, MAX_ITEMS)) renderItem(item, base, parts);
  parts.push('</main></body></html>');
  const cut = items.length > MAX_ITEMS ? `the feed has ${items.length} items, of which ${MAX_ITEMS} were read` : null;
  return { html: parts.join(''), cut };
}

/** Inline elements that a title may contain; any other name in angle brackets is part of its text. */
const TITLE_MARKUP =
  /<\/?(?:a|abbr|b|br|cite|code|div|em|i|mark|p|q|s|small|span|strong|sub|sup|tt|u|wbr)(?:\s[^<>]{0,500})?\/?>/gi;

/** A title as feed readers show it: without markup, and decoded once more if it is declared as HTML. */
function readTitle(element: XmlElement): string {
  const found = findChild(element, 'title');
  if (found === undefined) return '';
  const text = found.text.trim();
  const type = found.attributes.get('type') ?? (element.name === 'item' || element.name === 'channel' ? 'rss' : 'text');
  if (type === 'text') return text;
  return decodeHTML(text.replace(TITLE_MARKUP, '')).trim();
}

function listItems(root: XmlElement, channel: XmlElement): readonly XmlElement[] {
  const inside = listChildren(channel, 'item');
  return inside.length > 0 ? inside : listChildren(root, 'item');
}

/** The base URL that the feed declares (XML Base); `''` if none. */
function findBase(root: XmlElement, channel: XmlElement): string {
  return channel.attributes.get('base') ?? root.attributes.get('base') ?? '';
}

function formatLangAttribute(root: XmlElement, channel: XmlElement): string {
  const language = readChildText(channel, 'language') || (root.attributes.get('lang') ?? '');
  return language === '' ? '' : ` lang="${escapeAttribute(language)}"`;
}

function renderItem(item: XmlElement, feedBase: string, parts: string[]): void {
  const title = readTitle(item) || 'Untitled';
  const base = item.attributes.has('base') ? resolveBase(item, feedBase) : '';
  const link = findLink(item);
  const url = link === '' || base === '' ? link : (parseUrl(link, base)?.href ?? link);
  const heading = escapeText(title);
  parts.push('<article><h2>', url === '' ? heading : `<a href="${escapeAttribute(url)}">${heading}</a>`, '</h2>');
  const facts = [findDate(item), findAuthor(item)].filter((fact) => fact !== '');
  if (facts.length > 0) parts.push('<p>', escapeText(facts.join(' · ')), '</p>');
  parts.push('<div>', readContent(item, feedBase), '</div>');
  const enclosure = findChild(item, 'enclosure')?.attributes.get('url') ?? '';
  if (enclosure !== '') parts.push('<p><a href="', escapeAttribute(enclosure), '">', escapeText(enclosure), '</a></p>');
  parts.push('</article>');
}

/** The URL of an item: Atom's alternate link, RSS's link, or a guid that is a URL. */
function findLink(item: XmlElement): string {
  const links = listChildren(item, 'link');
  const alternate = links.find(({ attributes }) => (attributes.get('rel') ?? 'alternate') === 'alternate');
  const href = alternate?.attributes.get('href') ?? alternate?.text.trim() ?? '';
  if (href !== '') return href;
  const guid = readChildText(item, 'guid');
  return /^https?:/.test(guid) ? guid : '';
}

function findDate(item: XmlElement): string {
  return (
    readChildText(item, 'pubdate') ||
    readChildText(item, 'published') ||
    readChildText(item, 'date') ||
    readChildText(item, 'updated')
  );
}

function findAuthor(item: XmlElement): string {
  const author = findChild(item, 'author');
  const name = author === undefined ? '' : readChildText(author, 'name') || author.text.trim();
  return name || readChildText(item, 'creator');
}

/** A CDATA section whose markers were escaped too. */
const ESCAPED_CDATA = /^<!\[CDATA\[([\s\S]*)\]\]>$/;

/** The iTunes summary of a podcast episode. */
function findSummary(item: XmlElement): string {
  const found = item.children.find(({ qualified }) => /^itunes:(?:summary|subtitle)$/i.test(qualified));
  return found?.text.trim() ?? '';
}

/** HTML elements without an end tag, and those whose end tag is often omitted. */
const OPEN_ELEMENTS =
  /^(?:p|li|dt|dd|t[rhd]|thead|tbody|tfoot|colgroup|caption|option|br|hr|img|wbr|col|input|source|track|embed|area|link|meta|param|base|html|head|body|a|b|code|div|em|i|mark|s|small|span|strong|sub|sup|tt|u)$/i;

/** Escapes words in angle brackets that no end tag closes, and URLs and addresses in angle brackets. */
function escapeTagWords(html: string): string {
  const closed = new Set(Array.from(html.matchAll(/<\/([a-z][^\s<>/]*)/gi), ([, name = '']) => name.toLowerCase()));
  return html
    .replace(/<([a-z][^\s<>/"'=]{0,100})>/gi, (tag, name: string) =>
      closed.has(name.toLowerCase()) || OPEN_ELEMENTS.test(name) ? tag : escapeText(tag),
    )
    .replace(/<(?=https?:\/\/|mailto:|[\w.+-]{1,64}@)/gi, '&lt;');
}

/** HTML that was escaped twice: it starts and ends with escaped tags. */
const TWICE_ESCAPED = /^&lt;(?:!--|[a-z][a-z\d]*(?:\s|\/?&gt;))[^<]*&gt;$/i;

/** The fullest content of an item. Plain text is escaped; content at another URL becomes a link. */
function readContent(item: XmlElement, feedBase: string): string {
  const content = listChildren(item, 'encoded')[0] ?? findChild(item, 'content');
  const source = content?.attributes.get('src') ?? '';
  const inline = source === '' ? content : undefined;
  const found = inline ?? findChild(item, 'description') ?? findChild(item, 'summary');
  const text = found === undefined ? `<p>${escapeText(findSummary(item))}</p>` : readHtml(found);
  const linked = source === '' ? '' : `<p><a href="${escapeAttribute(source)}">${escapeText(source)}</a></p>`;
  const read = found ?? content ?? item;
  const hasBase = item.attributes.has('base') || read.attributes.has('base');
  return resolveReferences(text + linked, hasBase ? resolveBase(read, resolveBase(item, feedBase)) : '');
}

function readHtml({ text: written, attributes }: XmlElement): string {
  const text = written.trim().replace(ESCAPED_CDATA, '$1');
  if (attributes.get('type') === 'text') return `<p>${escapeText(text)}</p>`;
  const html = escapeTagWords(TWICE_ESCAPED.test(text) ? decodeXML(text) : text);
  return /<[a-z!/]|&[a-z#]/i.test(html) ? html : `<p>${escapeText(html)}</p>`;
}

/** The base URL for references in an element, given that of its parent; `''` if there is none. */
function resolveBase(element: XmlElement, around: string): string {
  const declared = element.attributes.get('base') ?? '';
  return declared === '' ? around : (parseUrl(declared, around === '' ? undefined : around)?.href ?? around);
}

const REFERENCE = /(\s(?:href|src|poster)\s*=\s*)(["'])([^"'<>]{0,2000})\2/gi;

/** Makes the URLs of links and images absolute; without a base they stay unchanged. */
function resolveReferences(html: string, base: string): string {
  if (base === '') return html;
  return html.replace(REFERENCE, (whole, name: string, quote: string, value: string) => {
    const url = parseUrl(decodeHTML(value), base);
    return url === null ? whole : `${name}${quote}${escapeAttribute(url.href)}${quote}`;
  });
}

function listChildren(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name && !/^(?:media|itunes):/.test(child.qualified));
}

function findChild(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name && !/^(?:media|itunes):/.test(child.qualified));
}

function readChildText(element: XmlElement, name: string): string {
  return findChild(element, name)?.text.trim() ?? '';
}
