import { buildWordSet } from '#extract/values/space.ts';
import { toRoutedParts, toUrlParts, type UrlParts } from './url-parts.ts';
import type { UrlFilter } from './url-filter.ts';
import { type CrawlScope, isInScope } from './scope.ts';
import { isTrap } from './traps.ts';
import { isUnsafeLink } from './unsafe-links.ts';

/** The reasons why a crawl skips a URL that it discovered. */
export const SKIP_REASONS = [
  'robots',
  'noindex',
  'filter',
  'scope',
  'depth',
  'limit',
  'duplicate',
  'redirect',
  'media',
  'invalid',
  'action',
  'login',
  'sitemap',
] as const;

export type SkipReason = (typeof SKIP_REASONS)[number];

/** The rules by which a crawl admits links. */
export type AdmissionRules = {
  readonly scope: CrawlScope;
  readonly filter: UrlFilter;
  /** ms since 1970 */
  readonly now: number;
  /** Whether to skip links that log out, delete something or change a cart. */
  readonly sparesActions: boolean;
};

/** The URL of a link that a crawl may visit, or the reason to skip it. */
export type LinkAdmission = { readonly address: UrlParts } | { readonly skip: SkipReason };

const MAX_URL_LENGTH = 8192;
/** Unfilled templates: `{{url}}`, `${url}`, `<%= url %>`, `[object Object]`, escaped or not. */
const PLACEHOLDER =
  /(?:\{|%7b)(?:\{|%7b)|\$(?:\{|%7b)|(?:<|%3c)%(?![0-9a-f]{2})|(?:<|%3c)%25|(?:\[|%5b)object(?:%20|\+)object(?:\]|%5d)/i;

/**
 * Decides from its text alone whether a crawl may visit a link: validity, scope, filter, kind and crawler traps. `href`
 * is a normalized URL. Robots rules, depth, limits and known URLs are checked elsewhere.
 */
export function admitLink(href: string, { scope, filter, now, sparesActions }: AdmissionRules): LinkAdmission {
  const address = href.length > MAX_URL_LENGTH || PLACEHOLDER.test(href) ? null : toUrlParts(href);
  if (address === null) return { skip: 'invalid' };
  if (!isInScope(scope, address)) return { skip: 'scope' };
  const routed = toRoutedParts(href) ?? address;
  if (!filter.admits(routed, 'link')) return { skip: 'filter' };
  if (sparesActions && isUnsafeLink(routed)) return { skip: 'action' };
  if (getLinkKind(address.path) === 'media') return { skip: 'media' };
  return isTrap(address, now) ? { skip: 'limit' } : { address };
}

/** The kind of resource that a link leads to: a page, a document that can be read, or media that cannot. */
type LinkKind = 'page' | 'document' | 'media';

const DOCUMENT_EXTENSIONS = buildWordSet('pdf doc docx odt rtf xls xlsx ods ppt pptx odp epub');

/**
 * Excludes extensions that are also common in names (`.js`, `.ai`, `.so`) and those of server programs that return
 * pages (`.dll`).
 */
const MEDIA_EXTENSIONS = buildWordSet(
  'jpg jpeg png gif webp avif jxl bmp ico tif tiff svg svgz heic heif psd eps cr2 nef djvu',
  'mp3 m4a aac ogg oga opus wav flac wma midi aif aiff',
  'mp4 m4v mov avi mkv webm ogv wmv flv mpg mpeg 3gp m3u8 mpd swf',
  'woff woff2 ttf otf eot css ics vcf',
  'zip gz tgz bz2 tbz xz txz zst 7z rar tar jar war iso img dmg exe msi apk aab ipa deb rpm pkg appimage',
  'wasm torrent azw azw3 parquet sqlite sqlite3 mdb accdb pkl npz onnx safetensors stl glb gltf dwg dxf blend',
);

/**
 * The kind of a link by the file extension of its path. A colon in the last segment marks a wiki page about a file
 * (`/wiki/File:Heron.jpg`).
 */
export function getLinkKind(path: string): LinkKind {
  const dot = path.lastIndexOf('.');
  const slash = path.lastIndexOf('/');
  if (dot <= slash + 1 || path.length - dot > 12 || path.includes(':', slash)) return 'page';
  const ending = path.slice(dot + 1).toLowerCase();
  if (DOCUMENT_EXTENSIONS.has(ending)) return 'document';
  return MEDIA_EXTENSIONS.has(ending) ? 'media' : 'page';
}
