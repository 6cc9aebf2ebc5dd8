import { z } from 'zod';
import { givenBefore, roundsFor, scrolledPage } from '#sites/scrolled-list.ts';
import { Clip, readClips } from './shared.ts';
import { shortvideo } from './site.ts';

const ClipSearchInput = z.object({
  search: z.string().trim().min(1).max(300).describe('Words to search for'),
});

export const clipSearch = shortvideo({
  path: '/search',
  summary: 'Short videos by words, as the page of a search loads them in a browser',
  input: ClipSearchInput,
  record: z.object({ results: z.array(Clip).readonly() }),
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'results',
  limit: { default: 20, most: 100 },
  expected: ['results.description', 'results.created_at', 'results.view_count', 'results.author.username'],
  canary: { search: 'windmill' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [{ name: 'results', path: /^\/api\/search\/(?:item|general)\/full\/$/ }],
  request: ({ search }, site) => ({
    origin: 'web',
    path: '/search/video',
    query: { q: search },
    rounds: roundsFor(site),
  }),
  parse(page, _input, site) {
    const read = readClips(page, () => true);
    if (!('clips' in read)) return read;
    return scrolledPage(read.clips, { ...read, given: givenBefore(site) }, (results) => ({ results }));
  },
});
