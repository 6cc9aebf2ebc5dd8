import { int32s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, knownAttribute, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';

/** How many links an element holds, and of these to places on the page itself, and to the pages before, after and above. */
export type LinkPlaces = (node: number) => { readonly all: number; readonly local: number; readonly pager: number };

/** The links of every element of a page by where they lead, counted once. */
export function linkPlacesOf(tree: Tree, url: string): LinkPlaces {
  const all = int32s(tree.count + 1);
  const local = int32s(tree.count + 1);
  const pager = int32s(tree.count + 1);
  const file = fileOf(url);
  for (let node = 0; node < tree.count; node++) {
    const href = tagOf(tree, node) === TAG.a ? knownAttribute(tree, node, ATTRIBUTE.href) : null;
    const isPager = href !== null && leadsAlong(tree, node);
    all[node + 1] = (all[node] ?? 0) + Number(href !== null);
    local[node + 1] = (local[node] ?? 0) + Number(href !== null && !isPager && isLocal(href.trim(), file));
    pager[node + 1] = (pager[node] ?? 0) + Number(isPager);
  }
  return (node) => {
    const end = subtreeEndOf(tree, node);
    const within = (counts: Int32Array) => (counts[end] ?? 0) - (counts[node] ?? 0);
    return { all: within(all), local: within(local), pager: within(pager) };
  };
}

function isLocal(href: string, file: string): boolean {
  return href.startsWith('#') || (file !== '' && href.startsWith(`${file}#`));
}

/** The last part of the path of a page, as links of its folder name it. */
function fileOf(url: string): string {
  return URL.parse(url)?.pathname.split('/').at(-1) ?? '';
}

const ALONG = /^(?:next|prev|previous|up|start|first|last|contents|index)$/i;
/** Keys by which generators of manuals let a reader turn pages. */
const KEYS = /^[nphui]$/i;

/** Whether a link turns the pages of a manual, by its relation or its key. */
function leadsAlong(tree: Tree, node: number): boolean {
  const rel = knownAttribute(tree, node, ATTRIBUTE.rel);
  if (rel !== null && rel.split(/\s/).some((one) => ALONG.test(one))) return true;
  return KEYS.test(attributeOf(tree, node, 'accesskey') ?? '');
}
