import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getFirstChild, getKnownAttribute, getTag, type Tree, readOwnText } from '#extract/html/tree.ts';

/** The titles and description in the head of a page. */
export type PageHead = {
  /** Its title and its `og:title`, `''` for none. */
  readonly titles: readonly [string, string];
  readonly description: string;
  /** The address that the page gives itself: its canonical link, else its `og:url`. `''` for none. */
  readonly address: string;
  /** The `og:type`, in lower case. */
  readonly kind: string;
  /** The programs that say that they made the page, `''` for none. */
  readonly generator: string;
  /** Class and id of the body, in lower case. */
  readonly bodyNames: string;
  /** The sources of its JSON-LD scripts, one after the other. */
  readonly jsonLd: string;
};

const MAX_GENERATOR_LENGTH = 500;
const MAX_JSON_LENGTH = 400_000;

export function readPageHead(tree: Tree): PageHead {
  const metas = new Map<string, string>();
  let title = '';
  let bodyNames = '';
  let jsonLd = '';
  let canonical = '';
  for (let node = 1; node < tree.count; node++) {
    const tag = getTag(tree, node);
    if (tag === TAG.meta) noteMeta(tree, node, metas);
    else if (tag === TAG.title && title === '') title = readOwnText(tree, node);
    else if (tag === TAG.body) bodyNames = namesOf(tree, node);
    else if (tag === TAG.link && canonical === '') canonical = readCanonical(tree, node);
    else if (tag === TAG.script && jsonLd.length < MAX_JSON_LENGTH && isJsonLd(tree, node))
      jsonLd += `${readOwnText(tree, node).slice(0, MAX_JSON_LENGTH)}\n`;
  }
  return {
    titles: [title, metas.get('og:title') ?? ''],
    description: `${metas.get('og:description') ?? ''} ${metas.get('description') ?? ''}`,
    address: canonical === '' ? (metas.get('og:url') ?? '') : canonical,
    kind: (metas.get('og:type') ?? '').toLowerCase(),
    generator: metas.get('generator') ?? '',
    bodyNames,
    jsonLd,
  };
}

const READ = new Set(['og:title', 'og:description', 'og:type', 'og:url', 'description', 'generator']);

function noteMeta(tree: Tree, node: number, metas: Map<string, string>): void {
  const name = getKnownAttribute(tree, node, ATTRIBUTE.property) ?? getKnownAttribute(tree, node, ATTRIBUTE.name);
  const key = name?.toLowerCase() ?? '';
  if (!READ.has(key)) return;
  const content = getKnownAttribute(tree, node, ATTRIBUTE.content) ?? '';
  // A theme names itself beside its generator.
  if (key === 'generator') metas.set(key, `${metas.get(key) ?? ''} ${content}`.slice(0, MAX_GENERATOR_LENGTH));
  else if (!metas.has(key)) metas.set(key, content);
}

/** The target of a canonical link. `''` for another link. */
function readCanonical(tree: Tree, node: number): string {
  const rel = getKnownAttribute(tree, node, ATTRIBUTE.rel) ?? '';
  return /^\s*canonical\s*$/i.test(rel) ? (getKnownAttribute(tree, node, ATTRIBUTE.href) ?? '').trim() : '';
}

function isJsonLd(tree: Tree, node: number): boolean {
  return getFirstChild(tree, node) !== 0 && /ld\+json/i.test(getKnownAttribute(tree, node, ATTRIBUTE.type) ?? '');
}

function namesOf(tree: Tree, node: number): string {
  const names = `${getKnownAttribute(tree, node, ATTRIBUTE.class) ?? ''} ${getKnownAttribute(tree, node, ATTRIBUTE.id) ?? ''}`;
  return names.slice(0, 2000).toLowerCase();
}
