import { TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { isText, parentOf, subtreeEndOf, tagOf, type Tree, WHITESPACE } from '#extract/html/tree.ts';
import { methodOf } from './http-method.ts';
import { headsPanel } from './opened-panels.ts';

const HEADINGS = tagSet('h1 h2 h3 h4 h5 h6 dt');
const TEXTS = tagSet('h1 h2 h3 h4 h5 h6 p li a');
/** Elements between a heading and the button in it, and nodes of the heading. */
const MAX_BETWEEN = 3;
const MAX_NODES = 100;

/**
 * Whether a button says something, and does not only ask for a click: it is all that a heading or term says, as where a
 * click opens the section (the accordion of ARIA), or says it right before that, it holds a paragraph, a heading or a link beside other text, or it names an operation
 * of an interface (`GET /sacks`).
 */
export function saysText(tree: Tree, button: number): boolean {
  const end = subtreeEndOf(tree, button);
  let texts = 0;
  let isTold = false;
  for (let node = button + 1; node < end; node++) {
    if (!isText(tree, node)) isTold ||= TEXTS[tagOf(tree, node)] === 1;
    else if (!isSpace(tree, node)) {
      if (texts === 0 && methodOf(tree, node) !== null) isTold = true;
      texts++;
    }
    if (texts > 1 && isTold) return true;
  }
  return texts > 0 && (isHeading(tree, button) || headsPanel(tree, button));
}

/** Whether a button is all that the heading around it says. */
function isHeading(tree: Tree, button: number): boolean {
  let heading = parentOf(tree, button);
  for (let up = 0; up < MAX_BETWEEN && HEADINGS[tagOf(tree, heading)] !== 1; up++) heading = parentOf(tree, heading);
  if (HEADINGS[tagOf(tree, heading)] !== 1) return false;
  const end = subtreeEndOf(tree, heading);
  if (end - heading > MAX_NODES) return false;
  for (let node = heading + 1; node < end; node++) {
    if (node === button) node = subtreeEndOf(tree, node) - 1;
    else if (tagOf(tree, node) === TAG.button) return false;
    else if (isText(tree, node) && !isSpace(tree, node)) return false;
  }
  return true;
}

function isSpace(tree: Tree, text: number): boolean {
  return ((tree.flags[text] ?? 0) & WHITESPACE) !== 0;
}
