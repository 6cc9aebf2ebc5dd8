import { isImage } from './images.ts';
import {
  readCollapsedText,
  readCharacters,
  isText,
  getKnownAttribute,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { type Link, MAX_LINKS } from '#extract/reading.ts';
import type { View } from '#extract/view/view.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { collapseSpace } from '#extract/values/space.ts';

const MAX_TEXT_LENGTH = 1000;

/**
 * Lists the links of the whole page in order; each target and text once, and at most one link more than `MAX_LINKS`.
 * `internal` means the page's own host, with or without `www.`; `nofollow` includes that of the page's robots meta.
 */
export function listLinks({ tree, findTarget }: Pick<View, 'tree' | 'findTarget'>, pageUrl: string): readonly Link[] {
  const links: Link[] = [];
  const seen: SeenTexts = new Map();
  const host = getBareHost(pageUrl);
  let pageNofollow = false;
  for (let node = 1; node < tree.count && links.length <= MAX_LINKS; node++) {
    const tag = getTag(tree, node);
    if (tag === TAG.meta) pageNofollow ||= forbidsFollowing(tree, node);
    if (tag === TAG.template) node = getSubtreeEnd(tree, node) - 1;
    if (tag !== TAG.a && tag !== TAG.area) continue;
    const url = findTarget(node);
    if (url === null) continue;
    const text = readLinkText(tree, node);
    if (!addIfNew(seen, url, text)) continue;
    const rel = getKnownAttribute(tree, node, ATTRIBUTE.rel)?.trim() ?? '';
    const nofollow = pageNofollow || (rel !== '' && /(?:^|\s)nofollow(?:\s|$)/i.test(rel));
    links.push({ url, text, rel: rel === '' ? null : rel, internal: isOnHost(host, url), nofollow });
  }
  return links;
}

function forbidsFollowing(tree: Tree, meta: number): boolean {
  if (getKnownAttribute(tree, meta, ATTRIBUTE.name)?.trim().toLowerCase() !== 'robots') return false;
  return /(?:^|[\s,])(?:nofollow|none)(?:[\s,]|$)/i.test(getKnownAttribute(tree, meta, ATTRIBUTE.content) ?? '');
}

/** The texts of each target. Most targets have one, so a set is only created for the second. */
type SeenTexts = Map<string, string | Set<string>>;

/** Records a target with its text; false if the pair is known. */
function addIfNew(seen: SeenTexts, url: string, text: string): boolean {
  const texts = seen.get(url);
  if (texts === undefined) seen.set(url, text);
  else if (typeof texts === 'string') {
    if (texts === text) return false;
    seen.set(url, new Set([texts, text]));
  } else {
    if (texts.has(text)) return false;
    texts.add(text);
  }
  return true;
}

/** The text of a link; else its label, its title or the alternative text of its image. */
function readLinkText(tree: Tree, node: number): string {
  const text = readVisibleText(tree, node);
  if (text !== '') return text;
  const named = getKnownAttribute(tree, node, ATTRIBUTE.ariaLabel) ?? getKnownAttribute(tree, node, ATTRIBUTE.title);
  const label = named ?? getKnownAttribute(tree, node, ATTRIBUTE.alt) ?? findImageAlt(tree, node) ?? '';
  return label.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
}

/** Fast path: most links contain a single text node. */
function readVisibleText(tree: Tree, node: number): string {
  const only = node + 1;
  if (getSubtreeEnd(tree, node) !== only + 1 || !isText(tree, only)) {
    return readCollapsedText(tree, node, MAX_TEXT_LENGTH).slice(0, MAX_TEXT_LENGTH);
  }
  return collapseSpace(readCharacters(tree, only, MAX_TEXT_LENGTH)).slice(0, MAX_TEXT_LENGTH);
}

function findImageAlt(tree: Tree, link: number): string | null {
  const end = Math.min(getSubtreeEnd(tree, link), link + 200);
  for (let node = link + 1; node < end; node++) {
    if (isImage(getTag(tree, node))) return getKnownAttribute(tree, node, ATTRIBUTE.alt);
  }
  return null;
}

/** Whether an http(s) URL is on a host, with or without `www.`. */
function isOnHost(host: string, url: string): boolean {
  const scheme = url.startsWith('https://') ? 8 : url.startsWith('http://') ? 7 : 0;
  if (host === '' || scheme === 0) return false;
  const start = url.startsWith('www.', scheme) ? scheme + 4 : scheme;
  return url.startsWith(host, start) && HOST_ENDS.includes(url.charAt(start + host.length));
}

/** Characters that may follow a host; `''` at the end of the URL matches too. */
const HOST_ENDS = '/?#';

/** The host of an http(s) URL without `www.`; `''` for other URLs. */
function getBareHost(url: string): string {
  return /^https?:\/\/(?:www\.)?([^/?#]+)/.exec(url)?.[1] ?? '';
}
