import type { Block } from '#extract/content/features/blocks.ts';
import type { PageFeatures } from '#extract/content/features/features.ts';
import type { PageHead } from '#extract/content/features/page-head.ts';
import type { NodeSurroundings } from '#extract/content/features/node-surroundings.ts';
import type { KindScores } from '#extract/content/model/model.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { getAttribute, getKnownAttribute, getTag, listElementsWith, type Tree } from '#extract/html/tree.ts';
import { HIDDEN } from '#extract/view/hidden-elements.ts';

/** The schema.org types of a forum, in attributes and in JSON-LD. */
const FORUM_TYPE = /^\s*https?:\/\/schema\.org\/(?:DiscussionForumPosting|QAPage)\b/i;
const FORUM_TYPE_IN_JSON = /"@type"\s{0,9}:\s{0,9}\[?\s{0,9}"(?:DiscussionForumPosting|QAPage)"/;
/** Names of forum software in the `generator` meta element. */
const FORUM_SOFTWARE =
  /\b(?:askbot|discourse|discuz|flarum|fluxbb|invision|ip\.board|lemmy|mybb|nodebb|phpbb|punbb|question2answer|simple machines|smf|vanilla forums|vbulletin|xenforo|yabb)\b/i;

/** Whether a page is a forum by its schema.org type or its generator. */
export function isDeclaredForum(tree: Tree, { jsonLd, generator }: PageHead): boolean {
  if (FORUM_SOFTWARE.test(generator) || FORUM_TYPE_IN_JSON.test(jsonLd)) return true;
  return listElementsWith(tree, 'itemtype').some((node) => FORUM_TYPE.test(getAttribute(tree, node, 'itemtype') ?? ''));
}

/** Above this share of hidden words, a page is mostly hidden. */
const MAX_HIDDEN_SHARE = 0.75;

/**
 * Whether a page hides most of its words. Then a script shows them once it runs, and hiding says nothing about them.
 */
export function isMostlyHidden(blocks: readonly Block[], { hidden }: NodeSurroundings): boolean {
  let words = 0;
  let unseen = 0;
  for (const { node, text } of blocks) {
    words += text.words;
    if (hidden[node] === HIDDEN) unseen += text.words;
  }
  return unseen > MAX_HIDDEN_SHARE * words;
}

/** Why a block is kept or excluded. */
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

/** A page with the scores of its blocks, as the rules read it. */
export type ScoredPage = Pick<
  PageFeatures,
  'tree' | 'url' | 'head' | 'blocks' | 'surroundings' | 'containers' | 'plain' | 'order'
> & {
  readonly scores: Float32Array;
  readonly kinds: KindScores;
  readonly hasScripts: boolean;
  /** The block with the page's headline, -1 if there is none. */
  readonly headline: number;
};

/** Minimum probability of a page kind. Each kind is scored separately, and missing one is the more common error. */
const MIN_ARTICLE = 0.25;
const MIN_FORUM = 0.25;

/** Articles and documentation are read from top to bottom, so isolated blocks do not belong to them. */
export function isArticleLike({ article, documentation }: KindScores): boolean {
  return article + 0.5 * documentation > MIN_ARTICLE;
}

/** An article leads to others within its text and after it; where documentation refers to others, that is its text. */
export function isStoryLike(kinds: KindScores): boolean {
  return isArticleLike(kinds) && kinds.article > kinds.documentation;
}

/** From this probability on, a page counts as documentation, unless it is clearly more likely an article. */
const MIN_LIKELY_DOCUMENTATION = 0.15;
/** Minimum probability of documentation, relative to that of an article. */
const MIN_ARTICLE_RATIO = 0.75;

/** Generators that only produce documentation. */
const DOCUMENTATION_GENERATOR =
  /\b(?:antora|asciidoc(?:tor)?|bookdown|docbook|docfx|docusaurus|docutils|dokka|dokuwiki|doxygen|gi-docgen|gitbook|groff|gtk-doc|haddock|hevea|honkit|javadoc|jazzy|jsdoc|latex2html|makeinfo|mandoc|mdbook|mediawiki|mkdocs|ocamldoc|odoc|pdoc3?|publican|pydoctor|quarto|rdoc|rustdoc|sphinx|starlight|tex4ht|texi2any|texinfo|typedoc|vitepress|vuepress|yard)\b/i;

/** Such a generator at the start of a text, with or without the words around its name. */
const CREDITED_GENERATOR = new RegExp(`^\\s*(?:the |GNU )?(?:${DOCUMENTATION_GENERATOR.source})`, 'i');

/** Classes and ids that only occur in the output of such generators. */
const DOCUMENTATION_NAME =
  /sphinxsidebar|documentwrapper|rst-content|apicontent|doc-content|dokuwiki__content|mw-parser-output|theme-doc-markdown|vp-doc|sl-markdown-content|devsite-article-body|package-header|memItemLeft|REFBODY/;
/** How generators sign their pages, in a footer, a sidebar or a comment. The first letter may be a capital. */
const CREDIT_PHRASES = ['enerated by', 'reated by', 'reated using', 'uilt with', 'owered by', 'roduced by'];
/** A signature is within this many characters of the start or the end of a page. */
const MAX_CREDIT_DISTANCE = 20_000;
/** Maximum occurrences of a phrase that are looked at, and characters of markup and text up to the name. */
const MAX_CREDITS = 20;
const MAX_CREDIT_LENGTH = 120;
/** Above this probability of an article, a page that has such a name or signature only writes about the generator. */
const MAX_DECLARED_ARTICLE = 0.6;
/** The elements that generators name are among this many first ones with such tags. */
const MAX_NAMED_ELEMENTS = 300;
const NAMED_TAGS = buildTagSet('html body main article section div table td');

/** Whether a page is a manual, a reference or a wiki, by its generator or by its text. */
export function isDocumentation(page: Pick<ScoredPage, 'tree' | 'kinds' | 'head'>): boolean {
  const { documentation, article } = page.kinds;
  return (
    (documentation > MIN_LIKELY_DOCUMENTATION && documentation > MIN_ARTICLE_RATIO * article) ||
    isDeclaredDocumentation(page)
  );
}

/** The schema.org types and properties that declare a manual or a reference. */
const DOCUMENTATION_TYPES = { itemprop: /\bsoftwareHelp\b/, itemtype: /schema\.org\/APIReference\b/ };

/** Whether a page is declared as documentation, or comes from a documentation generator. */
export function isDeclaredDocumentation({ tree, kinds, head }: Pick<ScoredPage, 'tree' | 'kinds' | 'head'>): boolean {
  if (DOCUMENTATION_GENERATOR.test(head.generator)) return true;
  if (hasDocumentationType(tree)) return true;
  return kinds.article <= MAX_DECLARED_ARTICLE && (hasDocumentationName(tree) || hasGeneratorCredit(tree.source));
}

/** Whether a documentation generator signs the page: `Generated by <a href="…">gi-docgen</a>`. */
function hasGeneratorCredit(source: string): boolean {
  if (source.length <= 2 * MAX_CREDIT_DISTANCE) return hasCreditIn(source);
  return hasCreditIn(source.slice(0, MAX_CREDIT_DISTANCE)) || hasCreditIn(source.slice(-MAX_CREDIT_DISTANCE));
}

function hasCreditIn(source: string): boolean {
  return CREDIT_PHRASES.some((phrase) => {
    let at = source.indexOf(phrase);
    for (let count = 0; count < MAX_CREDITS && at !== -1; count++, at = source.indexOf(phrase, at + 1)) {
      const credit = source.slice(at + phrase.length, at + MAX_CREDIT_LENGTH).replaceAll(/<[^>]*(?:>|$)/g, ' ');
      if (CREDITED_GENERATOR.test(credit)) return true;
    }
    return false;
  });
}

function hasDocumentationName(tree: Tree): boolean {
  let elements = 0;
  for (let node = 1; node < tree.count && elements < MAX_NAMED_ELEMENTS; node++) {
    if (NAMED_TAGS[getTag(tree, node)] !== 1) continue;
    elements++;
    if (DOCUMENTATION_NAME.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '')) return true;
    if (DOCUMENTATION_NAME.test(getKnownAttribute(tree, node, ATTRIBUTE.id) ?? '')) return true;
  }
  return false;
}

function hasDocumentationType(tree: Tree): boolean {
  return Object.entries(DOCUMENTATION_TYPES).some(([name, pattern]) =>
    listElementsWith(tree, name).some((node) => pattern.test(getAttribute(tree, node, name) ?? '')),
  );
}

/** Whether a page counts as a forum. */
export function isForum({ forum }: KindScores): boolean {
  return forum > MIN_FORUM;
}
