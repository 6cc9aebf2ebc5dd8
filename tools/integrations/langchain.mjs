import { FireCrawlLoader } from '@langchain/community/document_loaders/web/firecrawl';

// Loads a page or site with the loader of LangChain, and prints its documents or its error as JSON.
const [mode, url, apiUrl, apiKey] = process.argv.slice(2);
const params = mode === 'crawl' ? { limit: 10 } : {};
const loader = new FireCrawlLoader({ url, mode, apiUrl, apiKey, params });
const answer = await loader.load().then(
  (documents) => ({ documents }),
  (error) => ({ error: error.message }),
);
process.stdout.write(JSON.stringify(answer));
