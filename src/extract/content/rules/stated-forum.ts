import type { Tree } from '#extract/html/tree.ts';
import type { PageHead } from '#extract/content/features/page-head.ts';

const TYPES = ['DiscussionForumPosting', 'QAPage'];
/** The type of an item in attributes, and in JSON-LD. */
const STATED = /itemtype\s{0,9}=\s{0,9}["']?\s{0,9}https?:\/\/schema\.org\/(?:DiscussionForumPosting|QAPage)\b/i;
const STATED_IN_JSON = /"@type"\s{0,9}:\s{0,9}\[?\s{0,9}"(?:DiscussionForumPosting|QAPage)"/;
/** Programs of forums. */
const PROGRAMS =
  /\b(?:askbot|discourse|discuz|flarum|fluxbb|invision|ip\.board|lemmy|mybb|nodebb|phpbb|punbb|question2answer|simple machines|smf|vanilla forums|vbulletin|xenforo|yabb)\b/i;

/** Whether a page says that it is a forum, by its type or the program that made it. */
export function statesForum({ source }: Tree, { jsonLd, generator }: PageHead): boolean {
  if (PROGRAMS.test(generator)) return true;
  if (!TYPES.some((type) => source.includes(type))) return false;
  return STATED_IN_JSON.test(jsonLd) || STATED.test(source);
}
