import type { ReadWarning } from '#extract/warnings.ts';
import type { Chunk, Chunking } from './chunks/chunk-markdown.ts';
import type { Extract } from './grammar.ts';
import type { PageReport } from './explained.ts';
import type { Frame } from './urls/find-frames.ts';

/** The formats that a page can be read as without a browser. */
export const OUTPUTS = [
  'markdown',
  'text',
  'html',
  'raw_html',
  'links',
  'images',
  'metadata',
  'tables',
  'structured_data',
  'attributes',
  'chunks',
  'json',
] as const;

export type Output = (typeof OUTPUTS)[number];

/** What to read from the fetched bytes. Plain data, so that it can be sent to another thread. */
export type ReadRequest = {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** The final URL, which links are resolved against. */
  readonly url: string;
  readonly outputs: readonly Output[];
  readonly onlyMainContent: boolean;
  readonly includeSelectors: readonly string[];
  readonly excludeSelectors: readonly string[];
  readonly extract: Extract | null;
  /** What output `attributes` contains; omitted for nothing. */
  readonly attributes?: readonly AttributeQuery[];
  /** How output `chunks` is cut; omitted for the defaults. */
  readonly chunking?: Chunking;
  /** Maximum characters of each text output, cut between blocks. Null for no limit. */
  readonly maxChars: number | null;
  readonly offsetChars: number;
  /** Maximum characters of the text for a model. Null if no model is used. */
  readonly passageChars: number | null;
  /** Whether to return the whole Markdown, without the limits of `maxChars` and `offsetChars`. */
  readonly wholeMarkdown?: boolean;
  /** Maximum characters of the plain text to return besides the outputs, without their limits. Omitted for no text. */
  readonly plainTextChars?: number;
  /** Whether to report how the page is read and what can be selected in it. */
  readonly reports?: boolean;
  /** When the page was fetched, in ms since 1970: it was not published later. Omitted if unknown. */
  readonly fetchedAt?: number;
  /**
   * Documents to place in the frames of the page. Null if the caller did not request them, omitted if it cannot fetch
   * frames.
   */
  readonly frames?: readonly PlacedDocument[] | null;
  /** Whether the page will be placed in a frame of another page. */
  readonly isFrame?: boolean;
};

/**
 * The document of a frame, as HTML that replaces the frame. `at` is the index among the frames that a reading found.
 */
export type PlacedDocument = { readonly at: number; readonly html: string };

/** An attribute to read from each element that a CSS selector matches. */
export type AttributeQuery = { readonly selector: string; readonly attribute: string };

/** A query with the values found, in document order and as written in the page. */
export type AttributeValues = AttributeQuery & { readonly values: readonly string[] };

/** A link of a page. `internal` says whether it stays on the same host. */
export type Link = {
  readonly url: string;
  readonly text: string;
  readonly rel: string | null;
  readonly internal: boolean;
  readonly nofollow: boolean;
};
/** An image of a page. The size is in pixels; null if the page does not have it. */
export type Image = {
  readonly url: string;
  readonly alt: string | null;
  readonly width: number | null;
  readonly height: number | null;
};
/** A data table with expanded spans. */
export type PageTable = {
  readonly caption: string | null;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
};
/** The structured data of a page by syntax. */
export type StructuredData = {
  readonly json_ld: readonly unknown[];
  readonly microdata: readonly unknown[];
  readonly rdfa: readonly unknown[];
  readonly opengraph: Readonly<Record<string, unknown>>;
};

/** URLs of further parts of a page and of other versions. Omitted if the page has none. */
export type OtherViews = {
  /** The next and previous page of an article or listing with several pages. */
  readonly next_url?: string;
  readonly prev_url?: string;
  readonly amp_url?: string;
  readonly print_url?: string;
};

/** Facts about the page. Null means that the page does not have the fact. */
export type PageMetadata = OtherViews & {
  readonly title: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly canonical_url: string | null;
  readonly image: string | null;
  readonly site_name: string | null;
  readonly author: string | null;
  /** The calendar day as in the source, `2026-11-21`. */
  readonly published_date: string | null;
  /** The instant, if the source has one. */
  readonly published_at: string | null;
  readonly modified_at: string | null;
  readonly charset: string | null;
  readonly word_count: number;
  /** Pages of a PDF, slides of a presentation. Omitted for other content. */
  readonly page_count?: number;
};

/** Maximum links of one page, as output and for a crawl. No page written for readers has more. */
export const MAX_LINKS = 50_000;

/** Default options of a request: the whole page, and no output. */
export const DEFAULT_READ_OPTIONS = {
  outputs: [],
  onlyMainContent: false,
  includeSelectors: [],
  excludeSelectors: [],
  extract: null,
  maxChars: null,
  offsetChars: 0,
  passageChars: null,
} as const satisfies Partial<ReadRequest>;

/** The result of reading a page. Every requested output is present, and empty if the page has nothing for it. */
export type PageReading = {
  readonly outputs: {
    readonly markdown?: string;
    readonly text?: string;
    readonly html?: string;
    readonly raw_html?: string;
    readonly links?: readonly Link[];
    readonly images?: readonly Image[];
    readonly tables?: readonly PageTable[];
    readonly structured_data?: StructuredData;
    readonly attributes?: readonly AttributeValues[];
    readonly chunks?: readonly Chunk[];
    readonly json?: Readonly<Record<string, unknown>>;
    /** By dotted path: the text that could not be read as the type of a `json` member. That member is empty. */
    readonly json_unread?: Readonly<Record<string, string>>;
  };
  readonly metadata: PageMetadata;
  readonly warnings: readonly ReadWarning[];
  readonly truncated: boolean;
  /** Start of the next slice, null at the end. */
  readonly nextOffset: number | null;
  /** The text for a model. Null if no model is used. */
  readonly passage: ModelPassage | null;
  /** Present if the request has `wholeMarkdown`. */
  readonly wholeMarkdown?: string;
  /** Present if the request has `plainTextChars`. */
  readonly plainText?: string;
  /** Present if the request has `reports`. */
  readonly report?: PageReport;
} & FrameResults;

/** What a reading says about frames. */
export type FrameResults = {
  /** The frames whose documents may be content, in order. Empty if the caller cannot fetch frames. */
  readonly frames: readonly Frame[];
  /** The page as HTML for the frame that contains it. Omitted for other pages. */
  readonly frameHtml?: string;
};

/** The text of a page for a model, and the requested members that the page itself did not provide. */
export type ModelPassage = {
  /** The kept part of the page, as Markdown. */
  readonly kept: string;
  /** The whole page, if members are missing and no selectors were given. Otherwise the same as `kept`. */
  readonly wide: string;
  /** Dotted paths of the members of a schema that are null. */
  readonly missing: readonly string[];
  /** The required ones among them. */
  readonly unmet: readonly string[];
};
