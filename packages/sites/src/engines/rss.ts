import { type EngineResult, toEngineResult } from '#sites/engines/engine-record.ts';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';
import { toPlainUrl } from '#extract/values/web-urls.ts';

/** An item of a feed of results: its text by element, and its result. */
export type FeedItem = { readonly result: EngineResult; readonly textOf: (name: string) => string | null };

/** Whether a page is a whole feed; half of one says nothing of what it lacks. */
export function isWholeFeed(source: string): boolean {
  return /<\/rss>\s*$/.test(source);
}

/** The items of a feed of results; none of what is no feed. */
export function readFeed(source: string, base: string): readonly FeedItem[] {
  const root = readXml(source);
  const channel = root?.name === 'rss' ? root.children.find(({ name }) => name === 'channel') : undefined;
  if (channel === undefined) return [];
  return channel.children.flatMap((item) => (item.name === 'item' ? (toItem(item, base) ?? []) : []));
}

function toItem(item: XmlElement, base: string): FeedItem | null {
  const textOf = (name: string): string | null =>
    item.children.find((child) => child.name === name)?.text.trim() || null;
  const title = textOf('title');
  const link = textOf('link');
  if (title === null || link === null) return null;
  const url = toPlainUrl(link, base) ?? link;
  const result = toEngineResult({ title, url, description: textOf('description'), published: textOf('pubdate') });
  return { result, textOf };
}
