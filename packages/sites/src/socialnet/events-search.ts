import { z } from 'zod';
import { readEvents } from './events-search-page.ts';
import { FoundEvent } from './found-event.ts';
import { socialnet } from './site.ts';

/** Events by words: those that the page of a search holds. */
export const eventsSearch = socialnet({
  path: '/events/search',
  summary: 'Public events by words and place',
  input: z.object({
    search: z.string().trim().min(1).max(300).describe('Words to search for'),
    location: z.string().trim().min(1).max(100).optional().describe('A place, searched for together with the words'),
  }),
  record: z.object({ events: z.array(FoundEvent).readonly() }),
  aliases: { search: ['query', 'q', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'events',
  limit: { default: 20, most: 50 },
  expected: ['events.url', 'events.time_text', 'events.start_time', 'events.location_name', 'events.cover_url'],
  canary: { search: 'jazz', location: 'New York' },
  request: ({ search, location }) => ({
    origin: 'web',
    path: '/events/search/',
    query: { q: location === undefined ? search : `${search} ${location}` },
  }),
  parse: readEvents,
});
