import { attributeOf, elementsStating, type Tree } from '#extract/html/tree.ts';
import type { PageHead } from '#extract/content/features/page-head.ts';

/** The type of an item in attributes, and in JSON-LD. */
const STATED = /^\s*https?:\/\/schema\.org\/(?:DiscussionForumPosting|QAPage)\b/i;
const STATED_IN_JSON = /"@type"\s{0,9}:\s{0,9}\[?\s{0,9}"(?:DiscussionForumPosting|QAPage)"/;
/** Programs of forums. */
const PROGRAMS =
  /\b(?:askbot|discourse|discuz|flarum|fluxbb|invision|ip\.board|lemmy|mybb|nodebb|phpbb|punbb|question2answer|simple machines|smf|vanilla forums|vbulletin|xenforo|yabb)\b/i;

/** Whether a page says that it is a forum, by its type or the program that made it. */
export function statesForum(tree: Tree, { jsonLd, generator }: PageHead): boolean {
  if (PROGRAMS.test(generator) || STATED_IN_JSON.test(jsonLd)) return true;
  return elementsStating(tree, 'itemtype').some((node) => STATED.test(attributeOf(tree, node, 'itemtype') ?? ''));
}
