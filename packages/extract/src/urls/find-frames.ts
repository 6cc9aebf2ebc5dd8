import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { parseHtml } from '#extract/html/parse.ts';
import {
  getAttribute,
  getKnownAttribute,
  findNextTag,
  getParent,
  getTag,
  readText,
  type Tree,
} from '#extract/html/tree.ts';
import { readHiding } from '#extract/view/hiding.ts';
import type { ResolveReference } from '#extract/view/resolve-reference.ts';
import { removeFragment } from './hash-routes.ts';
import { isUnsafeUrl, isServiceFrame, isWidgetFrame } from './frame-kinds.ts';

/** A frame that may show content: another document, or HTML in its `srcdoc`. */
export type Frame =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'srcdoc'; readonly html: string; readonly baseUrl: string };

/** A frame and its element. */
export type FrameNode = { readonly node: number; readonly frame: Frame };

/** The most frames of a page that are considered, per tag. */
const MAX_FRAMES = 200;
/** Frames with a side of at most this many pixels only track or report. */
const MAX_TINY_PX = 10;
/** The most characters of a name that are considered. */
const MAX_NAME_LENGTH = 300;
/** Document types that `object` and `embed` show; without a type the URL decides. */
const DOCUMENT_TYPE = /^(?:text\/html|application\/(?:xhtml\+xml|pdf|x-pdf))\s*(?:;|$)/i;
const DOCUMENT_PATH = /\.(?:pdf|x?html?|php|aspx?|jsp)$|\/$/i;

/** Whether to find all frames that may show content, or only those that deserve a warning. */
export type FrameSearch = 'all' | 'likely';

type FrameContext = { readonly pageUrl: string; readonly resolve: ResolveReference; readonly search: FrameSearch };

/**
 * Finds the frames of a page that may show content, in document order. Skips hidden and tiny frames, and those of
 * advertising, analytics, captchas, players and other services.
 */
export function findFrames(tree: Tree, context: FrameContext): readonly FrameNode[] {
  const found: FrameNode[] = [];
  const nodes = [TAG.frame, TAG.iframe, TAG.object, TAG.embed].flatMap((tag) => listNodes(tree, tag));
  for (const node of nodes.toSorted((one, other) => one - other)) {
    const frame = readFrame(tree, node, context);
    if (frame === null || !isVisible(tree, node)) continue;
    // A page cannot be a frame of itself.
    if (frame.kind === 'address' && removeFragment(frame.url) === removeFragment(context.pageUrl)) continue;
    found.push({ node, frame });
  }
  return found;
}

function listNodes(tree: Tree, tag: number): readonly number[] {
  const nodes: number[] = [];
  for (let node = findNextTag(tree, tag, 1); node !== 0 && nodes.length < MAX_FRAMES;) {
    nodes.push(node);
    node = findNextTag(tree, tag, node + 1);
  }
  return nodes;
}

function readFrame(tree: Tree, node: number, { pageUrl, resolve, search }: FrameContext): Frame | null {
  const tag = getTag(tree, node);
  const names = listNames(tree, node);
  const html = tag === TAG.iframe ? getAttribute(tree, node, 'srcdoc') : null;
  if (html !== null) {
    const isNothing = isServiceFrame(null, names) || readText(parseHtml(html), 0).trim() === '';
    return isNothing ? null : { kind: 'srcdoc', html, baseUrl: resolve('') ?? pageUrl };
  }
  const reference = readReference(tree, node);
  const url = reference === '' || /^about:/i.test(reference) ? null : resolve(reference);
  if (url === null || !/^https?:/.test(url)) return null;
  const frame: Frame = { kind: 'address', url };
  if (tag === TAG.frame) return frame;
  if (tag !== TAG.iframe && !showsDocument(tree, node, url)) return null;
  const to = new URL(url);
  if (isServiceFrame(to, names)) return null;
  return search === 'likely' && (isWidgetFrame(to, names) || isUnsafeUrl(url)) ? null : frame;
}

function listNames(tree: Tree, node: number): readonly string[] {
  return [ATTRIBUTE.id, ATTRIBUTE.name, ATTRIBUTE.class, ATTRIBUTE.title].map((id) =>
    (getKnownAttribute(tree, node, id) ?? '').slice(0, MAX_NAME_LENGTH),
  );
}

/** The URL of a frame; for lazily loaded ones that of `data-src`. */
function readReference(tree: Tree, node: number): string {
  if (getTag(tree, node) === TAG.object) return getAttribute(tree, node, 'data')?.trim() ?? '';
  const source = getKnownAttribute(tree, node, ATTRIBUTE.src)?.trim() ?? '';
  const isLate = getTag(tree, node) === TAG.iframe && (source === '' || /^about:/i.test(source));
  return isLate ? (getKnownAttribute(tree, node, ATTRIBUTE.dataSrc)?.trim() ?? '') : source;
}

/** Whether an `object` or `embed` shows a page or a PDF, not an image or program. */
function showsDocument(tree: Tree, node: number, url: string): boolean {
  const type = getKnownAttribute(tree, node, ATTRIBUTE.type)?.trim() ?? '';
  return type === '' ? DOCUMENT_PATH.test(new URL(url).pathname) : DOCUMENT_TYPE.test(type);
}

/** Whether a frame is visible: it is not tiny, and neither it nor an ancestor is hidden. */
function isVisible(tree: Tree, frame: number): boolean {
  if (isTiny(tree, frame)) return false;
  for (let node = frame; node !== 0; node = getParent(tree, node)) {
    if (readHiding(tree, node) !== 0 || getTag(tree, node) === TAG.template) return false;
    // The content of an object is shown only if the object cannot be.
    if (node !== frame && getTag(tree, node) === TAG.object) return false;
  }
  return true;
}

function isTiny(tree: Tree, frame: number): boolean {
  const style = getKnownAttribute(tree, frame, ATTRIBUTE.style) ?? '';
  // Its size is set by a script or a minimum.
  if (/min-(?:width|height)/i.test(style)) return false;
  const stated = [ATTRIBUTE.width, ATTRIBUTE.height].map((id) => getKnownAttribute(tree, frame, id) ?? '');
  const styled = [...style.matchAll(/(?<![\w-])(?:width|height)\s*:\s*(\d+(?:px)?)\s*(?:;|!|$)/gi)].map(
    ([, size = '']) => size,
  );
  const sizes = [...stated, ...styled].flatMap((text) => /^\s*(\d+)(?:\.\d+)?(?:px)?\s*$/i.exec(text)?.[1] ?? []);
  return sizes.some((size) => Number(size) <= MAX_TINY_PX);
}
