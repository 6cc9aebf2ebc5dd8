import { things } from '#extract/page/described.ts';
import type { ParsedPage } from '#extract/page/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { duration, integer, line, moment } from '#extract/values/raw.ts';
import type { Known } from './player.ts';

/** What a watch page says of its video to search engines; null when it is another's, or nothing. */
export function fromDescribed(page: ParsedPage, id: string): Known | null {
  const found = things(page, 'VideoObject').filter(({ members }) =>
    ['identifier', 'videoId', 'url', '@id'].some((name) => textOf(members[name])?.endsWith(id) === true),
  );
  const read = (name: string): string | null =>
    found.map((one) => textOf(one.members[name])).find((one) => one !== null) ?? null;
  const title = read('name');
  if (title === null) return null;
  return {
    title,
    description: read('description'),
    channel: { id: read('channelId') },
    published_at: moment(read('datePublished')),
    uploaded_at: moment(read('uploadDate')),
    duration_ms: duration(read('duration')),
    view_count: integer(read('interactionCount')),
    category: read('genre'),
    is_unlisted: flag(read('unlisted')),
    is_family_safe: flag(read('isFamilyFriendly')),
    available_countries: read('regionsAllowed')?.split(',') ?? null,
  };
}

function textOf(value: unknown): string | null {
  return line(toList(value)[0]);
}

function flag(word: string | null): boolean | null {
  return word === null ? null : /^true$/i.test(word);
}
