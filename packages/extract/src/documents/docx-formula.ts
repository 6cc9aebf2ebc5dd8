import { escapeAttribute, escapeText } from 'entities';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';

/** Marks that Word sets above or below with the signs that MathML has for them. */
const MARKS = new Map([
  ['\u0302', '^'],
  ['\u0303', '~'],
  ['\u0304', '¯'],
  ['\u0305', '¯'],
  ['\u0307', '˙'],
  ['\u0308', '¨'],
  ['\u20D7', '→'],
]);
const SCRIPTS = new Map([
  ['double-struck', 'double-struck'],
  ['fraktur', 'fraktur'],
  ['monospace', 'monospace'],
  ['sans-serif', 'sans-serif'],
  ['script', 'script'],
]);
const TOKENS = /\d+(?:[.,]\d+)*|\p{L}\p{M}*|[^\s&]/gu;
const UPRIGHT_TOKENS = /\d+(?:[.,]\d+)*|(?:\p{L}\p{M}*)+|[^\s&]/gu;

/** The MathML of a formula in Office MathML (ISO/IEC 29500-1, 22.1); `''` for an empty one. */
export function toMathml(source: string, isDisplay: boolean): string {
  const formula = readXml(source);
  const inner = formula === null ? '' : toInner(formula);
  return inner === '' ? '' : `<math${isDisplay ? ' display="block"' : ''}>${inner}</math>`;
}

type ToMathml = (element: XmlElement) => string;

const ELEMENTS: ReadonlyMap<string, ToMathml> = new Map<string, ToMathml>([
  ['r', toTokens],
  ['t', ({ text }) => tokensIn(text, TOKENS, '')],
  ['del', () => ''],
  ['f', toFraction],
  ['ssub', (of) => toScripts(part(of, 'e'), part(of, 'sub'), '')],
  ['ssup', (of) => toScripts(part(of, 'e'), '', part(of, 'sup'))],
  ['ssubsup', (of) => toScripts(part(of, 'e'), part(of, 'sub'), part(of, 'sup'))],
  ['spre', (of) => `<mmultiscripts>${part(of, 'e')}<mprescripts/>${part(of, 'sub')}${part(of, 'sup')}</mmultiscripts>`],
  ['rad', toRoot],
  ['nary', toLargeOperator],
  ['d', toFenced],
  ['limlow', (of) => `<munder>${part(of, 'e')}${part(of, 'lim')}</munder>`],
  ['limupp', (of) => `<mover>${part(of, 'e')}${part(of, 'lim')}</mover>`],
  ['acc', (of) => toMarked(of, '\u0302', 'top')],
  ['bar', toBar],
  ['groupchr', (of) => toMarked(of, '⏟', 'bot')],
  ['m', (of) => toTable(of.children.filter(({ name }) => name === 'mr').map(cellsIn), '')],
  [
    'eqarr',
    (of) =>
      toTable(
        cellsIn(of).map((cell) => [cell]),
        ' columnalign="left"',
      ),
  ],
  ['phant', (of) => (isOff(property(of, 'show')) ? '' : part(of, 'e'))],
]);

function toElement(element: XmlElement): string {
  if (element.name.endsWith('pr')) return '';
  return (ELEMENTS.get(element.name) ?? toInner)(element);
}

function toInner({ children }: XmlElement): string {
  return children.map(toElement).join('');
}

/** What stands in a named part, as one element; `''` where the part is not there or is empty. */
function part(of: XmlElement, name: string): string {
  const found = of.children.find((child) => child.name === name);
  return `<mrow>${found === undefined ? '' : toInner(found)}</mrow>`;
}

function isEmpty(row: string): boolean {
  return row === '' || row === '<mrow></mrow>';
}

/** A property as written; undefined where it is not there. */
function property(of: XmlElement, name: string): string | undefined {
  const all = of.children.find((child) => child.name === `${of.name}pr`);
  const found = all?.children.find((child) => child.name === name);
  return found === undefined ? undefined : (found.attributes.get('val') ?? 'on');
}

function isOff(value: string | undefined): boolean {
  return value !== undefined && /^(?:0|off|false)$/.test(value);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !isOff(value);
}

