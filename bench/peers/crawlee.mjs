/** Crawlee with Cheerio, without storage on disk: links, title, description, and the content of `main` as Markdown. */
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import TurndownService from 'turndown';
import { openStanding } from './standing.mjs';

const AT_ONCE = 64;

const standing = openStanding();
const turndown = new TurndownService();
const kept = { links: 0, chars: 0 };
log.setLevel(log.LEVELS.OFF);
const crawler = new CheerioCrawler(
  {
    // Without a minimum, its own load control would reduce the concurrency far below this.
    minConcurrency: AT_ONCE,
    maxConcurrency: AT_ONCE,
    maxRequestRetries: 1,
    respectRobotsTxtFile: true,
    useSessionPool: false,
    persistCookiesPerSession: false,
    async requestHandler({ request, $, enqueueLinks }) {
      const main = $('main');
      const markdown = turndown.turndown((main.length > 0 ? main : $('body')).html() ?? '');
      const title = $('title').text();
      const description = $('meta[name=description]').attr('content') ?? '';
      const { processedRequests } = await enqueueLinks({ strategy: 'same-hostname' });
      kept.links += processedRequests.length;
      kept.chars += markdown.length + title.length + description.length;
      standing.count(request.loadedUrl ?? request.url);
    },
  },
  new Configuration({ persistStorage: false, purgeOnStart: false }),
);
await standing.untilToldToBegin();
await crawler.run([standing.start]);
standing.end();
