import { isJsonObject } from '#extract/values/json-object.ts';
import { findWith } from '#extract/json/search.ts';
import { at, line, list } from '#extract/values/raw.ts';
import type { MicroPost } from './records.ts';
import { toXPost } from './tweet.ts';

/** The posts that answers of the site's own interface hold, in their order, each once; null where none is a timeline. */
export function readXTimeline(answers: readonly unknown[]): readonly MicroPost[] | null {
  const timelines = answers.flatMap((answer) => findWith(answer, 'instructions'));
  if (timelines.length === 0) return null;
  const posts = new Map<string, MicroPost>();
  for (const timeline of timelines)
    for (const instruction of list(timeline['instructions']))
      for (const entry of [...entryOf(instruction), ...list(at(instruction, 'entries'))])
        for (const raw of tweetsIn(entry)) {
          const post = toXPost(raw);
          if (post !== null && !posts.has(post.id)) posts.set(post.id, post);
        }
  return [...posts.values()];
}

/** A pinned post stands by itself. */
function entryOf(instruction: unknown): readonly unknown[] {
  const entry = at(instruction, 'entry');
  return entry === undefined ? [] : [entry];
}

/** The posts of an entry; what is promoted, and lists of people, are none. */
function tweetsIn(entry: unknown): readonly unknown[] {
  if (line(at(entry, 'entryId'))?.startsWith('promoted') === true) return [];
  const content = at(entry, 'content');
  const holders = [content, ...list(at(content, 'items')).map((one) => at(one, 'item'))];
  return holders
    .map((holder) => at(holder, 'itemContent'))
    .filter((item) => isJsonObject(item) && at(item, 'promotedMetadata') === undefined)
    .flatMap((item) => at(item, 'tweet_results', 'result') ?? []);
}
