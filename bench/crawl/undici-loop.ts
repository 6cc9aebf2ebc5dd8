/** A plain download loop over all URLs of a site, which are known in advance, with 64 requests in flight. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';

const CONCURRENCY = 64;

const [, , , folder = ''] = process.argv;
const urls = readFileSync(join(folder, 'urls.txt'), 'utf8').split('\n').filter(Boolean);
// Slow pages first, so that the end is not spent waiting for one of them.
const order = [...urls.filter((url) => url.includes('/slow/')), ...urls.filter((url) => !url.includes('/slow/'))];
const dispatcher = new Agent({ connections: CONCURRENCY });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
let at = 0;
let pages = 0;
await Promise.all(Array.from({ length: CONCURRENCY }, fetchPages));
process.stdout.write(`${JSON.stringify({ pages })}\n`);

async function fetchPages(): Promise<void> {
  for (let url = order[at++]; url !== undefined; url = order[at++]) {
    const answer = await request(url, { dispatcher });
    await answer.body.arrayBuffer();
    if (answer.statusCode === 200) pages += 1;
  }
}