/** The letters, numbers and signs of a run; what it says is no formula stays words. */
function toTokens(run: XmlElement): string {
  const properties = run.children.filter(({ name }) => name === 'rpr').flatMap(({ children }) => children);
  const valueFor = (wanted: string): string | undefined => {
    const found = properties.find(({ name }) => name === wanted);
    return found === undefined ? undefined : (found.attributes.get('val') ?? 'on');
  };
  if (isOn(valueFor('vanish'))) return '';
  const text = run.children
    .filter(({ name }) => name === 't')
    .map((child) => child.text)
    .join('');
  if (isOn(valueFor('nor'))) return text === '' ? '' : `<mtext>${escapeText(text)}</mtext>`;
  const style = valueFor('sty');
  const bold = style === 'b' ? 'bold' : style === 'bi' ? 'bold-italic' : undefined;
  const variant = SCRIPTS.get(valueFor('scr') ?? '') ?? bold;
  const attribute = variant === undefined ? '' : ` mathvariant="${variant}"`;
  return tokensIn(text, style === 'p' ? UPRIGHT_TOKENS : TOKENS, attribute);
}

function tokensIn(text: string, tokens: RegExp, attribute: string): string {
  return (text.match(tokens) ?? [])
    .map((token) => {
      if (/^\d/.test(token)) return `<mn>${token}</mn>`;
      return /^\p{L}/u.test(token) ? `<mi${attribute}>${token}</mi>` : `<mo>${escapeText(token)}</mo>`;
    })
    .join('');
}

function toFraction(of: XmlElement): string {
  const [over, under, type] = [part(of, 'num'), part(of, 'den'), property(of, 'type')];
  if (type === 'lin') return `${over}<mo>/</mo>${under}`;
  return `<mfrac${type === 'noBar' ? ' linethickness="0"' : ''}>${over}${under}</mfrac>`;
}

function toScripts(base: string, sub: string, sup: string): string {
  if (isEmpty(sub)) return isEmpty(sup) ? base : `<msup>${base}${sup}</msup>`;
  return isEmpty(sup) ? `<msub>${base}${sub}</msub>` : `<msubsup>${base}${sub}${sup}</msubsup>`;
}

function toRoot(of: XmlElement): string {
  const degree = part(of, 'deg');
  if (isOn(property(of, 'deghide')) || isEmpty(degree)) return `<msqrt>${part(of, 'e')}</msqrt>`;
  return `<mroot>${part(of, 'e')}${degree}</mroot>`;
}

function toLargeOperator(of: XmlElement): string {
  const sub = isOn(property(of, 'subhide')) ? '' : part(of, 'sub');
  const sup = isOn(property(of, 'suphide')) ? '' : part(of, 'sup');
  return `${toScripts(`<mo>${escapeText(property(of, 'chr') ?? '∫')}</mo>`, sub, sup)}${part(of, 'e')}`;
}

function toFenced(of: XmlElement): string {
  const open = escapeAttribute(property(of, 'begchr') ?? '(');
  const close = escapeAttribute(property(of, 'endchr') ?? ')');
  const separators = escapeAttribute(property(of, 'sepchr') ?? '|');
  const inner = cellsIn(of).join('');
  return `<mfenced open="${open}" close="${close}" separators="${separators}">${inner}</mfenced>`;
}

function toBar(of: XmlElement): string {
  return property(of, 'pos') === 'top'
    ? `<mover>${part(of, 'e')}<mo>¯</mo></mover>`
    : `<munder>${part(of, 'e')}<mo>_</mo></munder>`;
}

function toMarked(of: XmlElement, usual: string, usualPlace: string): string {
  const sign = property(of, 'chr') ?? usual;
  const mark = `<mo>${escapeText(MARKS.get(sign) ?? sign)}</mo>`;
  return (property(of, 'pos') ?? usualPlace) === 'top'
    ? `<mover>${part(of, 'e')}${mark}</mover>`
    : `<munder>${part(of, 'e')}${mark}</munder>`;
}

function cellsIn({ children }: XmlElement): readonly string[] {
  return children.filter(({ name }) => name === 'e').map((cell) => `<mrow>${toInner(cell)}</mrow>`);
}

function toTable(rows: readonly (readonly string[])[], attribute: string): string {
  const lines = rows.map((cells) => `<mtr>${cells.map((cell) => `<mtd>${cell}</mtd>`).join('')}</mtr>`);
  return `<mtable${attribute}>${lines.join('')}</mtable>`;
}
