import { z } from 'zod';
import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import { at, line, list } from '#extract/values/raw.ts';
import { buildResourceRequest, Pin, readResource, toPin } from './shared.ts';
import { pinboard } from './site.ts';

const PAGE_SIZE = 25;

export const pinboardSearch = pinboard({
  path: '/search',
  summary: 'Search pins by keyword',
  input: z.object({ search: z.string().trim().min(1).max(500).describe('Words to search for') }),
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], limit: ['per_page'] },
  record: z.object({
    results: z.array(Pin).readonly(),
    total: z.null().describe('The site does not tell how many there are'),
  }),
  list: 'results',
  limit: { default: PAGE_SIZE, most: 50 },
  expected: ['results.title', 'results.image_url', 'results.pinner', 'results.created_at'],
  canary: { search: 'windmill' },
  request({ search }, site) {
    const bookmarks = site.cursor === null ? {} : { bookmarks: [site.cursor] };
    const options = { query: search, scope: 'pins', rs: 'typed', page_size: PAGE_SIZE, ...bookmarks };
    const page = `/search/pins/?${new URLSearchParams({ q: search, rs: 'typed' })}`;
    return buildResourceRequest({ name: 'BaseSearch', page, handler: 'www/search/[scope].js', options }, site);
  },
  parse({ body }, { search }) {
    const read = readResource(body);
    if ('refusal' in read) return read.refusal;
    const found = at(read.data, 'results');
    if (!Array.isArray(found)) return unusable('the results of a search');
    const said = line(at(read.options, 'query')) ?? search;
    if (said.toLowerCase() !== search.toLowerCase()) return unusable('the results of another search');
    // The list contains stories and advice between the pins.
    const results = list(found).flatMap((one) => (at(one, 'type') === 'pin' ? (toPin(one) ?? []) : []));
    if (results.length > 0) return pageOf({ results, total: null }, read.next);
    return found.length === 0 ? empty() : unusable('pins that can be read');
  },
});
