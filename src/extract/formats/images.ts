import type { Image } from '#extract/reading.ts';
import type { Resolve } from '#extract/content/resolve.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { firstChildOf, isElement, knownAttribute, nextOf, parentOf, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';

/** A source that only holds the place of a lazily loaded one. */
const PLACEHOLDER = /^data:|^about:|blank\.|placeholder|spacer|1x1|lazy[-_.]?load|loading\.gif|transparent\./i;
const LAZY = [ATTRIBUTE.dataSrc, ATTRIBUTE.dataOriginal, ATTRIBUTE.dataLazySrc];

/** Every image of the page once, in order: lazy sources and the largest of a source set included. */
export function imagesOf(tree: Tree, resolve: Resolve): readonly Image[] {
  const images = new Map<string, Image>();
  for (let node = 1; node < tree.count; node++) {
    if (tagOf(tree, node) !== TAG.img) continue;
    const url = imageUrl(tree, node, resolve);
    if (url === null || images.has(url)) continue;
    const alt = knownAttribute(tree, node, ATTRIBUTE.alt);
    const width = toPixels(knownAttribute(tree, node, ATTRIBUTE.width));
    const height = toPixels(knownAttribute(tree, node, ATTRIBUTE.height));
    images.set(url, { url, alt: alt === null ? null : alt.replace(/\s+/g, ' ').trim(), width, height });
  }
  return [...images.values()];
}

/** The absolute URL that an image shows once it has loaded; null for inline data, trackers and what has none. */
export function imageUrl(tree: Tree, node: number, resolve: Resolve): string | null {
  if (isTracker(tree, node)) return null;
  const reference = sourceOf(tree, node);
  if (reference === null || reference.startsWith('data:')) return null;
  const url = resolve(reference);
  return url !== null && /^https?:/.test(url) ? url : null;
}

function sourceOf(tree: Tree, node: number): string | null {
  const source = knownAttribute(tree, node, ATTRIBUTE.src)?.trim() ?? '';
  if (source !== '' && !PLACEHOLDER.test(source.slice(0, 2048))) return source;
  for (const id of LAZY) {
    const lazy = knownAttribute(tree, node, id)?.trim() ?? '';
    if (lazy !== '') return lazy;
  }
  const set = largestSource(tree, node) ?? pictureSource(tree, node);
  if (set !== null) return set;
  return source === '' ? null : source;
}

function largestSource(tree: Tree, node: number): string | null {
  const set = knownAttribute(tree, node, ATTRIBUTE.srcset) ?? knownAttribute(tree, node, ATTRIBUTE.dataSrcset);
  return set === null ? null : largestOf(set);
}

function pictureSource(tree: Tree, node: number): string | null {
  const picture = parentOf(tree, node);
  if (tagOf(tree, picture) !== TAG.picture) return null;
  for (let child = firstChildOf(tree, picture); child !== 0; child = nextOf(tree, child)) {
    const source = isElement(tree, child) && tagOf(tree, child) === TAG.source ? largestSource(tree, child) : null;
    if (source !== null) return source;
  }
  return null;
}

/** The candidate of a source set with the greatest width or density; URLs may hold commas, so they end at a space. */
function largestOf(set: string): string | null {
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

/** Images of one pixel are there to be counted, not seen. */
function isTracker(tree: Tree, node: number): boolean {
  const width = toPixels(knownAttribute(tree, node, ATTRIBUTE.width));
  const height = toPixels(knownAttribute(tree, node, ATTRIBUTE.height));
  return width !== null && height !== null && width <= 1 && height <= 1;
}

function toPixels(value: string | null): number | null {
  const found = /^\s*(\d{1,6})(?:\.\d+)?(?:px)?\s*$/.exec(value ?? '');
  return found === null ? null : Number(found[1]);
}
