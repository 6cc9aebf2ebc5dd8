import { at, countOf, integer, line, moment } from '#extract/values/raw.ts';
import { bareItem, outwardLink, newsIdOf, newsTypeOf, wordsOfItem } from './item-record.ts';
import type { NewsItem } from './item-record.ts';

/** An item in the forum's documented interface; null for what is none. */
export function fromApi(raw: unknown): NewsItem | null {
  const id = newsIdOf(at(raw, 'id'));
  const type = newsTypeOf(at(raw, 'type'));
  if (id === null || type === null) return null;
  return {
    ...bareItem(id, type),
    ...outwardLink(at(raw, 'url')),
    ...wordsOfItem(at(raw, 'text')),
    title: line(at(raw, 'title')),
    author: line(at(raw, 'by')),
    score: integer(at(raw, 'score')),
    comment_count: countOf(at(raw, 'descendants'), null)?.value ?? null,
    created_at: moment(at(raw, 'time')),
    parent_id: newsIdOf(at(raw, 'parent')) ?? newsIdOf(at(raw, 'poll')),
    is_dead: at(raw, 'dead') === true,
    is_deleted: at(raw, 'deleted') === true,
  };
}

/** An item of the index's tree, or one of its comments; null for what is none. */
export function fromTree(raw: unknown): NewsItem | null {
  const id = newsIdOf(at(raw, 'id'));
  const type = newsTypeOf(at(raw, 'type'));
  if (id === null || type === null) return null;
  const author = line(at(raw, 'author'));
  const words = wordsOfItem(at(raw, 'text'));
  return {
    ...bareItem(id, type),
    ...outwardLink(at(raw, 'url')),
    ...words,
    title: line(at(raw, 'title')),
    author,
    score: integer(at(raw, 'points')),
    created_at: moment(at(raw, 'created_at_i')) ?? moment(at(raw, 'created_at')),
    parent_id: newsIdOf(at(raw, 'parent_id')),
    story_id: newsIdOf(at(raw, 'story_id')),
    is_deleted: type === 'comment' ? author === null && words.text === null : null,
  };
}

/** An item that a search of the index found; null for what is none. */
export function fromHit(raw: unknown): NewsItem | null {
  const id = newsIdOf(at(raw, 'objectID'));
  const tags: unknown = at(raw, '_tags');
  const type = (Array.isArray(tags) ? tags.map(newsTypeOf) : []).find((one) => one !== null) ?? null;
  if (id === null || type === null) return null;
  return {
    ...bareItem(id, type),
    ...outwardLink(at(raw, 'url')),
    ...wordsOfItem(at(raw, 'comment_text') ?? at(raw, 'story_text') ?? at(raw, 'job_text')),
    title: line(at(raw, 'title')),
    author: line(at(raw, 'author')),
    score: integer(at(raw, 'points')),
    comment_count: countOf(at(raw, 'num_comments'), null)?.value ?? null,
    created_at: moment(at(raw, 'created_at_i')) ?? moment(at(raw, 'created_at')),
    parent_id: newsIdOf(at(raw, 'parent_id')),
    story_id: newsIdOf(at(raw, 'story_id')),
    story_title: line(at(raw, 'story_title')),
  };
}
