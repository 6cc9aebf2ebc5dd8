import type { Image } from '#extract/reading.ts';
import type { ResolveReference } from '#extract/view/resolve-reference.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import {
  attributesOf,
  firstChildOf,
  isElement,
  isText,
  knownAttribute,
  nextOf,
  parentOf,
  previousOf,
  subtreeEndOf,
  tagOf,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';

/** Nodes of a figure that is looked through for its image. */
const MAX_FIGURE_NODES = 200;

/** The absolute URL of the image that a figure says it is (microdata) where a script has yet to put one into it; else null. */
export function findFigureUrl(tree: Tree, node: number, resolve: ResolveReference): string | null {
  const type = knownAttribute(tree, node, ATTRIBUTE.itemtype);
  if (type === null || !/\/ImageObject\s*$/.test(type.slice(0, MAX_REFERENCE_LENGTH))) return null;
  const end = subtreeEndOf(tree, node);
  if (end - node > MAX_FIGURE_NODES) return null;
  for (let inside = node + 1; inside < end; inside++) {
    if (isImage(tagOf(tree, inside)) && findImageUrl(tree, inside, resolve) !== null) return null;
  }
  return toImageUrl(knownAttribute(tree, node, ATTRIBUTE.itemid)?.trim() ?? '', resolve);
}

/** A source that only holds the place of a lazily loaded one. */
const PLACEHOLDER = /^data:|^about:|blank\.|placeholder|spacer|1x1|lazy[-_.]?load|loading\.gif|transparent\./i;
const LAZY_ATTRIBUTES = [ATTRIBUTE.dataSrc, ATTRIBUTE.dataOriginal, ATTRIBUTE.dataLazySrc];

const IMAGE_TAGS = tagSet('img amp-img amp-anim');

/** Whether a tag is that of an image, AMP's included. */
export function isImage(tag: number): boolean {
  return IMAGE_TAGS[tag] === 1;
}

/**
 * Every image of the page once, in order: lazy sources and the largest of a source set included. What a template holds
 * is not yet part of the page.
 */
export function imagesOf(tree: Tree, resolve: ResolveReference): readonly Image[] {
  const images = new Map<string, Image>();
  for (let node = 1; node < tree.count; node++) {
    const tag = tagOf(tree, node);
    if (tag === TAG.template) node = subtreeEndOf(tree, node) - 1;
    if (!isImage(tag) && tag !== TAG.figure) continue;
    const url = tag === TAG.figure ? findFigureUrl(tree, node, resolve) : findImageUrl(tree, node, resolve);
    if (url === null || images.has(url)) continue;
    const alt = knownAttribute(tree, node, ATTRIBUTE.alt);
    const width = toPixels(knownAttribute(tree, node, ATTRIBUTE.width));
    const height = toPixels(knownAttribute(tree, node, ATTRIBUTE.height));
    images.set(url, { url, alt: alt === null ? null : alt.replace(/\s+/g, ' ').trim(), width, height });
  }
  return [...images.values()];
}

/**
 * The absolute URL that an image shows once it has loaded; null for inline data, trackers, what has none, and the one of
 * two that is there with scripts or without.
 */
export function findImageUrl(tree: Tree, node: number, resolve: ResolveReference): string | null {
  if (isTracker(tree, node)) return null;
  const shown = findSource(tree, node);
  if (hasDuplicate(tree, node, shown) || isPreview(tree, node, shown)) return null;
  return toImageUrl(shown ?? knownAttribute(tree, node, ATTRIBUTE.src)?.trim() ?? '', resolve);
}

function toImageUrl(reference: string, resolve: ResolveReference): string | null {
  if (reference === '' || reference.startsWith('data:')) return null;
  const url = resolve(reference);
  return url !== null && /^https?:/.test(url) ? url : null;
}

/** The reference that an image ends up with; null where only the place of one is held. */
function findSource(tree: Tree, node: number): string | null {
  const best = readLargestSource(tree, node, ATTRIBUTE.srcset);
  if (best !== null && !isPlaceholder(best)) return best;
  const source = knownAttribute(tree, node, ATTRIBUTE.src)?.trim() ?? '';
  const isShown = source !== '' && !isPlaceholder(source);
  if (isShown && !isThumbnail(tree, node, source)) return source;
  for (const id of LAZY_ATTRIBUTES) {
    const lazy = knownAttribute(tree, node, id)?.trim() ?? '';
    if (lazy !== '') return lazy;
  }
  const late =
    readLargestSource(tree, node, ATTRIBUTE.dataSrcset) ?? readPictureSource(tree, node) ?? findLazySource(tree, node);
  return late ?? (isShown ? source : null);
}

function isPlaceholder(source: string): boolean {
  return PLACEHOLDER.test(source.slice(0, MAX_REFERENCE_LENGTH));
}

