import type { ReadWarning } from '#extract/warnings.ts';
import type { Extract } from './grammar.ts';
import type { PageReport } from './explained.ts';
import type { Frame } from './urls/find-frames.ts';

/** The formats a page can be read into without a browser. */
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
  'json',
] as const;

export type Output = (typeof OUTPUTS)[number];

/** The outputs to read out of the fetched bytes; plain data, so that it can cross a thread. */
export type ReadRequest = {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** The final URL, against which links resolve. */
  readonly url: string;
  readonly outputs: readonly Output[];
  readonly onlyMainContent: boolean;
  readonly includeSelectors: readonly string[];
  readonly excludeSelectors: readonly string[];
  readonly extract: Extract | null;
  /** Characters of each text output, sliced at block boundaries; null for all. */
  readonly maxChars: number | null;
  readonly offsetChars: number;
  /** Characters of the text that a model may read; null where none will. */
  readonly passageChars: number | null;
  /** Whether to report how the page is read, and what can be selected in it. */
  readonly reports?: boolean;
  /** When the page was fetched, ms since 1970: it was not published later. Left out where nobody says. */
  readonly fetchedAt?: number;
  /** What stands in the frames of the page; null where the caller did not ask for it, left out where nobody can. */
  readonly frames?: readonly PlacedFrame[] | null;
  /** Whether the page is to be placed in a frame of another. */
  readonly isFrame?: boolean;
};

/** The document of a frame, as the HTML that stands in its place; `at` counts the frames that a reading found. */
export type PlacedFrame = { readonly at: number; readonly html: string };

export type Link = {
  readonly url: string;
  readonly text: string;
  readonly rel: string | null;
  readonly internal: boolean;
  readonly nofollow: boolean;
};
export type Image = {
  readonly url: string;
  readonly alt: string | null;
  readonly width: number | null;
  readonly height: number | null;
};
export type PageTable = {
  readonly caption: string | null;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
};
export type StructuredData = {
  readonly json_ld: readonly unknown[];
  readonly microdata: readonly unknown[];
  readonly rdfa: readonly unknown[];
  readonly opengraph: Readonly<Record<string, unknown>>;
};

/** Where more of a page stands, or the same in another make; left out for what the page does not name. */
export type OtherViews = {
  /** The page after and before this one, of an article or listing that is parted over several. */
  readonly next_url?: string;
  readonly prev_url?: string;
  readonly amp_url?: string;
  readonly print_url?: string;
};

/** Facts about the page; null means looked for and absent. */
export type PageMetadata = OtherViews & {
  readonly title: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly canonical_url: string | null;
  readonly image: string | null;
  readonly site_name: string | null;
  readonly author: string | null;
  /** The calendar day as the source writes it, `2026-11-21`. */
  readonly published_date: string | null;
  /** The instant, where the source has one. */
  readonly published_at: string | null;
  readonly modified_at: string | null;
  readonly charset: string | null;
  readonly word_count: number;
  /** Pages of a PDF, slides of a presentation; left out for what has none. */
  readonly page_count?: number;
};

/** Links that are read of one page, as output and for a crawl: no page that people read has more. */
export const MAX_LINKS = 50_000;

/** What a request reads of a page where nobody asks for more: the whole page, and no output. */
export const NO_OUTPUTS = {
  outputs: [],
  onlyMainContent: false,
  includeSelectors: [],
  excludeSelectors: [],
  extract: null,
  maxChars: null,
  offsetChars: 0,
  passageChars: null,
} as const satisfies Partial<ReadRequest>;

/** Every requested output is present, empty when there is nothing. */
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
    readonly json?: Readonly<Record<string, unknown>>;
    /** By dotted path, what the page has where a member of `json` is empty because it cannot be read as its type. */
    readonly json_unread?: Readonly<Record<string, string>>;
  };
  readonly metadata: PageMetadata;
  readonly warnings: readonly ReadWarning[];
  readonly truncated: boolean;
  /** Where the next slice starts, null at the end. */
  readonly nextOffset: number | null;
  /** For a model; null where none was to read. */
  readonly passage: ModelPassage | null;
  /** Only where it was asked for. */
  readonly report?: PageReport;
} & FrameFindings;

/** What a reading says of frames. */
export type FrameFindings = {
  /** The frames whose documents can be content, in order; empty where nobody can ask for them. */
  readonly frames: readonly Frame[];
  /** The page itself for the frame that it is to stand in; left out where it is for none. */
  readonly frameHtml?: string;
};

/** The text of a page for a model, and the members of the requested object that the page alone left empty. */
export type ModelPassage = {
  /** The kept part of the page, as Markdown. */
  readonly kept: string;
  /** The same of the whole page, where members are missing and no selectors say what to keep; else what is kept. */
  readonly wide: string;
  /** Dotted paths of the members of a schema that are null. */
  readonly missing: readonly string[];
  /** Of these the required ones. */
  readonly unmet: readonly string[];
};
