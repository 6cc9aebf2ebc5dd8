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
const ABOVE = new Map([
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
const BELOW = new Map([
  ['_', 'underline'],
  ['¯', 'underline'],
  ['⏟', 'underbrace'],
]);
/** Operators whose limits stand below and above without a command. */
const LARGE =
  /^\\(?:sum|prod|coprod|int|iint|iiint|oint|bigcap|bigcup|bigoplus|bigotimes|lim|liminf|limsup|max|min|sup|inf|det|gcd|Pr)$/;
const INVISIBLE = /[\u2061-\u2064\u200B]/g;

/** The TeX of a presentation MathML element, by the elements of MathML 3 chapter 3; `''` for an empty one. */
export function toTex(tree: Tree, math: number): string {
  return row(tree, math).replace(/\s+/g, ' ').trim();
}

function elementsOf(tree: Tree, node: number): readonly number[] {
  return childrenOf(tree, node).filter((child) => !isText(tree, child));
}

function row(tree: Tree, node: number): string {
  return elementsOf(tree, node)
    .map((child) => texOfNode(tree, child))
    .filter((part) => part !== '')
    .join(' ');
}

type ToTex = (tree: Tree, node: number) => string;

const ELEMENTS: ReadonlyMap<string, ToTex> = new Map<string, ToTex>([
  ['mi', identifier],
  ['mn', (tree, node) => textOf(tree, node)],
  ['mo', operator],
  ['mtext', (tree, node) => words(textOf(tree, node))],
  ['ms', (tree, node) => words(`"${textOf(tree, node)}"`)],
  ['mspace', () => ''],
  ['mphantom', () => ''],
  ['none', () => ''],
  ['annotation', () => ''],
  ['annotation-xml', () => ''],
  ['mfrac', fraction],
  ['msqrt', (tree, node) => `\\sqrt{${row(tree, node)}}`],
  ['mroot', (tree, node) => `\\sqrt[${childTex(tree, node, 1)}]{${childTex(tree, node, 0)}}`],
  ['msub', (tree, node) => `${base(tree, node)}_{${childTex(tree, node, 1)}}`],
  ['msup', (tree, node) => raised(base(tree, node), childTex(tree, node, 1))],
  ['msubsup', (tree, node) => raised(`${base(tree, node)}_{${childTex(tree, node, 1)}}`, childTex(tree, node, 2))],
  ['munder', (tree, node) => below(base(tree, node), childTex(tree, node, 1))],
  ['mover', (tree, node) => above(base(tree, node), childTex(tree, node, 1))],
  ['munderover', bothSides],
  ['mmultiscripts', multiscripts],
  ['mfenced', fenced],
  ['mtable', table],
]);

function texOfNode(tree: Tree, node: number): string {
  return (ELEMENTS.get(nameOf(tree, node)) ?? row)(tree, node);
}

/** The text of a token, which no reader of TeX may take for commands. */
function textOf(tree: Tree, node: number): string {
  return collapsedText(tree, node, 1000)
    .replace(INVISIBLE, '')
    .replace(/[\\{}#%&_$]/g, (sign) => (sign === '\\' ? '\\backslash ' : `\\${sign}`));
}

function identifier(tree: Tree, node: number): string {
  const text = textOf(tree, node);
  const font = FONTS.get(attributeOf(tree, node, 'mathvariant') ?? '');
  if (font !== undefined) return `\\${font}{${symbols(text)}}`;
  if (FUNCTIONS.has(text)) return `\\${text}`;
  return /^\p{L}{2,}$/u.test(text) ? `\\mathrm{${text}}` : symbols(text);
}

function operator(tree: Tree, node: number): string {
  const text = textOf(tree, node);
  return FUNCTIONS.has(text) ? `\\${text}` : /^\p{L}{2,}$/u.test(text) ? `\\operatorname{${text}}` : symbols(text);
}

function symbols(text: string): string {
  const parts = Array.from(text, (sign) => {
    const command = COMMANDS.get(sign);
    if (command === undefined) return sign;
    return command === '-' ? '-' : `\\${command} `;
  });
  return parts.join('').trimEnd();
}

function words(text: string): string {
  return text === '' ? '' : `\\text{${text}}`;
}

function childTex(tree: Tree, node: number, at: number): string {
  const child = elementsOf(tree, node)[at];
  return child === undefined ? '' : texOfNode(tree, child);
}

/** The operand of a subscript or superscript: in braces unless it is one sign or command. */
function base(tree: Tree, node: number): string {
  const tex = childTex(tree, node, 0);
  return /^(?:.|\\[a-zA-Z]+|\\[a-z]+\{[^{}]*\})$/u.test(tex) ? tex : `{${tex}}`;
}

function raised(of: string, by: string): string {
  const primes = by.replaceAll('\\prime', "'").replace(/\s/g, '');
  return /^['″‴]+$/.test(primes) ? of + primes.replaceAll('″', "''").replaceAll('‴', "'''") : `${of}^{${by}}`;
}

function below(of: string, mark: string): string {
  if (LARGE.test(of)) return `${of}_{${mark}}`;
  const command = BELOW.get(mark.replace('\\', ''));
  return command === undefined ? `\\underset{${mark}}{${of}}` : `\\${command}{${of}}`;
}

function above(of: string, mark: string): string {
  if (LARGE.test(of)) return `${of}^{${mark}}`;
  const command = mark === '\\to' ? 'vec' : mark === '\\cdot' ? 'dot' : ABOVE.get(mark.replace('\\', ''));
  return command === undefined ? `\\overset{${mark}}{${of}}` : `\\${command}{${of}}`;
}

function bothSides(tree: Tree, node: number): string {
  const of = base(tree, node);
  const [under, over] = [childTex(tree, node, 1), childTex(tree, node, 2)];
  return LARGE.test(of) ? `${of}_{${under}}^{${over}}` : above(`{${below(of, under)}}`, over);
}

function fraction(tree: Tree, node: number): string {
  const [over, under] = [childTex(tree, node, 0), childTex(tree, node, 1)];
  const bare = /^0(?:\D|$)/.test(attributeOf(tree, node, 'linethickness') ?? '');
  return bare ? `{${over} \\atop ${under}}` : `\\frac{${over}}{${under}}`;
}

/** Pairs of lower and upper scripts, after the base and, behind `mprescripts`, before it. */
function multiscripts(tree: Tree, node: number): string {
  const [first, ...scripts] = elementsOf(tree, node);
  const border = scripts.findIndex((child) => nameOf(tree, child) === 'mprescripts');
  const pairs = (from: readonly number[]): string =>
    from
      .map((child, at) => ({ sign: at % 2 === 0 ? '_' : '^', tex: texOfNode(tree, child) }))
      .map(({ sign, tex }) => (tex === '' ? '' : `${sign}{${tex}}`))
      .join('');
  const before = border < 0 ? '' : pairs(scripts.slice(border + 1));
  const after = pairs(border < 0 ? scripts : scripts.slice(0, border));
  return `${before === '' ? '' : `{}${before}`}{${first === undefined ? '' : texOfNode(tree, first)}}${after}`;
}

function fenced(tree: Tree, node: number): string {
  const open = attributeOf(tree, node, 'open') ?? '(';
  const close = attributeOf(tree, node, 'close') ?? ')';
  const separator = (attributeOf(tree, node, 'separators') ?? ',').trim().charAt(0);
  const inner = elementsOf(tree, node).map((child) => texOfNode(tree, child));
  return `${fence(open)} ${inner.join(separator === '' ? ' ' : `${separator} `)} ${fence(close)}`;
}

function fence(sign: string): string {
  return /^[{}]$/.test(sign.trim()) ? `\\${sign.trim()}` : symbols(sign.trim());
}

/** Rows as `aligned` where they are lines of one formula, else as a matrix; one row of one cell is what is in it. */
function table(tree: Tree, node: number): string {
  const lines = elementsOf(tree, node).map((line) => tableRow(tree, line));
  if (lines.length === 1 && !(lines[0] ?? '').includes('&')) return lines[0] ?? '';
  const aligned = attributeOf(tree, node, 'columnalign') !== null || attributeOf(tree, node, 'displaystyle') === 'true';
  const name = aligned && nameOf(tree, parentOf(tree, node)) !== 'mfenced' ? 'aligned' : 'matrix';
  return `\\begin{${name}} ${lines.join(' \\\\ ')} \\end{${name}}`;
}

/** The cells of a row; the first of a labelled one is the number of the formula. */
function tableRow(tree: Tree, line: number): string {
  const cells = elementsOf(tree, line).map((cell) => texOfNode(tree, cell));
  if (nameOf(tree, line) !== 'mlabeledtr') return cells.join(' & ');
  const [label = '', ...rest] = cells;
  return `${rest.join(' & ')} \\quad ${label}`;
}
