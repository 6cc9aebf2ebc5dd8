import {
  readCollapsedText,
  readOwnText,
  getAttribute,
  readCharacters,
  listChildren,
  getFirstChild,
  isText,
  getKnownAttribute,
  getTagName,
  getNextSibling,
  findNextTag,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  readText,
  type Tree,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';

/** A formula as TeX; `display` is true if it is on its own line. */
export type Formula = { readonly tex: string; readonly display: boolean };

/** The formula of a MathML element: its TeX annotation, else its content converted to TeX; null if there is neither. */
export function readFormula(tree: Tree, math: number): Formula | null {
  const source =
    findAnnotation(tree, math) ?? getAttribute(tree, math, 'alttext') ?? getKnownAttribute(tree, math, ATTRIBUTE.alt);
  const tex = normalizeTex(source ?? '') ?? normalizeTex(toTex(tree, math));
  return tex === null ? null : { tex, display: isDisplay(tree, math) };
}

const TEX_ATTRIBUTES = ['data-math', 'data-tex', 'data-latex', 'data-expr'];
const FORMULA_CLASS = /(?:^|\s)(?:katex|katex-display|math(?:-\w+)?|MathJax\w*|tex|latex|mjx-\w+)(?:\s|$)/;
const DISPLAY_CLASS = /(?:^|[\s_-])(?:display|block|Display)(?:\s|$)/;

/** The TeX source in an attribute of the element around a rendered formula; null if there is none. */
export function readNamedFormula(tree: Tree, node: number): Formula | null {
  if (!FORMULA_CLASS.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '')) return null;
  for (const name of TEX_ATTRIBUTES) {
    const tex = normalizeTex(getAttribute(tree, node, name) ?? '');
    if (tex !== null) return { tex, display: isDisplay(tree, node) || getTag(tree, node) === TAG.div };
  }
  return null;
}

/** The formula of a `math/tex` script, which MathJax 2 leaves in the page; null for other scripts. */
export function readScriptFormula(tree: Tree, script: number): Formula | null {
  const type = getKnownAttribute(tree, script, ATTRIBUTE.type) ?? '';
  if (!/^math\/(?:tex|latex)/i.test(type)) return null;
  const tex = normalizeTex(readOwnText(tree, script));
  return tex === null ? null : { tex, display: /mode\s*=\s*display/i.test(type) };
}

const FORMULA_PICTURE_CLASS = /(?:^|\s)(?:latex|tex|math|mwe-math-fallback-image-(?:inline|display))(?:\s|$)/;

/** The formula in the alternative text of an image; null if it shows none. */
export function readPictureFormula(tree: Tree, image: number): Formula | null {
  const names = getKnownAttribute(tree, image, ATTRIBUTE.class) ?? '';
  if (!FORMULA_PICTURE_CLASS.test(names)) return null;
  const tex = normalizeTex(getKnownAttribute(tree, image, ATTRIBUTE.alt) ?? '');
  return tex === null ? null : { tex, display: /-display(?:\s|$)/.test(names) };
}

/** The first MathML element inside a node; 0 if there is none. */
export function findMath(tree: Tree, node: number): number {
  const end = getSubtreeEnd(tree, node);
  for (let at = node + 1; at < end; at++) if (getTag(tree, at) === TAG.math) return at;
  return 0;
}

/** Whether a formula directly precedes a node. */
export function followsMath(tree: Tree, node: number): boolean {
  const before = getPreviousSibling(tree, node);
  return before !== 0 && (getTag(tree, before) === TAG.math || findMath(tree, before) !== 0);
}

/** Whether a TeX script with the source of a rendered formula follows it. */
export function precedesScript(tree: Tree, node: number): boolean {
  let next = getNextSibling(tree, node);
  for (let steps = 0; steps < 3 && next !== 0; steps++) {
    if (getTag(tree, next) === TAG.script) return readScriptFormula(tree, next) !== null;
    next = getNextSibling(tree, next);
  }
  return false;
}

