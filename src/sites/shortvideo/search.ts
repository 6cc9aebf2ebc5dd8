import { z } from 'zod';
import { pageOf } from '#features/sites/answers.ts';
import { ClipSearchInput } from './clip-input.ts';
import { clipAnswers, readClips } from './clip-lists.ts';
import { Clip } from './clip-record.ts';
import { shortvideo } from './site.ts';

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
  browser: { scroll: 'end' },
  captures: clipAnswers('search/item/full', 'search/general/full'),
  request: ({ search }) => ({ origin: 'web', path: '/search/video', query: { q: search } }),
  parse(page) {
    const read = readClips(page, () => true);
    return 'clips' in read ? pageOf({ results: read.clips }, null) : read;
  },
});
