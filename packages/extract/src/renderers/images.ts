import type { Image } from '#extract/reading.ts';
import type { ResolveReference } from '#extract/view/resolve-reference.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import {
  listAttributes,
  getFirstChild,
  isElement,
  isText,
  getKnownAttribute,
  getNextSibling,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';

/** The most nodes of a figure that is searched for its image. */
const MAX_FIGURE_NODES = 200;

/** The absolute URL of the image that a figure declares in microdata, if a script has yet to insert it; else null. */
export function findFigureUrl(tree: Tree, node: number, resolve: ResolveReference): string | null {
  const type = getKnownAttribute(tree, node, ATTRIBUTE.itemtype);
  if (type === null || !/\/ImageObject\s*$/.test(type.slice(0, MAX_REFERENCE_LENGTH))) return null;
  const end = getSubtreeEnd(tree, node);
  if (end - node > MAX_FIGURE_NODES) return null;
  for (let inside = node + 1; inside < end; inside++) {
    if (isImage(getTag(tree, inside)) && findImageUrl(tree, inside, resolve) !== null) return null;
  }
  return toImageUrl(getKnownAttribute(tree, node, ATTRIBUTE.itemid)?.trim() ?? '', resolve);
}

/** Placeholder sources of lazily loaded images. */
const PLACEHOLDER = /^data:|^about:|blank\.|placeholder|spacer|1x1|lazy[-_.]?load|loading\.gif|transparent\./i;
const LAZY_ATTRIBUTES = [ATTRIBUTE.dataSrc, ATTRIBUTE.dataOriginal, ATTRIBUTE.dataLazySrc];

const IMAGE_TAGS = buildTagSet('img amp-img amp-anim');

/** Whether a tag is that of an image, including AMP's. */
export function isImage(tag: number): boolean {
  return IMAGE_TAGS[tag] === 1;
}

/**
 * Lists every image of the page once, in order, including lazily loaded ones, with the largest source of a source set.
 * Inert templates are skipped.
 */
export function listImages(tree: Tree, resolve: ResolveReference): readonly Image[] {
  const images = new Map<string, Image>();
  for (let node = 1; node < tree.count; node++) {
    const tag = getTag(tree, node);
    if (tag === TAG.template) node = getSubtreeEnd(tree, node) - 1;
    if (!isImage(tag) && tag !== TAG.figure) continue;
    const url = tag === TAG.figure ? findFigureUrl(tree, node, resolve) : findImageUrl(tree, node, resolve);
    if (url === null || images.has(url)) continue;
    const alt = getKnownAttribute(tree, node, ATTRIBUTE.alt);
    const width = toPixels(getKnownAttribute(tree, node, ATTRIBUTE.width));
    const height = toPixels(getKnownAttribute(tree, node, ATTRIBUTE.height));
    images.set(url, { url, alt: alt === null ? null : alt.replace(/\s+/g, ' ').trim(), width, height });
  }
  return [...images.values()];
}

/**
 * The absolute URL that an image shows after loading. Null for inline data, tracking pixels, images without a source,
 * and the redundant one of an image and its `noscript` copy.
 */
export function findImageUrl(tree: Tree, node: number, resolve: ResolveReference): string | null {
  if (isTracker(tree, node)) return null;
  const shown = findSource(tree, node);
  if (hasDuplicate(tree, node, shown) || isPreview(tree, node, shown)) return null;
  return toImageUrl(shown ?? getKnownAttribute(tree, node, ATTRIBUTE.src)?.trim() ?? '', resolve);
}

function toImageUrl(reference: string, resolve: ResolveReference): string | null {
  if (reference === '' || reference.startsWith('data:')) return null;
  const url = resolve(reference);
  return url !== null && /^https?:/.test(url) ? url : null;
}

/** The reference that an image shows after loading; null if it only has a placeholder. */
function findSource(tree: Tree, node: number): string | null {
  const best = readLargestSource(tree, node, ATTRIBUTE.srcset);
  if (best !== null && !isPlaceholder(best)) return best;
  const source = getKnownAttribute(tree, node, ATTRIBUTE.src)?.trim() ?? '';
  const isShown = source !== '' && !isPlaceholder(source);
  if (isShown && !isThumbnail(tree, node, source)) return source;
  for (const id of LAZY_ATTRIBUTES) {
    const lazy = getKnownAttribute(tree, node, id)?.trim() ?? '';
    if (lazy !== '') return lazy;
  }
  const late =
    readLargestSource(tree, node, ATTRIBUTE.dataSrcset) ?? readPictureSource(tree, node) ?? findLazySource(tree, node);
  return late ?? (isShown ? source : null);
}

