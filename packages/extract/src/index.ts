import { Extract } from './grammar.ts';
import { isDocument } from './html/signature.ts';
import type { PageSource } from './page-source.ts';
import { ReadError } from './read-error.ts';
import { readDocument } from './read-document.ts';
import { readPage } from './read-page.ts';
import type { Output, PageMetadata, PageReading } from './reading.ts';
import type { ReadWarning } from './warnings.ts';

export { ReadError, isDocument };
export type { Output, PageMetadata, ReadWarning };

/** What to read of a page, and how. */
export type ExtractOptions = {
  /** The final URL of the page, against which its links resolve. */
  readonly url: string;
  /** The media type of the bytes as the server sent it; HTML in UTF-8 unless given. */
  readonly contentType?: string;
  /** The outputs to read, `markdown` unless given. Metadata is always read. */
  readonly outputs?: readonly Output[];
  /** Whether the text outputs leave out navigation, advertisements and other page chrome; true unless given. */
  readonly onlyMainContent?: boolean;
  /** CSS selectors of the elements that the text outputs consist of. */
  readonly includeSelectors?: readonly string[];
  /** CSS selectors of the elements that the text outputs leave out. */
  readonly excludeSelectors?: readonly string[];
  /**
   * The fields of the output `json`: names with their types (`{ price: 'money' }`), fields with selectors, or a JSON Schema.
   * Asking for them adds that output.
   */
  readonly extract?: unknown;
  /** The most characters of each text output, cut between blocks; all of them unless given. */
  readonly maxChars?: number;
};

/** The outputs of a page, each under its own name and empty where the page has nothing of it. */
export type Extraction = PageReading['outputs'] & {
  readonly metadata: PageMetadata;
  readonly warnings: readonly ReadWarning[];
};

/**
 * Reads a page: HTML, XHTML, a feed, JSON, CSV or plain text, as a string or as the bytes that arrived. Synchronous and
 * without a network. Throws `ReadError` with the code `unsupported_content` for what is no text, `content_too_large` where
 * no output fits into 30 MiB of JSON, and `extraction_failed` where a required field of a JSON Schema is not found; throws
 * `TypeError` for an `extract` that is not understood.
 */
export function extract(content: string | Uint8Array, options: ExtractOptions): Extraction {
  return readContent(content, options);
}

/**
 * Reads a PDF or a document of Word, Excel or PowerPoint, which `isDocument` recognises by its first bytes. Pages that
 * take longer than `withinMs` together are left out with the warning `truncated`. Throws as `extract` does.
 */
export async function extractDocument(
  bytes: Uint8Array,
  options: ExtractOptions & { readonly withinMs?: number },
): Promise<Extraction> {
  const end = performance.now() + (options.withinMs ?? Number.POSITIVE_INFINITY);
  const source = await readDocument(bytes.slice(), () => performance.now() < end);
  return readContent(bytes, options, source);
}

function readContent(content: string | Uint8Array, options: ExtractOptions, source?: PageSource): Extraction {
  const { url, contentType = 'text/html', extract: wanted, outputs = ['markdown'] } = options;
  const isText = typeof content === 'string';
  const {
    outputs: read,
    metadata,
    warnings,
  } = readPage(
    {
      body: isText ? new TextEncoder().encode(content) : content.slice(),
      // A string is decoded already, whatever its markup declares.
      contentType: isText ? `${contentType.split(';')[0]}; charset=utf-8` : contentType,
      url,
      outputs: wanted === undefined ? outputs : [...new Set([...outputs, 'json' as const])],
      onlyMainContent: options.onlyMainContent ?? true,
      includeSelectors: options.includeSelectors ?? [],
      excludeSelectors: options.excludeSelectors ?? [],
      extract: wanted === undefined ? null : parseExtract(wanted),
      maxChars: options.maxChars ?? null,
      offsetChars: 0,
      passageChars: null,
    },
    source,
  );
  return { ...read, metadata, warnings };
}

function parseExtract(wanted: unknown): Extract {
  const parsed = Extract.safeParse(wanted);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ['extract', ...path].join('.') + `: ${message}`);
  throw new TypeError(faults.join('; '));
}
