import { type Chunk, type Chunking, completeChunking } from './chunks/chunk-markdown.ts';
import { Extract } from './grammar.ts';
import { isDocument } from './html/sniff.ts';
import { type PageSource, readDocument } from './page-source.ts';
import { ReadError, type ReadWarning } from './warnings.ts';
import { readPage } from './read-page.ts';
import type { Output, PageMetadata, PageReading } from './reading.ts';

export { ReadError, isDocument };
export type { Chunk, Chunking, Output, PageMetadata, ReadWarning };

/** What to read from a page, and how. */
export type ExtractOptions = {
  /** The final URL of the page, which links are resolved against. */
  readonly url: string;
  /** The media type of the bytes as the server sent it. Default: HTML in UTF-8. */
  readonly contentType?: string;
  /** The outputs to read. Default: `markdown`. Metadata is always read. */
  readonly outputs?: readonly Output[];
  /** Whether the text outputs leave out navigation, advertisements and other page chrome. Default: true. */
  readonly onlyMainContent?: boolean;
  /** CSS selectors of the elements that the text outputs consist of. */
  readonly includeSelectors?: readonly string[];
  /** CSS selectors of the elements that the text outputs leave out. */
  readonly excludeSelectors?: readonly string[];
  /**
   * The fields of the output `json`: names with types (`{ price: 'money' }`), fields with selectors, or a JSON Schema.
   * Adds that output.
   */
  readonly extract?: unknown;
  /** How the output `chunks` is cut: at most 512 tokens of `o200k_base` each, unless stated. Adds no output. */
  readonly chunking?: Partial<Chunking>;
  /** Maximum characters of each text output, cut between blocks. Default: no limit. */
  readonly maxChars?: number;
};

/** The requested outputs under their names. An output is empty if the page has nothing for it. */
export type Extraction = PageReading['outputs'] & {
  readonly metadata: PageMetadata;
  readonly warnings: readonly ReadWarning[];
};

/**
 * Reads a page: HTML, XHTML, a feed, JSON, CSV or plain text, as a string or as bytes. Synchronous and without network
 * access. Throws `ReadError` with the code `unsupported_content` for binary content, `content_too_large` if no output
 * fits into 30 MiB of JSON, and `extraction_failed` if a required field of a JSON Schema is not found. Throws
 * `TypeError` for an invalid `extract`, and `RangeError` for an invalid number in `chunking`.
 */
export function extract(content: string | Uint8Array, options: ExtractOptions): Extraction {
  return readContent(content, options);
}

/**
 * Reads a PDF or a Word, Excel or PowerPoint file, which `isDocument` recognises by its first bytes. Pages beyond the
 * time limit `withinMs` are left out with the warning `truncated`. Throws like `extract`.
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
  const { url, contentType = 'text/html', extract: fields, outputs = ['markdown'] } = options;
  const isText = typeof content === 'string';
  const {
    outputs: read,
    metadata,
    warnings,
  } = readPage(
    {
      body: isText ? new TextEncoder().encode(content) : content.slice(),
      // A string is already decoded, so the charset that its markup declares does not count.
      contentType: isText ? `${contentType.split(';')[0]}; charset=utf-8` : contentType,
      url,
      outputs: fields === undefined ? outputs : [...new Set([...outputs, 'json' as const])],
      onlyMainContent: options.onlyMainContent ?? true,
      includeSelectors: options.includeSelectors ?? [],
      excludeSelectors: options.excludeSelectors ?? [],
      extract: fields === undefined ? null : parseExtract(fields),
      chunking: completeChunking(options.chunking ?? {}),
      maxChars: options.maxChars ?? null,
      offsetChars: 0,
      passageChars: null,
    },
    source,
  );
  return { ...read, metadata, warnings };
}

function parseExtract(fields: unknown): Extract {
  const parsed = Extract.safeParse(fields);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ['extract', ...path].join('.') + `: ${message}`);
  throw new TypeError(faults.join('; '));
}
