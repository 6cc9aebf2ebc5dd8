import { Quern } from 'quern-client';
import { QuernLoader } from './quern-loader.ts';

const {
  QUERN_URL: baseUrl = 'http://127.0.0.1:7700',
  QUERN_API_KEY: apiKey = '',
  SITE: url = 'https://example.com/',
} = process.env;

const loader = new QuernLoader({ client: new Quern({ baseUrl, apiKey }), crawl: { url, max_pages: 5 } });
for await (const { metadata, pageContent } of loader.lazyLoad())
  process.stdout.write(`${String(metadata['source'])} ${pageContent.length} characters\n`);
