import type { PageFeatures } from '#extract/content/features/features.ts';
import type { KindScores } from '#extract/content/model/page-kind.ts';
import { attributeOf, elementsStating, type Tree } from '#extract/html/tree.ts';

/** The reasons for which a block is kept or left out. */
export const BLOCK_VERDICTS = [
  'kept',
  'low_score',
  'comment',
  'consent',
  'hidden',
  'related',
  'repeated',
  'island',
  'shell',
  'chrome',
] as const;

export type BlockVerdict = (typeof BLOCK_VERDICTS)[number];

/** A page with the scores of its blocks, as the rules see it. */
export type ScoredPage = Pick<
  PageFeatures,
  'tree' | 'url' | 'head' | 'blocks' | 'surroundings' | 'containers' | 'plain' | 'order'
> & {
  readonly scores: Float32Array;
  readonly kinds: KindScores;
  readonly scripted: boolean;
  /** The block that is the page's headline, -1 for none. */
  readonly headline: number;
};

/** Least probability from which on a page counts as of a kind; each kind is scored separately, and misses are more common than others. */
const ARTICLE = 0.25;
const FORUM = 0.25;

/** Articles and documentation read from top to bottom; what stands apart from them is not part of them. */
export function readsAsArticle({ article, documentation }: KindScores): boolean {
  return article + 0.5 * documentation > ARTICLE;
}

/** An article leads to others within its text and after it; where documentation refers to others, that is its text. */
export function readsAsStory(kinds: KindScores): boolean {
  return readsAsArticle(kinds) && kinds.article > kinds.documentation;
}

/** Probability of documentation from which on hardly any page of another kind is met. */
const DOCUMENTATION = 0.25;

/** Programs that make documentation and nothing else. */
const DOCUMENTING =
  /\b(?:antora|asciidoc(?:tor)?|bookdown|docbook|docfx|docusaurus|docutils|dokka|dokuwiki|doxygen|gi-docgen|gitbook|groff|gtk-doc|haddock|hevea|honkit|javadoc|jazzy|jsdoc|latex2html|makeinfo|mandoc|mdbook|mediawiki|mkdocs|ocamldoc|odoc|pdoc3?|publican|pydoctor|quarto|rdoc|rustdoc|sphinx|starlight|tex4ht|texi2any|typedoc|vitepress|vuepress|yard)\b/i;

/** Probability below which a page is not looked through for signs of such a program, which costs more than all other rules. */
const MIN_DOCUMENTATION = 0.05;
/** Names that only pages of such programs have. */
const SIGNS = [
  'sphinxsidebar',
  'documentwrapper',
  'rst-content',
  'apicontent',
  'doc-content',
  'dokuwiki__content',
  'mw-parser-output',
  'theme-doc-markdown',
  'vp-doc',
  'sl-markdown-content',
  'devsite-article-body',
  'gi-docgen',
  'package-header',
  'memItemLeft',
  'REFBODY',
];

/** Manuals, references and wikis: their generator says so, or else their text does. */
export function isDocumentation(page: Pick<ScoredPage, 'tree' | 'kinds' | 'head'>): boolean {
  const { documentation, article } = page.kinds;
  return (documentation > DOCUMENTATION && documentation > article) || isMadeAsDocumentation(page);
}

/** The types and properties of schema.org by which a page says that it is a manual or a reference. */
const STATED = { itemprop: /\bsoftwareHelp\b/, itemtype: /schema\.org\/APIReference\b/ };

/** Whether a page says that it is documentation, or a program made it that makes documentation and nothing else. */
export function isMadeAsDocumentation({ tree, kinds, head }: Pick<ScoredPage, 'tree' | 'kinds' | 'head'>): boolean {
  if (DOCUMENTING.test(head.generator)) return true;
  if (isStatedAsDocumentation(tree)) return true;
  if (kinds.documentation < MIN_DOCUMENTATION || kinds.article > ARTICLE) return false;
  return SIGNS.some((sign) => tree.source.includes(sign));
}

function isStatedAsDocumentation(tree: Tree): boolean {
  return Object.entries(STATED).some(([name, said]) =>
    elementsStating(tree, name).some((node) => said.test(attributeOf(tree, node, name) ?? '')),
  );
}

export function isForum({ forum }: KindScores): boolean {
  return forum > FORUM;
}
