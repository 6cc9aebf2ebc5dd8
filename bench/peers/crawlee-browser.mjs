/** Crawlee with Playwright: the HTML of each page once its content has loaded, checked for the text that its script writes. */
import { once } from 'node:events';
import { Configuration, PlaywrightCrawler, log, playwrightUtils } from '@crawlee/playwright';

const { addresses, binary, form, folder } = JSON.parse(process.argv[2] ?? '{}');
const AT_ONCE = 4;
const UNWANTED = ['.png', '.jpg', '.jpeg', '.gif', '.svg', '.woff', '.woff2', '.ico', '.pdf', '.zip'];

const TUNED = {
  minConcurrency: AT_ONCE,
  maxConcurrency: AT_ONCE,
  useSessionPool: false,
  persistCookiesPerSession: false,
  browserPoolOptions: { useFingerprints: false },
  preNavigationHooks: [async ({ page }) => playwrightUtils.blockRequests(page, { urlPatterns: UNWANTED })],
};

process.env.CRAWLEE_STORAGE_DIR = folder;
log.setLevel(log.LEVELS.OFF);
let right = 0;
let left = addresses.length;
let firstAt = null;
let lastAt = 0;
const crawler = new PlaywrightCrawler(
  {
    ...(form === 'tuned' ? TUNED : {}),
    launchContext: { launchOptions: { executablePath: binary } },
    async requestHandler({ request, page }) {
      await page.waitForSelector('#root[data-ready], #list section, main p', { state: 'attached' });
      const html = await page.content();
      if (html.includes(request.userData.marker)) right += 1;
      lastAt = performance.now();
      if (firstAt === null) process.stdout.write('first\n');
      firstAt ??= lastAt;
      await countDown();
    },
    failedRequestHandler: countDown,
  },
  new Configuration(form === 'tuned' ? { persistStorage: false } : {}),
);

/** After the last page it prints the result, and stays alive until it has been measured. */
async function countDown() {
  left -= 1;
  if (left > 0) return;
  process.stdout.write(`${JSON.stringify({ right, seconds: (lastAt - (firstAt ?? lastAt)) / 1000 })}\n`);
  await once(process.stdin, 'data');
}

process.stdout.write('ready\n');
await once(process.stdin, 'data');
await crawler.run(addresses.map(({ url, marker }) => ({ url, uniqueKey: url, userData: { marker } })));
process.exit();
