import { parseHtml } from '#extract/html/parse.ts';
import { attributeOf, charactersOf, childrenOf, isText, nameOf, textOf, type Tree } from '#extract/html/tree.ts';

const INVISIBLE = new Set(['script', 'style', 'template', 'title', 'textarea']);
/** Elements that differ by name only. */
const SAME = new Map([
  ['b', 'strong'],
  ['i', 'em'],
  ['s', 'del'],
  ['strike', 'del'],
]);
const BOXES = new Set('html head body div section article main thead tbody tfoot'.split(' '));
const BLOCKS = new Set('p ul ol li blockquote pre table tr td th h1 h2 h3 h4 h5 h6 hr'.split(' '));
/** Blocks that show something also when they hold nothing: a bullet, a line, a cell. */
const SHOWN_EMPTY = new Set(['li', 'hr', 'td', 'th', 'tr']);
/** Blocks that set their text as it is; in the others a run of text is a paragraph. */
const BARE = new Set('li td th h1 h2 h3 h4 h5 h6'.split(' '));
const INLINE = new Set('strong em del code a sup sub'.split(' '));
const ATTRIBUTES = ['href', 'src', 'alt', 'title', 'start'];

/**
 * HTML reduced to what its reader sees, so that two pieces that look the same are equal: boxes and elements without
 * meaning are left out, and so is what shows nothing; text beside blocks is a paragraph; whitespace collapses.
 */
export function shownHtml(html: string): string {
  return blocksOf(parseHtml(html), 0, true);
}

function blocksOf(tree: Tree, parent: number, wrap: boolean): string {
  let out = '';
  let run = '';
  const flush = () => {
    const line = collapsed(run);
    run = '';
    if (line !== '') out += wrap ? `<p>${line}</p>` : line;
  };
  for (const node of childrenOf(tree, parent)) {
    const name = nameOf(tree, node);
    if (BOXES.has(name) || (!BLOCKS.has(name) && holdsBlock(tree, node))) {
      flush();
      out += blocksOf(tree, node, wrap);
    } else if (BLOCKS.has(name)) {
      flush();
      out += blockOf(tree, node, name);
    } else run += inlineOf(tree, node);
  }
  flush();
  return out;
}

function holdsBlock(tree: Tree, node: number): boolean {
  return childrenOf(tree, node).some((child) => BLOCKS.has(nameOf(tree, child)) || holdsBlock(tree, child));
}

function blockOf(tree: Tree, node: number, name: string): string {
  if (name === 'p') return blocksOf(tree, node, true);
  const inner = name === 'pre' ? escaped(textOf(tree, node)) : blocksOf(tree, node, !BARE.has(name));
  if (inner.trim() === '' && !SHOWN_EMPTY.has(name)) return '';
  // The last paragraph of an item needs no space after it.
  const shown = name === 'li' ? inner.replace(/<p>((?:(?!<p>)[^])*?)<\/p>$/, '$1') : inner;
  return `<${tagOf(tree, node, name)}>${shown}</${name}>`;
}

function inlineOf(tree: Tree, node: number): string {
  if (isText(tree, node)) return escaped(charactersOf(tree, node).replace(/\s+/g, ' '));
  const name = SAME.get(nameOf(tree, node)) ?? nameOf(tree, node);
  if (INVISIBLE.has(name)) return '';
  if (name === 'br' || name === 'img') return `<${tagOf(tree, node, name)}>`;
  const inner = childrenOf(tree, node)
    .map((child) => inlineOf(tree, child))
    .join('');
  const plain = !INLINE.has(name) || (name === 'a' && attributeOf(tree, node, 'href') === null);
  return inner === '' || plain ? inner : `<${tagOf(tree, node, name)}>${inner}</${name}>`;
}

function tagOf(tree: Tree, node: number, name: string): string {
  const values = ATTRIBUTES.map((attribute) => attributeOf(tree, node, attribute) ?? '');
  return [name, ...values.filter((value) => value !== '' && value !== '1').map(encodeURIComponent)].join(' ');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A run of text without the spaces that a browser does not show: at its ends, beside breaks, after another space. */
function collapsed(run: string): string {
  return run
    .replace(/\s+/g, ' ')
    .replace(/ ((?:<[^>]*>)+) /g, ' $1')
    .replace(/(^|<br>)((?:<[^>]*>)*) /g, '$1$2')
    .replace(/ ((?:<\/[^>]*>)*)($|<br>)/g, '$1$2');
}
