import { escapeAttribute, escapeText } from 'entities';
import { parseXml, type XmlElement } from '#extract/converters/xml.ts';

/** The accents that Word uses, and their equivalents in MathML. */
const ACCENTS = new Map([
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
const TOKEN = /\d+(?:[.,]\d+)*|\p{L}\p{M}*|[^\s&]/gu;
const UPRIGHT_TOKEN = /\d+(?:[.,]\d+)*|(?:\p{L}\p{M}*)+|[^\s&]/gu;

/** Converts a formula from Office MathML (ISO/IEC 29500-1, 22.1) to MathML; `''` if it is empty. */
export function toMathml(source: string, isDisplay: boolean): string {
  const formula = parseXml(source);
  const inner = formula === null ? '' : renderChildren(formula);
  return inner === '' ? '' : `<math${isDisplay ? ' display="block"' : ''}>${inner}</math>`;
}

type RenderMathml = (element: XmlElement) => string;

const ELEMENTS: ReadonlyMap<string, RenderMathml> = new Map<string, RenderMathml>([
  ['r', renderRun],
  ['t', ({ text }) => renderTokens(text, TOKEN, '')],
  ['del', () => ''],
  ['f', renderFraction],
  ['ssub', (of) => renderScripts(renderPart(of, 'e'), renderPart(of, 'sub'), '')],
  ['ssup', (of) => renderScripts(renderPart(of, 'e'), '', renderPart(of, 'sup'))],
  ['ssubsup', (of) => renderScripts(renderPart(of, 'e'), renderPart(of, 'sub'), renderPart(of, 'sup'))],
  [
    'spre',
    (of) =>
      `<mmultiscripts>${renderPart(of, 'e')}<mprescripts/>${renderPart(of, 'sub')}${renderPart(of, 'sup')}</mmultiscripts>`,
  ],
  ['rad', renderRoot],
  ['nary', renderLargeOperator],
  ['d', renderFenced],
  ['limlow', (of) => `<munder>${renderPart(of, 'e')}${renderPart(of, 'lim')}</munder>`],
  ['limupp', (of) => `<mover>${renderPart(of, 'e')}${renderPart(of, 'lim')}</mover>`],
  ['acc', (of) => renderAccent(of, '\u0302', 'top')],
  ['bar', renderBar],
  ['groupchr', (of) => renderAccent(of, '⏟', 'bot')],
  ['m', (of) => renderTable(of.children.filter(({ name }) => name === 'mr').map(renderCells), '')],
  [
    'eqarr',
    (of) =>
      renderTable(
        renderCells(of).map((cell) => [cell]),
        ' columnalign="left"',
      ),
  ],
  ['phant', (of) => (isPropertyOff(getProperty(of, 'show')) ? '' : renderPart(of, 'e'))],
]);

function renderElement(element: XmlElement): string {
  if (element.name.endsWith('pr')) return '';
  return (ELEMENTS.get(element.name) ?? renderChildren)(element);
}

function renderChildren({ children }: XmlElement): string {
  return children.map(renderElement).join('');
}

/** Renders a named part as one `mrow`, which is empty if the part is absent. */
function renderPart(of: XmlElement, name: string): string {
  const found = of.children.find((child) => child.name === name);
  return `<mrow>${found === undefined ? '' : renderChildren(found)}</mrow>`;
}

function isEmptyRow(row: string): boolean {
  return row === '' || row === '<mrow></mrow>';
}

/** The value of a property; undefined if it is absent. */
function getProperty(of: XmlElement, name: string): string | undefined {
  const all = of.children.find((child) => child.name === `${of.name}pr`);
  const found = all?.children.find((child) => child.name === name);
  return found === undefined ? undefined : (found.attributes.get('val') ?? 'on');
}

function isPropertyOff(value: string | undefined): boolean {
  return value !== undefined && /^(?:0|off|false)$/.test(value);
}

function isPropertyOn(value: string | undefined): boolean {
  return value !== undefined && !isPropertyOff(value);
}

/** Renders the letters, numbers and operators of a run; text marked as normal stays text. */
function renderRun(run: XmlElement): string {
  const properties = run.children.filter(({ name }) => name === 'rpr').flatMap(({ children }) => children);
  const valueFor = (wanted: string): string | undefined => {
    const found = properties.find(({ name }) => name === wanted);
    return found === undefined ? undefined : (found.attributes.get('val') ?? 'on');
  };
  if (isPropertyOn(valueFor('vanish'))) return '';
  const text = run.children
    .filter(({ name }) => name === 't')
    .map((child) => child.text)
    .join('');
  if (isPropertyOn(valueFor('nor'))) return text === '' ? '' : `<mtext>${escapeText(text)}</mtext>`;
  const style = valueFor('sty');
  const bold = style === 'b' ? 'bold' : style === 'bi' ? 'bold-italic' : undefined;
  const variant = SCRIPTS.get(valueFor('scr') ?? '') ?? bold;
  const attribute = variant === undefined ? '' : ` mathvariant="${variant}"`;
  return renderTokens(text, style === 'p' ? UPRIGHT_TOKEN : TOKEN, attribute);
}

function renderTokens(text: string, tokens: RegExp, attribute: string): string {
  return (text.match(tokens) ?? [])
    .map((token) => {
      if (/^\d/.test(token)) return `<mn>${token}</mn>`;
      return /^\p{L}/u.test(token) ? `<mi${attribute}>${token}</mi>` : `<mo>${escapeText(token)}</mo>`;
    })
    .join('');
}

function renderFraction(of: XmlElement): string {
  const [over, under, type] = [renderPart(of, 'num'), renderPart(of, 'den'), getProperty(of, 'type')];
  if (type === 'lin') return `${over}<mo>/</mo>${under}`;
  return `<mfrac${type === 'noBar' ? ' linethickness="0"' : ''}>${over}${under}</mfrac>`;
}

function renderScripts(base: string, sub: string, sup: string): string {
  if (isEmptyRow(sub)) return isEmptyRow(sup) ? base : `<msup>${base}${sup}</msup>`;
  return isEmptyRow(sup) ? `<msub>${base}${sub}</msub>` : `<msubsup>${base}${sub}${sup}</msubsup>`;
}

function renderRoot(of: XmlElement): string {
  const degree = renderPart(of, 'deg');
  if (isPropertyOn(getProperty(of, 'deghide')) || isEmptyRow(degree)) return `<msqrt>${renderPart(of, 'e')}</msqrt>`;
  return `<mroot>${renderPart(of, 'e')}${degree}</mroot>`;
}

function renderLargeOperator(of: XmlElement): string {
  const sub = isPropertyOn(getProperty(of, 'subhide')) ? '' : renderPart(of, 'sub');
  const sup = isPropertyOn(getProperty(of, 'suphide')) ? '' : renderPart(of, 'sup');
  return `${renderScripts(`<mo>${escapeText(getProperty(of, 'chr') ?? '∫')}</mo>`, sub, sup)}${renderPart(of, 'e')}`;
}

function renderFenced(of: XmlElement): string {
  const open = escapeAttribute(getProperty(of, 'begchr') ?? '(');
  const close = escapeAttribute(getProperty(of, 'endchr') ?? ')');
  const separators = escapeAttribute(getProperty(of, 'sepchr') ?? '|');
  const inner = renderCells(of).join('');
  return `<mfenced open="${open}" close="${close}" separators="${separators}">${inner}</mfenced>`;
}

function renderBar(of: XmlElement): string {
  return getProperty(of, 'pos') === 'top'
    ? `<mover>${renderPart(of, 'e')}<mo>¯</mo></mover>`
    : `<munder>${renderPart(of, 'e')}<mo>_</mo></munder>`;
}

function renderAccent(of: XmlElement, usual: string, usualPlace: string): string {
  const sign = getProperty(of, 'chr') ?? usual;
  const mark = `<mo>${escapeText(ACCENTS.get(sign) ?? sign)}</mo>`;
  return (getProperty(of, 'pos') ?? usualPlace) === 'top'
    ? `<mover>${renderPart(of, 'e')}${mark}</mover>`
    : `<munder>${renderPart(of, 'e')}${mark}</munder>`;
}

function renderCells({ children }: XmlElement): readonly string[] {
  return children.filter(({ name }) => name === 'e').map((cell) => `<mrow>${renderChildren(cell)}</mrow>`);
}

function renderTable(rows: readonly (readonly string[])[], attribute: string): string {
  const lines = rows.map((cells) => `<mtr>${cells.map((cell) => `<mtd>${cell}</mtd>`).join('')}</mtr>`);
  return `<mtable${attribute}>${lines.join('')}</mtable>`;
}
