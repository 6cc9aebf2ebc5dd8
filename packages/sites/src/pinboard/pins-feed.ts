import { empty, unusable } from '#sites/framework/answers.ts';
import type { SiteView, SourcePage } from '#sites/framework/request.ts';
import { readXml } from '#extract/converters/xml.ts';
import type { XmlElement } from '#extract/converters/xml.ts';
import { attributeAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { line, mediaUrl, moment } from '#extract/values/raw.ts';
import { accountNameOf } from './account-input.ts';
import type { PinboardAccountInput } from './account-input.ts';
import type { Pin } from './pin-record.ts';
import { PINBOARD_HOME } from './site.ts';
import { toPin } from './to-pin.ts';

/** The feed of an account, which anyone may read: its newest pins. */
export const pinsFeed = {
  name: 'feed',
  lacks: 'the feed has the newest pins alone, made and kept ones, with title, picture and day',
  when: (site: SiteView): boolean => site.cursor === null,
  request: (input: PinboardAccountInput, site: SiteView) => ({
    origin: 'web',
    path: `/${accountNameOf(input, site)}/feed.rss`,
  }),
  parse(page: SourcePage, input: PinboardAccountInput, site: SiteView) {
    const channel = readXml(page.body)?.children.find(({ name }) => name === 'channel');
    const own = URL.parse(fieldOf(channel, 'link') ?? '', PINBOARD_HOME)
      ?.pathname.split('/')[1]
      ?.toLowerCase();
    if (channel === undefined || own !== accountNameOf(input, site)) return unusable('the feed of the account');
    const items = channel.children.filter(({ name }) => name === 'item');
    const pins = items.flatMap((item) => toFeedPin(item) ?? []);
    if (pins.length > 0) return { pins };
    return items.length === 0 && page.body.includes('</channel>') ? empty() : unusable('pins that can be read');
  },
};

function fieldOf(element: XmlElement | undefined, name: string): string | null {
  return line(element?.children.find((child) => child.name === name)?.text ?? null);
}

function toFeedPin(item: XmlElement): Pin | null {
  const id = /\/pin\/(?:[^/]*--)?(\d{6,25})\b/.exec(fieldOf(item, 'link') ?? fieldOf(item, 'guid') ?? '')?.[1];
  const pin = toPin({ id, title: fieldOf(item, 'title') });
  if (pin === null) return null;
  const shown = parsePage(fieldOf(item, 'description') ?? '', PINBOARD_HOME);
  return {
    ...pin,
    created_at: moment(fieldOf(item, 'pubdate'), 'en-US'),
    image_url: mediaUrl(attributeAt(shown, 'img', 'src'), PINBOARD_HOME),
  };
}
