import { collapsedText } from '#extract/html/element-text.ts';
import { attributeOf, childrenOf, isText, nameOf, parentOf, type Tree } from '#extract/html/tree.ts';

/** Characters of formulas with the TeX command of each, as the HTML standard's entity names and LaTeX have them. */
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
/** Operators whose limits stand below and above without a command. */
const LARGE_OPERATOR =
  /^\\(?:sum|prod|coprod|int|iint|iiint|oint|bigcap|bigcup|bigoplus|bigotimes|lim|liminf|limsup|max|min|sup|inf|det|gcd|Pr)$/;
const INVISIBLE = /[\u2061-\u2064\u200B]/g;

/** The TeX of a presentation MathML element, by the elements of MathML 3 chapter 3; `''` for an empty one. */
export function toTex(tree: Tree, math: number): string {
  return renderRow(tree, math).replace(/\s+/g, ' ').trim();
}

function listElements(tree: Tree, node: number): readonly number[] {
  return childrenOf(tree, node).filter((child) => !isText(tree, child));
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
  return (ELEMENTS.get(nameOf(tree, node)) ?? renderRow)(tree, node);
}

/** The text of a token, which no reader of TeX may take for commands. */
function readToken(tree: Tree, node: number): string {
  return collapsedText(tree, node, 1000)
    .replace(INVISIBLE, '')
    .replace(/[\\{}#%&_$]/g, (sign) => (sign === '\\' ? '\\backslash ' : `\\${sign}`));
}

function renderIdentifier(tree: Tree, node: number): string {
  const text = readToken(tree, node);
  const font = FONTS.get(attributeOf(tree, node, 'mathvariant') ?? '');
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

/** The operand of a subscript or superscript: in braces unless it is one sign or command. */
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
  const bare = /^0(?:\D|$)/.test(attributeOf(tree, node, 'linethickness') ?? '');
  return bare ? `{${over} \\atop ${under}}` : `\\frac{${over}}{${under}}`;
}

/** Pairs of lower and upper scripts, after the base and, behind `mprescripts`, before it. */
function renderMultiscripts(tree: Tree, node: number): string {
  const [first, ...scripts] = listElements(tree, node);
  const border = scripts.findIndex((child) => nameOf(tree, child) === 'mprescripts');
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
  const open = attributeOf(tree, node, 'open') ?? '(';
  const close = attributeOf(tree, node, 'close') ?? ')';
  const separator = (attributeOf(tree, node, 'separators') ?? ',').trim().charAt(0);
  const inner = listElements(tree, node).map((child) => renderNode(tree, child));
  return `${renderFence(open)} ${inner.join(separator === '' ? ' ' : `${separator} `)} ${renderFence(close)}`;
}

function renderFence(sign: string): string {
  return /^[{}]$/.test(sign.trim()) ? `\\${sign.trim()}` : renderSymbols(sign.trim());
}

/** Rows as `aligned` where they are lines of one formula, else as a matrix; one row of one cell is what is in it. */
function renderTable(tree: Tree, node: number): string {
  const lines = listElements(tree, node).map((line) => renderTableRow(tree, line));
  if (lines.length === 1 && !(lines[0] ?? '').includes('&')) return lines[0] ?? '';
  const aligned = attributeOf(tree, node, 'columnalign') !== null || attributeOf(tree, node, 'displaystyle') === 'true';
  const name = aligned && nameOf(tree, parentOf(tree, node)) !== 'mfenced' ? 'aligned' : 'matrix';
  return `\\begin{${name}} ${lines.join(' \\\\ ')} \\end{${name}}`;
}

/** The cells of a row; the first of a labelled one is the number of the formula. */
function renderTableRow(tree: Tree, line: number): string {
  const cells = listElements(tree, line).map((cell) => renderNode(tree, cell));
  if (nameOf(tree, line) !== 'mlabeledtr') return cells.join(' & ');
  const [label = '', ...rest] = cells;
  return `${rest.join(' & ')} \\quad ${label}`;
}
