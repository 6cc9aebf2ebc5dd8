import { ATTRIBUTE, TAG, TAG_NAMES } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import {
  getAttribute,
  getFirstChild,
  isElement,
  getKnownAttribute,
  getTagName,
  getNextSibling,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';

const PLAYER_TAGS = buildTagSet('iframe video audio embed object');
/**
 * Attributes with the source. Those of lazy-loading libraries come first, because `src` has a placeholder until then.
 */
const SOURCE_ATTRIBUTES = [
  'data-src',
  'data-lazy-src',
  'data-litespeed-src',
  'data-iframe-src',
  'data-original',
  'data-url',
  'src',
];
/** AMP and editor elements that embed what they refer to. */
const EMBEDDING_NAME = /^(?:amp-(?:audio|iframe|video|video-iframe)|oembed)$/;
const VIDEO_ID_ATTRIBUTES = [
  'videoid',
  'data-videoid',
  'data-video-id',
  'data-youtube-id',
  'data-vimeo-id',
  'data-id',
  'data-embed',
  'data-ytid',
  'data-yt-id',
  'video-id',
];
const VIDEO_SITES = [
  { named: /youtube/i, url: 'https://www.youtube.com/embed/' },
  { named: /vimeo/i, url: 'https://player.vimeo.com/video/' },
] as const;
const VIDEO_SITE_NAME = /(?:^|[\s_-])(?:youtube|vimeo)(?:$|[\s_-])/i;

/** Whether an element is a frame, a player or an embedded document, or a placeholder for one. */
export function isPlayer(tree: Tree, node: number): boolean {
  return PLAYER_TAGS[getTag(tree, node)] === 1 || isEmbedding(tree, node) || findVideoUrl(tree, node) !== null;
}

function isEmbedding(tree: Tree, node: number): boolean {
  return getTag(tree, node) >= TAG_NAMES.length && EMBEDDING_NAME.test(getTagName(tree, node));
}

/** Whether an element name is that of a player placeholder, such as `lite-youtube`. */
export function isPlayerName(name: string): boolean {
  return EMBEDDING_NAME.test(name) || (name.includes('-') && VIDEO_SITE_NAME.test(name));
}

/** The label of a player without a title. */
export function getPlayerName(tree: Tree, node: number): string {
  const name = getTagName(tree, node);
  if (PLAYER_TAGS[getTag(tree, node)] === 1) return name;
  return /^amp-(?:audio|iframe)$/.test(name) ? name.slice('amp-'.length) : 'video';
}

/** The reference to what a player shows. Null if it shows nothing, or is a tracking pixel. */
export function findPlayerSource(tree: Tree, node: number): string | null {
  if (isTrackingPixel(tree, node)) return null;
  if (getTag(tree, node) === TAG.object) return toLoadable(getAttribute(tree, node, 'data'));
  if (getTagName(tree, node) === 'oembed') return toLoadable(getAttribute(tree, node, 'url'));
  return findOwnSource(tree, node) ?? findChildSource(tree, node) ?? findVideoUrl(tree, node);
}

function findOwnSource(tree: Tree, node: number): string | null {
  if (tree.attributeCount[node] === 0) return null;
  for (const name of SOURCE_ATTRIBUTES) {
    const source = toLoadable(getAttribute(tree, node, name));
    if (source !== null) return source;
  }
  return null;
}

function findChildSource(tree: Tree, node: number): string | null {
  for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child)) {
    const source = isElement(tree, child) && getTag(tree, child) === TAG.source ? findOwnSource(tree, child) : null;
    if (source !== null) return source;
  }
  return null;
}

/** The reference, or null if it is empty, an empty page or inline data. */
function toLoadable(reference: string | null): string | null {
  const trimmed = reference?.trim() ?? '';
  return trimmed === '' || /^(?:about|data|javascript):/i.test(trimmed) ? null : trimmed;
}

/** The video behind a placeholder such as `<lite-youtube videoid=…>`. */
function findVideoUrl(tree: Tree, node: number): string | null {
  if (tree.attributeCount[node] === 0) return null;
  const name = getTagName(tree, node);
  const names = name.includes('-') ? name : (getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '');
  const site = VIDEO_SITE_NAME.test(names) ? VIDEO_SITES.find(({ named }) => named.test(names)) : undefined;
  if (site === undefined) return null;
  for (const attribute of VIDEO_ID_ATTRIBUTES) {
    const id = getAttribute(tree, node, attribute)?.trim() ?? '';
    if (/^[\w-]{6,20}$/.test(id)) return site.url + id;
  }
  return null;
}

/** Whether a frame is at most one pixel large. */
function isTrackingPixel(tree: Tree, node: number): boolean {
  const sizes = [ATTRIBUTE.width, ATTRIBUTE.height].map((name) => getKnownAttribute(tree, node, name)?.trim() ?? '');
  return sizes.every((size) => /^[01](?:px)?$/.test(size));
}
