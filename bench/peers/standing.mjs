import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The start URL of the crawl, the counter of pages, and the protocol with the benchmark that started this program. */
export function openStanding() {
  const [, , origin, folder] = process.argv;
  const pages = new Set(readFileSync(join(folder, 'urls.txt'), 'utf8').split('\n').filter(Boolean));
  const had = new Set();
  return {
    start: `${origin}/`,
    /** Counts a page once, regardless of query and fragment. */
    count(url) {
      const address = url.split(/[?#]/, 1)[0];
      if (pages.has(address)) had.add(address);
    },
    async untilToldToBegin() {
      process.stdout.write('ready\n');
      await once(process.stdin, 'data');
    },
    end() {
      process.stdout.write(`${JSON.stringify({ pages: had.size })}\n`);
    },
  };
}
