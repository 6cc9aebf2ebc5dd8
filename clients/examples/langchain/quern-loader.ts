import { Quern } from 'quern-client';
import type { CrawlInput, CrawledPage } from 'quern-client';

/** A document as LangChain.js takes it: `DocumentInterface` of `@langchain/core/documents`. */
export type LoadedDocument = {
  pageContent: string;
  metadata: Record<string, unknown>;
  id?: string;
};

/** What a loader is made of: the client, and what to crawl. */
export type QuernLoaderOptions = { readonly client: Quern; readonly crawl: CrawlInput };

/**
 * A document loader of LangChain.js (`load` of `BaseDocumentLoader`) that crawls a site with Quern: one document a page,
 * its Markdown as content. `lazyLoad` gives each as soon as its page is there.
 */
export class QuernLoader {
  readonly #options: QuernLoaderOptions;

  constructor(options: QuernLoaderOptions) {
    this.#options = options;
  }

  async load(): Promise<LoadedDocument[]> {
    const documents: LoadedDocument[] = [];
    for await (const document of this.lazyLoad()) documents.push(document);
    return documents;
  }

  async *lazyLoad(): AsyncGenerator<LoadedDocument, void> {
    const { client, crawl } = this.#options;
    for await (const page of client.crawl({ ...crawl, output: ['markdown'] })) yield toDocument(page);
  }
}

function toDocument({
  final_url: source,
  markdown = '',
  metadata,
  fetched_at: fetchedAt,
}: CrawledPage): LoadedDocument {
  const { title, language, published_date: published } = metadata;
  return { id: source, pageContent: markdown, metadata: { source, title, language, published, fetchedAt } };
}