/** Names of small pictures that are shown, blurred, until the picture itself has loaded. */
const THUMBNAIL_CLASS = /(?:^|[\s_-])(?:thumb(?:nail)?|lqip|blur(?:red|-?up)?|preview|placeholder)(?:$|[\s_-])/i;
const THUMBNAIL_FILE =
  /[-_]\d{1,2}x\d{1,2}\.[a-z]{3,4}(?:[?#]|$)|[?&,/](?:blur|e_blur)[=:]|[?&](?:w|width)=\d{1,2}(?:&|$)|lqip/i;

/** Whether a picture says that it only previews another: what loads later, or stands in a `noscript`, is that. */
function isThumbnail(tree: Tree, node: number, source: string): boolean {
  if (THUMBNAIL_FILE.test(source.slice(0, MAX_REFERENCE_LENGTH))) return true;
  return THUMBNAIL_CLASS.test(knownAttribute(tree, node, ATTRIBUTE.class)?.slice(0, MAX_REFERENCE_LENGTH) ?? '');
}

/** Words in the names of attributes that keep the address of an image for a script that loads it late, the best first. */
const LAZY_NAMES = [/large|full|big|high|hi-?res|orig/, /src|lazy|url|image|img|normal/];
const IMAGE_FILE = /.\.(?:jpe?g|png|webp|gif|avif)(?:[?#]|$)/i;

/** The address of an image file in an attribute that one of many scripts for lazy loading reads. */
function findLazySource(tree: Tree, node: number): string | null {
  const files = attributesOf(tree, node).filter(
    ({ name, value }) =>
      !EAGER_ATTRIBUTES.has(name) &&
      value.length <= MAX_REFERENCE_LENGTH &&
      isImageFile(value.trim()) &&
      !PLACEHOLDER.test(value),
  );
  for (const names of LAZY_NAMES) {
    const late = files.find(({ name }) => names.test(name));
    if (late !== undefined) return late.value.trim();
  }
  return null;
}

/** Asked in two steps: in one pattern each place that ends a name would be followed to the end. */
function isImageFile(address: string): boolean {
  return !/\s/.test(address) && IMAGE_FILE.test(address);
}

const EAGER_ATTRIBUTES = new Set(['src', 'alt', 'title']);

/** How far a lazy image and its `noscript` may be wrapped. */
const MAX_WRAPPERS = 3;
const MAX_WRAPPER_NODES = 20;
const MAX_REFERENCE_LENGTH = 2048;

/**
 * Whether the same picture stands beside it: lazy loading puts it into a `noscript` once more. Of the two that counts
 * which says where it is, and the one for scripts before the other.
 */
function hasDuplicate(tree: Tree, node: number, shown: string | null): boolean {
  const noscript = findNoscript(tree, node);
  if (noscript === 0) return shown === null && findDuplicateBeside(tree, node) !== 0;
  if (findSoleImage(tree, noscript) !== node) return false;
  const around = parentOf(tree, noscript);
  const twins = [
    isImage(tagOf(tree, around)) ? around : 0,
    ...listNeighbours(tree, noscript).map((at) => findSoleImage(tree, at)),
  ];
  return twins.some((twin) => {
    if (twin === 0 || findNoscript(tree, twin) !== 0) return false;
    const source = findSource(tree, twin);
    return source !== null && !isPreview(tree, twin, source);
  });
}

function findNoscript(tree: Tree, node: number): number {
  let around = parentOf(tree, node);
  for (let level = 0; level < MAX_WRAPPERS && around !== 0; level++, around = parentOf(tree, around)) {
    if (tagOf(tree, around) === TAG.noscript) return around;
  }
  return 0;
}

/** The image of the `noscript` beside an image, or beside what wraps it alone. */
function findDuplicateBeside(tree: Tree, node: number): number {
  let wrapper = node;
  for (let level = 0; level < MAX_WRAPPERS && findSoleImage(tree, wrapper) === node; level++) {
    for (const beside of listNeighbours(tree, wrapper)) {
      const twin = tagOf(tree, beside) === TAG.noscript ? findSoleImage(tree, beside) : 0;
      if (twin !== 0) return twin;
    }
    wrapper = parentOf(tree, wrapper);
  }
  return 0;
}

/** Elements after a preview in which the picture itself may stand. */
const MAX_ELEMENTS_AFTER = 2;

/** Whether an image only previews the one in a `noscript` right after it: another size of the same file, or a thumbnail. */
function isPreview(tree: Tree, node: number, shown: string | null): boolean {
  const name = shown === null ? '' : getFileName(shown);
  // What scripts load later is the picture itself.
  const isLazy = shown !== knownAttribute(tree, node, ATTRIBUTE.src)?.trim();
  if (name === '' || isLazy || findNoscript(tree, node) !== 0) return false;
  let wrapper = node;
  for (let level = 0; level < MAX_WRAPPERS && findSoleImage(tree, wrapper) === node; level++) {
    let after = nextOf(tree, wrapper);
    for (let passed = 0; after !== 0 && passed < MAX_ELEMENTS_AFTER; after = nextOf(tree, after)) {
      if (!isElement(tree, after)) continue;
      passed++;
      const twin = tagOf(tree, after) === TAG.noscript ? findSoleImage(tree, after) : 0;
      const source = twin === 0 ? null : findSource(tree, twin);
      if (source === null || source === shown) continue;
      if (getFileName(source) === name || isThumbnail(tree, node, shown ?? '')) return true;
    }
    wrapper = parentOf(tree, wrapper);
  }
  return false;
}

/** The name of the file that an address ends with. */
function getFileName(reference: string): string {
  const path = reference.slice(0, MAX_REFERENCE_LENGTH).replace(/[?#].*$/s, '');
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The elements right before and after a node. */
function listNeighbours(tree: Tree, node: number): readonly number[] {
  let before = previousOf(tree, node);
  let after = nextOf(tree, node);
  while (isBlank(tree, before)) before = previousOf(tree, before);
  while (isBlank(tree, after)) after = nextOf(tree, after);
  return [before, after].filter((beside) => beside !== 0 && isElement(tree, beside));
}

function isBlank(tree: Tree, node: number): boolean {
  return node !== 0 && isText(tree, node) && ((tree.flags[node] ?? 0) & WHITESPACE) !== 0;
}

/** The image that is all there is in an element, or is the element; 0 for none. */
function findSoleImage(tree: Tree, root: number): number {
  const end = subtreeEndOf(tree, root);
  if (end - root > MAX_WRAPPER_NODES) return 0;
  let image = 0;
  for (let node = root; node < end; node++) {
    if (isText(tree, node) && !isBlank(tree, node)) return 0;
    if (!isImage(tagOf(tree, node))) continue;
    if (image !== 0) return 0;
    image = node;
    // An image of AMP holds what stands for it.
    node = subtreeEndOf(tree, node) - 1;
  }
  return image;
}

function readLargestSource(tree: Tree, node: number, attribute: number): string | null {
  const set = knownAttribute(tree, node, attribute);
  return set === null ? null : chooseLargest(set);
}

function readPictureSource(tree: Tree, node: number): string | null {
  const picture = parentOf(tree, node);
  if (tagOf(tree, picture) !== TAG.picture) return null;
  for (let child = firstChildOf(tree, picture); child !== 0; child = nextOf(tree, child)) {
    if (!isElement(tree, child) || tagOf(tree, child) !== TAG.source) continue;
    const source =
      readLargestSource(tree, child, ATTRIBUTE.srcset) ?? readLargestSource(tree, child, ATTRIBUTE.dataSrcset);
    if (source !== null) return source;
  }
  return null;
}

/** The candidate of a source set with the greatest width or density; URLs may hold commas, so they end at a space. */
function chooseLargest(set: string): string | null {
  let best: string | null = null;
  let most = -1;
  for (const [, url, size] of set.matchAll(/([^\s,]\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)) {
    const value = Number(size ?? 1);
    if (url === undefined || url.startsWith('data:') || value <= most) continue;
    best = url;
    most = value;
  }
  return best;
}

/**
 * Images of one pixel are there to be counted, not seen, and those one pixel high to set others in; what has a least size
 * besides fills its box.
 */
function isTracker(tree: Tree, node: number): boolean {
  const declared = knownAttribute(tree, node, ATTRIBUTE.style)?.slice(0, MAX_STYLE_LENGTH) ?? null;
  const style = declared === null || MIN_SIZE.test(declared) ? null : declared;
  const width = toPixels(knownAttribute(tree, node, ATTRIBUTE.width) ?? readDeclaration(style, STYLED_WIDTH));
  const height = toPixels(knownAttribute(tree, node, ATTRIBUTE.height) ?? readDeclaration(style, STYLED_HEIGHT));
  if (width === null || height === null) return false;
  return (
    (width <= 1 && height <= 1) ||
    (height <= 1 && width >= MIN_SPACER_WIDTH && tagOf(tree, parentOf(tree, node)) === TAG.td)
  );
}

/** A lower width and a height of 1 may be a ratio. */
const MIN_SPACER_WIDTH = 8;
const STYLED_WIDTH = /(?:^|[;\s])width\s{0,9}:([^;]{1,20})/i;
const STYLED_HEIGHT = /(?:^|[;\s])height\s{0,9}:([^;]{1,20})/i;
const MIN_SIZE = /min-(?:width|height)/i;
const MAX_STYLE_LENGTH = 1_000;

/** The value of one declaration of an inline style. */
function readDeclaration(style: string | null, declaration: RegExp): string | null {
  return style === null ? null : (declaration.exec(style)?.[1] ?? null);
}

function toPixels(value: string | null): number | null {
  const found = /^\s*(\d{1,6})(?:\.\d+)?(?:px)?\s*$/.exec(value ?? '');
  return found === null ? null : Number(found[1]);
}