function findAnnotation(tree: Tree, math: number): string | null {
  const end = getSubtreeEnd(tree, math);
  for (let node = math + 1; node < end; node++) {
    if (isText(tree, node) || getTag(tree, node) !== TAG.annotation) continue;
    const encoding = getKnownAttribute(tree, node, ATTRIBUTE.encoding) ?? 'tex';
    if (/tex/i.test(encoding) && getFirstChild(tree, node) !== 0) return readText(tree, node);
  }
  return null;
}

function isDisplay(tree: Tree, node: number): boolean {
  if (getAttribute(tree, node, 'display') === 'block') return true;
  let around = node;
  for (let steps = 0; steps < 5 && around !== 0; steps++) {
    const names = getKnownAttribute(tree, around, ATTRIBUTE.class) ?? '';
    if (FORMULA_CLASS.test(names) && DISPLAY_CLASS.test(names)) return true;
    if (getTagName(tree, around) === 'mjx-container') return getAttribute(tree, around, 'display') === 'true';
    around = getParent(tree, around);
  }
  return false;
}

/**
 * Normalizes TeX to one line that also stays harmless in Markdown readers without math support: no dollar signs,
 * elements, links or code. Spaces have no meaning in TeX. Null if it is empty or contains a dollar sign.
 */
export function normalizeTex(source: string): string | null {
  const line = source.replace(/\s+/g, ' ').trim();
  const tex = (/^\{\\displaystyle ([^]*)\}$/.exec(line)?.[1] ?? line).trim();
  if (tex === '' || tex.includes('$')) return null;
  return tex
    .replace(/<(?=[a-zA-Z/!?])/g, '< ')
    .replace(/\](?=[([:])/g, '] ')
    .replaceAll('`', "'")
    .replace(/(?<!\\)\\+$/, '')
    .trimEnd();
}

/** `$$..$$`, `$..$`, `\(..\)` and `\[..\]` as MathJax and KaTeX find them; a formula does not extend over another delimiter. */
const DELIMITED_FORMULA =
  /\$\$([^$]{1,2000})\$\$|\$(?=[^\s$])([^$]{1,400})(?<=\S)\$(?!\d)|\\\(((?:(?!\\[()]).){1,2000})\\\)|\\\[((?:(?!\\[[\]]).){1,2000})\\\]/g;
/** Distinguishes a formula from the text between two prices. */
const LIKELY_FORMULA = /[\\^_{}=]|^[a-zA-Z]'?$/;

const TYPESETTER_NAME = /mathjax|katex/i;
/** The start of an inline script in which it would configure MathJax or KaTeX. */
const MAX_SETUP_LENGTH = 1000;

/** Whether a script of the page is, or configures, MathJax or KaTeX. */
export function hasTypesetter(tree: Tree): boolean {
  for (let node = findNextTag(tree, TAG.script, 1); node !== 0; node = findNextTag(tree, TAG.script, node + 1)) {
    const source = getKnownAttribute(tree, node, ATTRIBUTE.src);
    const text = source ?? readCharacters(tree, getFirstChild(tree, node), MAX_SETUP_LENGTH);
    if (TYPESETTER_NAME.test(text)) return true;
  }
  return false;
}

/** Whether a text contains delimiters of formulas. */
export function mayHaveFormula(text: string): boolean {
  return text.includes('$') || (text.includes('\\') && /\\[([]/.test(text));
}

/** Splits a text into formulas and the text between them. */
export function splitFormulas(text: string): readonly (string | Formula)[] {
  const pieces: (string | Formula)[] = [];
  let from = 0;
  for (const found of text.matchAll(DELIMITED_FORMULA)) {
    const [whole, double, single, round, square] = found;
    if (single !== undefined && !LIKELY_FORMULA.test(single)) continue;
    const tex = normalizeTex(double ?? single ?? round ?? square ?? '');
    if (tex === null) continue;
    pieces.push(text.slice(from, found.index), { tex, display: double !== undefined || square !== undefined });
    from = found.index + whole.length;
  }
  pieces.push(text.slice(from));
  return pieces.filter((piece) => piece !== '');
}

/** The TeX commands of characters, from the entity names of HTML and from LaTeX. */
const COMMANDS = new Map(
  'α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋂ bigcap ⋃ bigcup ⨁ bigoplus ⨂ bigotimes ± pm ∓ mp × times ÷ div ⋅ cdot ∘ circ ∗ ast ⋆ star ⊕ oplus ⊗ otimes ∧ wedge ∨ vee ∩ cap ∪ cup ≤ leq ≥ geq ≠ neq ≡ equiv ≈ approx ∼ sim ≃ simeq ≅ cong ∝ propto ≪ ll ≫ gg ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∅ emptyset ∀ forall ∃ exists ∄ nexists ¬ neg → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ⟹ implies ⟺ iff ↦ mapsto ↑ uparrow ↓ downarrow ∞ infty ∂ partial ∇ nabla … ldots ⋯ cdots ⋮ vdots ⋱ ddots ℓ ell ℏ hbar ℜ Re ℑ Im ℵ aleph ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ Vert ⊥ perp ∥ parallel ∠ angle ⊢ vdash ⊨ models † dagger ′ prime − -'
    .split(' ')
    .flatMap((text, at, all) => (at % 2 === 0 ? [[text, all[at + 1] ?? ''] as const] : [])),
);
const FUNCTIONS = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
);
const FONTS = new Map([
  ['bold', 'mathbf'],
  ['bold-italic', 'boldsymbol'],
  ['double-struck', 'mathbb'],
  ['script', 'mathcal'],
  ['fraktur', 'mathfrak'],
  ['sans-serif', 'mathsf'],
  ['monospace', 'mathtt'],
]);
const ACCENTS_ABOVE = new Map([
  ['¯', 'overline'],
  ['ˉ', 'bar'],
  ['‾', 'overline'],
  ['^', 'hat'],
  ['ˆ', 'hat'],
  ['→', 'vec'],
  ['˙', 'dot'],
  ['.', 'dot'],
  ['¨', 'ddot'],
  ['~', 'tilde'],
  ['˜', 'tilde'],
  ['⏞', 'overbrace'],
]);
const ACCENTS_BELOW = new Map([
  ['_', 'underline'],
  ['¯', 'underline'],
  ['⏟', 'underbrace'],
]);
/** Operators that take limits without a command. */
const LARGE_OPERATOR =
  /^\\(?:sum|prod|coprod|int|iint|iiint|oint|bigcap|bigcup|bigoplus|bigotimes|lim|liminf|limsup|max|min|sup|inf|det|gcd|Pr)$/;
const INVISIBLE = /[\u2061-\u2064\u200B]/g;

/** Converts presentation MathML (MathML 3, chapter 3) to TeX; `''` if it is empty. */
function toTex(tree: Tree, math: number): string {
  return renderRow(tree, math).replace(/\s+/g, ' ').trim();
}

function listElements(tree: Tree, node: number): readonly number[] {
  return listChildren(tree, node).filter((child) => !isText(tree, child));
}

function renderRow(tree: Tree, node: number): string {
  return listElements(tree, node)
    .map((child) => renderNode(tree, child))
    .filter((part) => part !== '')
    .join(' ');
}

type RenderTex = (tree: Tree, node: number) => string;

const ELEMENTS: ReadonlyMap<string, RenderTex> = new Map<string, RenderTex>([
  ['mi', renderIdentifier],
  ['mn', (tree, node) => readToken(tree, node)],
  ['mo', renderOperator],
  ['mtext', (tree, node) => renderWords(readToken(tree, node))],
  ['ms', (tree, node) => renderWords(`"${readToken(tree, node)}"`)],
  ['mspace', () => ''],
  ['mphantom', () => ''],
  ['none', () => ''],
  ['annotation', () => ''],
  ['annotation-xml', () => ''],
  ['mfrac', renderFraction],
  ['msqrt', (tree, node) => `\\sqrt{${renderRow(tree, node)}}`],
  ['mroot', (tree, node) => `\\sqrt[${renderChild(tree, node, 1)}]{${renderChild(tree, node, 0)}}`],
  ['msub', (tree, node) => `${renderBase(tree, node)}_{${renderChild(tree, node, 1)}}`],
  ['msup', (tree, node) => renderSuperscript(renderBase(tree, node), renderChild(tree, node, 1))],
  [
    'msubsup',
    (tree, node) =>
      renderSuperscript(`${renderBase(tree, node)}_{${renderChild(tree, node, 1)}}`, renderChild(tree, node, 2)),
  ],
  ['munder', (tree, node) => renderBelow(renderBase(tree, node), renderChild(tree, node, 1))],
  ['mover', (tree, node) => renderAbove(renderBase(tree, node), renderChild(tree, node, 1))],
  ['munderover', renderBothSides],
  ['mmultiscripts', renderMultiscripts],
  ['mfenced', renderFenced],
  ['mtable', renderTable],
]);

function renderNode(tree: Tree, node: number): string {
  return (ELEMENTS.get(getTagName(tree, node)) ?? renderRow)(tree, node);
}

/** The text of a token, escaped for TeX. */
function readToken(tree: Tree, node: number): string {
  return readCollapsedText(tree, node, 1000)
    .replace(INVISIBLE, '')
    .replace(/[\\{}#%&_$]/g, (sign) => (sign === '\\' ? '\\backslash ' : `\\${sign}`));
}

function renderIdentifier(tree: Tree, node: number): string {
  const text = readToken(tree, node);
  const font = FONTS.get(getAttribute(tree, node, 'mathvariant') ?? '');
  if (font !== undefined) return `\\${font}{${renderSymbols(text)}}`;
  if (FUNCTIONS.has(text)) return `\\${text}`;
  return /^\p{L}{2,}$/u.test(text) ? `\\mathrm{${text}}` : renderSymbols(text);
}

function renderOperator(tree: Tree, node: number): string {
  const text = readToken(tree, node);
  return FUNCTIONS.has(text)
    ? `\\${text}`
    : /^\p{L}{2,}$/u.test(text)
      ? `\\operatorname{${text}}`
      : renderSymbols(text);
}

function renderSymbols(text: string): string {
  const parts = Array.from(text, (sign) => {
    const command = COMMANDS.get(sign);
    if (command === undefined) return sign;
    return command === '-' ? '-' : `\\${command} `;
  });
  return parts.join('').trimEnd();
}

function renderWords(text: string): string {
  return text === '' ? '' : `\\text{${text}}`;
}

function renderChild(tree: Tree, node: number, at: number): string {
  const child = listElements(tree, node)[at];
  return child === undefined ? '' : renderNode(tree, child);
}

/** The base of a script: in braces unless it is a single character or command. */
function renderBase(tree: Tree, node: number): string {
  const tex = renderChild(tree, node, 0);
  return /^(?:.|\\[a-zA-Z]+|\\[a-z]+\{[^{}]*\})$/u.test(tex) ? tex : `{${tex}}`;
}

function renderSuperscript(of: string, by: string): string {
  const primes = by.replaceAll('\\prime', "'").replace(/\s/g, '');
  return /^['″‴]+$/.test(primes) ? of + primes.replaceAll('″', "''").replaceAll('‴', "'''") : `${of}^{${by}}`;
}

function renderBelow(of: string, mark: string): string {
  if (LARGE_OPERATOR.test(of)) return `${of}_{${mark}}`;
  const command = ACCENTS_BELOW.get(mark.replace('\\', ''));
  return command === undefined ? `\\underset{${mark}}{${of}}` : `\\${command}{${of}}`;
}

function renderAbove(of: string, mark: string): string {
  if (LARGE_OPERATOR.test(of)) return `${of}^{${mark}}`;
  const command = mark === '\\to' ? 'vec' : mark === '\\cdot' ? 'dot' : ACCENTS_ABOVE.get(mark.replace('\\', ''));
  return command === undefined ? `\\overset{${mark}}{${of}}` : `\\${command}{${of}}`;
}

function renderBothSides(tree: Tree, node: number): string {
  const of = renderBase(tree, node);
  const [under, over] = [renderChild(tree, node, 1), renderChild(tree, node, 2)];
  return LARGE_OPERATOR.test(of) ? `${of}_{${under}}^{${over}}` : renderAbove(`{${renderBelow(of, under)}}`, over);
}

function renderFraction(tree: Tree, node: number): string {
  const [over, under] = [renderChild(tree, node, 0), renderChild(tree, node, 1)];
  const bare = /^0(?:\D|$)/.test(getAttribute(tree, node, 'linethickness') ?? '');
  return bare ? `{${over} \\atop ${under}}` : `\\frac{${over}}{${under}}`;
}

/** Renders pairs of subscripts and superscripts after the base and, following `mprescripts`, before it. */
function renderMultiscripts(tree: Tree, node: number): string {
  const [first, ...scripts] = listElements(tree, node);
  const border = scripts.findIndex((child) => getTagName(tree, child) === 'mprescripts');
  const pairs = (from: readonly number[]): string =>
    from
      .map((child, at) => ({ sign: at % 2 === 0 ? '_' : '^', tex: renderNode(tree, child) }))
      .map(({ sign, tex }) => (tex === '' ? '' : `${sign}{${tex}}`))
      .join('');
  const before = border < 0 ? '' : pairs(scripts.slice(border + 1));
  const after = pairs(border < 0 ? scripts : scripts.slice(0, border));
  return `${before === '' ? '' : `{}${before}`}{${first === undefined ? '' : renderNode(tree, first)}}${after}`;
}

function renderFenced(tree: Tree, node: number): string {
  const open = getAttribute(tree, node, 'open') ?? '(';
  const close = getAttribute(tree, node, 'close') ?? ')';
  const separator = (getAttribute(tree, node, 'separators') ?? ',').trim().charAt(0);
  const inner = listElements(tree, node).map((child) => renderNode(tree, child));
  return `${renderFence(open)} ${inner.join(separator === '' ? ' ' : `${separator} `)} ${renderFence(close)}`;
}

function renderFence(sign: string): string {
  return /^[{}]$/.test(sign.trim()) ? `\\${sign.trim()}` : renderSymbols(sign.trim());
}

/** Renders rows as `aligned` if they are lines of one formula, else as a matrix; a single cell as its content. */
function renderTable(tree: Tree, node: number): string {
  const lines = listElements(tree, node).map((line) => renderTableRow(tree, line));
  if (lines.length === 1 && !(lines[0] ?? '').includes('&')) return lines[0] ?? '';
  const aligned =
    getAttribute(tree, node, 'columnalign') !== null || getAttribute(tree, node, 'displaystyle') === 'true';
  const name = aligned && getTagName(tree, getParent(tree, node)) !== 'mfenced' ? 'aligned' : 'matrix';
  return `\\begin{${name}} ${lines.join(' \\\\ ')} \\end{${name}}`;
}

/** Renders the cells of a row; the first cell of a labelled row is the number of the formula. */
function renderTableRow(tree: Tree, line: number): string {
  const cells = listElements(tree, line).map((cell) => renderNode(tree, cell));
  if (getTagName(tree, line) !== 'mlabeledtr') return cells.join(' & ');
  const [label = '', ...rest] = cells;
  return `${rest.join(' & ')} \\quad ${label}`;
}
