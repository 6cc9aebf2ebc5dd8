import { more, notFound, partly, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, list } from '#extract/values/raw.ts';
import { fromApi, fromTree } from './api-item.ts';
import { commentsBelow } from './comments.ts';
import { ItemAnswer, NewsItemInput, wantedItem } from './item-input.ts';
import { readNewsPage } from './item-page.ts';
import { NewsItem } from './item-record.ts';
import { technews } from './site.ts';

type ItemSource = EndpointSource<typeof NewsItemInput, typeof ItemAnswer>;

const NONE = { comments: null, comments_truncated: null };

const askTree = (id: string) => ({ origin: 'search', path: `/api/v1/items/${id}` });

/** The documented interface has each item; the index of the forum has the comments below it in one answer. */
const api: ItemSource = {
  name: 'api',
  request: (input, site) => ({ origin: 'api', path: `/v0/item/${wantedItem(input, site)}.json` }),
  parse({ body, carry }, input, site) {
    const id = wantedItem(input, site);
    const raw = tryParse(body);
    if (carry !== undefined) return withTree(NewsItem.parse(carry), raw, input);
    if (raw === null) return notFound('there is no such item');
    const item = fromApi(raw);
    if (item?.id !== id) return unusable('the item asked for');
    if (input.depth === 0) return { item, ...NONE };
    if (list(at(raw, 'kids')).length === 0) return { item, comments: [], comments_truncated: false };
    return more(askTree(id), item, partly({ item, ...NONE }, 'the comments'));
  },
};

function withTree(item: NewsItem, tree: unknown, input: NewsItemInput): ReturnType<ItemSource['parse']> {
  const top = fromTree(tree);
  if (top?.id !== item.id) return unusable('the comments of the item');
  const { comments, isTruncated } = commentsBelow(tree, input);
  const { story_id: story } = top;
  return { item: { ...item, story_id: story }, comments, comments_truncated: isTruncated };
}

const index: ItemSource = {
  name: 'index',
  request: (input, site) => askTree(wantedItem(input, site)),
  parse({ body }, input, site) {
    const tree = tryParse(body);
    const item = fromTree(tree);
    if (item?.id !== wantedItem(input, site)) return unusable('the item asked for');
    const { comments, isTruncated, count } = commentsBelow(tree, input);
    const counted = item.type === 'story' ? { ...item, comment_count: count } : item;
    return input.depth === 0
      ? { item: counted, ...NONE }
      : { item: counted, comments, comments_truncated: isTruncated };
  },
};

const page: ItemSource = {
  name: 'page',
  request: (input, site) => ({ origin: 'web', path: '/item', query: { id: wantedItem(input, site) } }),
  parse: (source, input, site) => readNewsPage(source, wantedItem(input, site), input),
};

export const technewsItem = technews({
  path: '/item',
  summary: 'A story, comment, job or poll with the comments below it',
  input: NewsItemInput,
  anyOf: ['id', 'url'],
  record: ItemAnswer,
  sources: [api, index, page],
  expected: ['item.author', 'item.created_at'],
  canary: { id: '8863' },
});
