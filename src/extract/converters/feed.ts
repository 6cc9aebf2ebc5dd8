import { decodeHTML, escapeAttribute, escapeText } from 'entities';
import type { SetPage } from './set-page.ts';
import { readXml } from './xml.ts';
import type { XmlElement } from './xml.ts';

const MAX_ITEMS = 2000;

/**
 * An RSS, RDF or Atom feed as an HTML page: its title and description, then each item as an article with linked
 * title, author, date and content. Null when the source is no feed.
 */
export function feedToHtml(source: string): SetPage | null {
  const root = readXml(source);
  if (root === null || !/^(?:rss|rdf|feed)$/.test(root.name)) return null;
  const channel = root.name === 'feed' ? root : (childOf(root, 'channel') ?? root);
  const items = root.name === 'feed' ? childrenOf(root, 'entry') : itemsOf(root, channel);
  const title = titleOf(channel);
  const parts = [
    '<!doctype html><html',
    languageOf(root, channel),
    '><head>',
    baseOf(root, channel),
    '<title>',
    escapeText(title),
    '</title>',
  ];
  const about = textOf(channel, 'description') || textOf(channel, 'subtitle');
  if (about !== '') parts.push(`<meta name="description" content="${escapeAttribute(about)}">`);
  parts.push('</head><body><main>');
  if (title !== '') parts.push('<h1>', escapeText(title), '</h1>');
  if (about !== '') parts.push('<p>', escapeText(about), '</p>');
  for (const item of items.slice(0, MAX_ITEMS)) addItem(item, parts);
  parts.push('</main></body></html>');
  const cut = items.length > MAX_ITEMS ? `the feed has ${items.length} items, of which ${MAX_ITEMS} were read` : null;
  return { html: parts.join(''), cut };
}

/** Elements of a line that a title may hold; other names between angle brackets are words of it. */
const TITLE_MARKUP =
  /<\/?(?:a|abbr|b|br|cite|code|div|em|i|mark|p|q|s|small|span|strong|sub|sup|tt|u|wbr)(?:\s[^<>]{0,500})?\/?>/gi;

/** A title as feed readers show it: without its markup, and decoded once more where it says that it is HTML. */
function titleOf(element: XmlElement): string {
  const found = childOf(element, 'title');
  if (found === undefined) return '';
  const text = found.text.trim();
  const type = found.attributes.get('type') ?? (element.name === 'item' || element.name === 'channel' ? 'rss' : 'text');
  if (type === 'text') return text;
  return decodeHTML(text.replace(TITLE_MARKUP, '')).trim();
}

function itemsOf(root: XmlElement, channel: XmlElement): readonly XmlElement[] {
  const inside = childrenOf(channel, 'item');
  return inside.length > 0 ? inside : childrenOf(root, 'item');
}

/** The address that references of the feed are resolved against, where it says one (XML Base). */
function baseOf(root: XmlElement, channel: XmlElement): string {
  const base = channel.attributes.get('base') ?? root.attributes.get('base') ?? '';
  return base === '' ? '' : `<base href="${escapeAttribute(base)}">`;
}

function languageOf(root: XmlElement, channel: XmlElement): string {
  const language = textOf(channel, 'language') || (root.attributes.get('lang') ?? '');
  return language === '' ? '' : ` lang="${escapeAttribute(language)}"`;
}

function addItem(item: XmlElement, parts: string[]): void {
  const title = titleOf(item) || 'Untitled';
  const url = linkOf(item);
  const heading = escapeText(title);
  parts.push('<article><h2>', url === '' ? heading : `<a href="${escapeAttribute(url)}">${heading}</a>`, '</h2>');
  const facts = [dateOf(item), authorOf(item)].filter((fact) => fact !== '');
  if (facts.length > 0) parts.push('<p>', escapeText(facts.join(' · ')), '</p>');
  parts.push('<div>', contentOf(item), '</div>');
  const enclosure = childOf(item, 'enclosure')?.attributes.get('url') ?? '';
  if (enclosure !== '') parts.push('<p><a href="', escapeAttribute(enclosure), '">', escapeText(enclosure), '</a></p>');
  parts.push('</article>');
}

/** The item's page: Atom's alternate link, RSS's link, or a guid that is one. */
function linkOf(item: XmlElement): string {
  const links = childrenOf(item, 'link');
  const alternate = links.find(({ attributes }) => (attributes.get('rel') ?? 'alternate') === 'alternate');
  const href = alternate?.attributes.get('href') ?? alternate?.text.trim() ?? '';
  if (href !== '') return href;
  const guid = textOf(item, 'guid');
  return /^https?:/.test(guid) ? guid : '';
}

function dateOf(item: XmlElement): string {
  return textOf(item, 'pubdate') || textOf(item, 'published') || textOf(item, 'date') || textOf(item, 'updated');
}

function authorOf(item: XmlElement): string {
  const author = childOf(item, 'author');
  const name = author === undefined ? '' : textOf(author, 'name') || author.text.trim();
  return name || textOf(item, 'creator');
}

/** A section of characters around text that was escaped beside. */
const ESCAPED_CDATA = /^<!\[CDATA\[([\s\S]*)\]\]>$/;

/** What a podcast says of an episode beside what all feeds can say. */
function summaryOf(item: XmlElement): string {
  const found = item.children.find(({ qualified }) => /^itunes:(?:summary|subtitle)$/i.test(qualified));
  return found?.text.trim() ?? '';
}

/** The fullest content an item carries; text that is no HTML stays text. */
function contentOf(item: XmlElement): string {
  const found =
    childrenOf(item, 'encoded')[0] ??
    childOf(item, 'content') ??
    childOf(item, 'description') ??
    childOf(item, 'summary');
  if (found === undefined) return `<p>${escapeText(summaryOf(item))}</p>`;
  const text = found.text.trim().replace(ESCAPED_CDATA, '$1');
  const type = found.attributes.get('type');
  if (type === 'text') return `<p>${escapeText(text)}</p>`;
  return /<[a-z!/]|&[a-z#]/i.test(text) ? text : `<p>${escapeText(text)}</p>`;
}

function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name && !/^(?:media|itunes):/.test(child.qualified));
}

function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name && !/^(?:media|itunes):/.test(child.qualified));
}

function textOf(element: XmlElement, name: string): string {
  return childOf(element, name)?.text.trim() ?? '';
}
