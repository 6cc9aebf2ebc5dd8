/** What the names of an element's class and id say of it, as bits. */
export const MARK = {
  author: 1,
  dated: 2,
  /** Holds facts of the page, dates among them, but is not named after dates. */
  about: 4,
  /** Belongs to something else than the page's own subject, or may. */
  foreign: 8,
  /** Surely belongs to something else. */
  strange: 16,
  modified: 32,
  /** Names a date of publication outright. */
  published: 64,
  /** Names a member of a forum. */
  user: 128,
  /** The foot of the page, or of an article in it. */
  footer: 256,
  /** A comment, an answer or a notice of copyright. */
  remark: 512,
} as const;

/** Most names say none of these, and one look for the stems tells; short and without case folding it takes half the time. */
const TELLING =
  /[aA]ut|[bB]yl|[bB]y-l|[wW]rit|[cC]ontri|[vV]erf|[dD]at|[tT]im|[pP]ubl|[pP]ost|[mM]eta|[iI]nfo|[fF]echa|[mM]odif|[eE]dit|[rR]evi|[cC]omm|[rR]ela|[sS]ideb|[wW]idg|[tT]eas|[rR]ece|[cC]opyr|[cC]alen|[fF]oot|[rR]epl|[uU]ser/;
const AUTHOR =
  /(?:^|[-_ ])(?:author|byline|by-line|writer|contributor|auteur|autor(?:e|en)?|verfasser)(?:$|[-_ ]|s\b|name|text|link)/;
const DATED = /date|time(?!line)|publish|posted|datum|fecha|entry-meta|post-meta|article-meta|byline/;
const ABOUT = /(?:^|[-_ ])(?:meta|info)(?:$|[-_ ])/;
/** A page with a sidebar is named after it as well as the sidebar is. */
const FOREIGN =
  /comment|related|(?<!(?:with|has|no|without)[-_]?)(?:sidebar|widget)|teaser|recent|copyright|calendar|reply/;
const STRANGE = /comment|related|teaser|copyright|calendar|reply/;
const MODIFIED = /modif|update|edited|revised/;
const PUBLISHED = /publi|entry-date|posted|pubdate/;
const USER = /(?:^|[-_ ])user-?name(?:$|[-_ ])/;
const MARKS: readonly (readonly [number, RegExp])[] = [
  [MARK.author, AUTHOR],
  [MARK.dated, DATED],
  [MARK.about, ABOUT],
  [MARK.foreign, FOREIGN],
  [MARK.strange, STRANGE],
  [MARK.modified, MODIFIED],
  [MARK.published, PUBLISHED],
  [MARK.user, USER],
  [MARK.footer, /footer/],
  [MARK.remark, /comment|reply|copyright/],
];

/** The marks of one value of `class` or `id`; camel case parts words as hyphens do. */
export function marksOf(name: string): number {
  if (!TELLING.test(name)) return 0;
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return MARKS.reduce((marks, [mark, pattern]) => (pattern.test(words) ? marks | mark : marks), 0);
}