function isPlaceholder(source: string): boolean {
  return PLACEHOLDER.test(source.slice(0, MAX_REFERENCE_LENGTH));
}

/** Class names of small or blurred previews that are shown until the image has loaded. */
const THUMBNAIL_CLASS = /(?:^|[\s_-])(?:thumb(?:nail)?|lqip|blur(?:red|-?up)?|preview|placeholder)(?:$|[\s_-])/i;
const THUMBNAIL_FILE =
  /[-_]\d{1,2}x\d{1,2}\.[a-z]{3,4}(?:[?#]|$)|[?&,/](?:blur|e_blur)[=:]|[?&](?:w|width)=\d{1,2}(?:&|$)|lqip/i;

/** Whether an image looks like a preview of a lazily loaded one or of one in a `noscript`. */
function isThumbnail(tree: Tree, node: number, source: string): boolean {
  if (THUMBNAIL_FILE.test(source.slice(0, MAX_REFERENCE_LENGTH))) return true;
  return THUMBNAIL_CLASS.test(getKnownAttribute(tree, node, ATTRIBUTE.class)?.slice(0, MAX_REFERENCE_LENGTH) ?? '');
}

/** Words in the names of attributes with a lazily loaded source, the best first. */
const LAZY_NAMES = [/large|full|big|high|hi-?res|orig/, /src|lazy|url|image|img|normal/];
const IMAGE_FILE = /.\.(?:jpe?g|png|webp|gif|avif)(?:[?#]|$)/i;

/** The image URL in an attribute that a lazy loading script reads; null if there is none. */
function findLazySource(tree: Tree, node: number): string | null {
  const files = listAttributes(tree, node).filter(
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

/** Two steps, because a combined pattern would take quadratic time. */
function isImageFile(address: string): boolean {
  return !/\s/.test(address) && IMAGE_FILE.test(address);
}

const EAGER_ATTRIBUTES = new Set(['src', 'alt', 'title']);

/** The most wrappers around a lazily loaded image and its `noscript`. */
const MAX_WRAPPERS = 3;
const MAX_WRAPPER_NODES = 20;
const MAX_REFERENCE_LENGTH = 2048;

/**
 * Whether another copy of the image is shown instead: lazy loading repeats it in a `noscript`. The copy outside of the
 * `noscript` counts if it has a source, else the one inside.
 */
function hasDuplicate(tree: Tree, node: number, shown: string | null): boolean {
  const noscript = findNoscript(tree, node);
  if (noscript === 0) return shown === null && findDuplicateBeside(tree, node) !== 0;
  if (findSoleImage(tree, noscript) !== node) return false;
  const around = getParent(tree, noscript);
  const twins = [
    isImage(getTag(tree, around)) ? around : 0,
    ...listNeighbours(tree, noscript).map((at) => findSoleImage(tree, at)),
  ];
  return twins.some((twin) => {
    if (twin === 0 || findNoscript(tree, twin) !== 0) return false;
    const source = findSource(tree, twin);
    return source !== null && !isPreview(tree, twin, source);
  });
}

function findNoscript(tree: Tree, node: number): number {
  let around = getParent(tree, node);
  for (let level = 0; level < MAX_WRAPPERS && around !== 0; level++, around = getParent(tree, around)) {
    if (getTag(tree, around) === TAG.noscript) return around;
  }
  return 0;
}

/** The image of a `noscript` next to an image, or next to its wrapper. */
function findDuplicateBeside(tree: Tree, node: number): number {
  let wrapper = node;
  for (let level = 0; level < MAX_WRAPPERS && findSoleImage(tree, wrapper) === node; level++) {
    for (const beside of listNeighbours(tree, wrapper)) {
      const twin = getTag(tree, beside) === TAG.noscript ? findSoleImage(tree, beside) : 0;
      if (twin !== 0) return twin;
    }
    wrapper = getParent(tree, wrapper);
  }
  return 0;
}

/** The most elements after a preview that are examined for the actual image. */
const MAX_ELEMENTS_AFTER = 2;

/**
 * Whether an image is only a preview of the one in a `noscript` right after it: the same file in another size, or a
 * thumbnail.
 */
function isPreview(tree: Tree, node: number, shown: string | null): boolean {
  const name = shown === null ? '' : getFileName(shown);
  // A lazily loaded source is the actual image.
  const isLazy = shown !== getKnownAttribute(tree, node, ATTRIBUTE.src)?.trim();
  if (name === '' || isLazy || findNoscript(tree, node) !== 0) return false;
  let wrapper = node;
  for (let level = 0; level < MAX_WRAPPERS && findSoleImage(tree, wrapper) === node; level++) {
    let after = getNextSibling(tree, wrapper);
    for (let passed = 0; after !== 0 && passed < MAX_ELEMENTS_AFTER; after = getNextSibling(tree, after)) {
      if (!isElement(tree, after)) continue;
      passed++;
      const twin = getTag(tree, after) === TAG.noscript ? findSoleImage(tree, after) : 0;
      const source = twin === 0 ? null : findSource(tree, twin);
      if (source === null || source === shown) continue;
      if (getFileName(source) === name || isThumbnail(tree, node, shown ?? '')) return true;
    }
    wrapper = getParent(tree, wrapper);
  }
  return false;
}

/** The file name in a URL. */
function getFileName(reference: string): string {
  const path = reference.slice(0, MAX_REFERENCE_LENGTH).replace(/[?#].*$/s, '');
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The elements directly before and after a node. */
function listNeighbours(tree: Tree, node: number): readonly number[] {
  let before = getPreviousSibling(tree, node);
  let after = getNextSibling(tree, node);
  while (isBlank(tree, before)) before = getPreviousSibling(tree, before);
  while (isBlank(tree, after)) after = getNextSibling(tree, after);
  return [before, after].filter((beside) => beside !== 0 && isElement(tree, beside));
}

function isBlank(tree: Tree, node: number): boolean {
  return node !== 0 && isText(tree, node) && ((tree.flags[node] ?? 0) & WHITESPACE) !== 0;
}

/** The image that is the only content of an element, or the element itself; 0 if there is none. */
function findSoleImage(tree: Tree, root: number): number {
  const end = getSubtreeEnd(tree, root);
  if (end - root > MAX_WRAPPER_NODES) return 0;
  let image = 0;
  for (let node = root; node < end; node++) {
    if (isText(tree, node) && !isBlank(tree, node)) return 0;
    if (!isImage(getTag(tree, node))) continue;
    if (image !== 0) return 0;
    image = node;
    // An AMP image contains its fallback.
    node = getSubtreeEnd(tree, node) - 1;
  }
  return image;
}

function readLargestSource(tree: Tree, node: number, attribute: number): string | null {
  const set = getKnownAttribute(tree, node, attribute);
  return set === null ? null : chooseLargest(set);
}

function readPictureSource(tree: Tree, node: number): string | null {
  const picture = getParent(tree, node);
  if (getTag(tree, picture) !== TAG.picture) return null;
  for (let child = getFirstChild(tree, picture); child !== 0; child = getNextSibling(tree, child)) {
    if (!isElement(tree, child) || getTag(tree, child) !== TAG.source) continue;
    const source =
      readLargestSource(tree, child, ATTRIBUTE.srcset) ?? readLargestSource(tree, child, ATTRIBUTE.dataSrcset);
    if (source !== null) return source;
  }
  return null;
}

/** The candidate of a source set with the largest width or density. URLs may contain commas, so they end at a space. */
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
 * Whether an image is a tracking pixel, or a spacer of one pixel height in a table. A minimum size in its style means
 * that it fills its container.
 */
function isTracker(tree: Tree, node: number): boolean {
  const declared = getKnownAttribute(tree, node, ATTRIBUTE.style)?.slice(0, MAX_STYLE_LENGTH) ?? null;
  const style = declared === null || MIN_SIZE.test(declared) ? null : declared;
  const width = toPixels(getKnownAttribute(tree, node, ATTRIBUTE.width) ?? readDeclaration(style, STYLED_WIDTH));
  const height = toPixels(getKnownAttribute(tree, node, ATTRIBUTE.height) ?? readDeclaration(style, STYLED_HEIGHT));
  if (width === null || height === null) return false;
  return (
    (width <= 1 && height <= 1) ||
    (height <= 1 && width >= MIN_SPACER_WIDTH && getTag(tree, getParent(tree, node)) === TAG.td)
  );
}

/** With a smaller width, width and height may be an aspect ratio. */
const MIN_SPACER_WIDTH = 8;
const STYLED_WIDTH = /(?:^|[;\s])width\s{0,9}:([^;]{1,20})/i;
const STYLED_HEIGHT = /(?:^|[;\s])height\s{0,9}:([^;]{1,20})/i;
const MIN_SIZE = /min-(?:width|height)/i;
const MAX_STYLE_LENGTH = 1_000;

/** The value of a declaration in an inline style; null if it is absent. */
function readDeclaration(style: string | null, declaration: RegExp): string | null {
  return style === null ? null : (declaration.exec(style)?.[1] ?? null);
}

function toPixels(value: string | null): number | null {
  const found = /^\s*(\d{1,6})(?:\.\d+)?(?:px)?\s*$/.exec(value ?? '');
  return found === null ? null : Number(found[1]);
}
