import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { BLOCK, getTagFlags, INVISIBLE, buildTagSet } from '#extract/html/tags.ts';
import {
  readCharacters,
  isText,
  getKnownAttribute,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { isCurrencySign } from '#extract/values/currencies.ts';
import {
  parseMoneyText,
  parsePriceTexts,
  joinCents,
  type Money,
  type MoneyContext,
  type PriceText,
} from '#extract/values/money.ts';
import { normalizeDigits } from '#extract/values/numbers.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { HIDDEN, readHiding } from './hidden-elements.ts';

const STRUCK_TAGS = buildTagSet('del s strike');
const LINE_THROUGH = /text-decoration(?:-line)?\s{0,9}:[^;]{0,40}line-through/i;
/** Words in names of elements with a crossed-out price. */
const STRUCK_NAMES: ReadonlySet<string> = new Set(
  'strike striked strikethrough strikeout crossed linethrough struck'.split(' '),
);
/** Words in names of elements with a price other than the one to pay. */
const OTHER_NAMES: ReadonlySet<string> = new Set(
  'was old former previous original msrp rrp uvp save saved saving savings strike striked strikethrough strikeout crossed linethrough struck'.split(
    ' ',
  ),
);
/** The same, but only in a name that also contains a word for price. */
const OTHER_PRICE_NAMES: ReadonlySet<string> = new Set(
  'before regular discount shipping delivery unit from compare label filter range alert tax vat listprice'.split(' '),
);
/** Words that mark the price to pay despite the others: `price-final_price tax`. */
const CURRENT_PRICE_NAMES: ReadonlySet<string> = new Set('final special sale current now'.split(' '));
const PRICE_NAME = /price|preis|prix|precio|prezzo|preco|prijs|cena|amount/i;
/** Words in names of elements with the digits after the decimal mark. */
const CENTS_NAMES: ReadonlySet<string> = new Set(
  'cent cents fraction fractional decimal decimals centimes centimos centavos centesimi kopecks penny pence superscript sup'.split(
    ' ',
  ),
);
/** Words in names of elements with the digits before the decimal mark. */
const WHOLE_NAMES: ReadonlySet<string> = new Set('whole integer int dollars dollar euros rubles'.split(' '));
const RAISED_STYLE = /vertical-align\s{0,9}:\s{0,9}(?:super|top|text-top)/i;
const MAX_NAMES_LENGTH = 200;
const MAX_TEXT_LENGTH = 200;
const MAX_PIECES = 60;

/** Whether a name contains a word for price. */
export function isPriceName(names: string): boolean {
  return PRICE_NAME.test(names);
}

/** Whether an element is crossed out by its tag, style or name. */
export function isStruckThrough(tree: Tree, node: number): boolean {
  if (STRUCK_TAGS[getTag(tree, node)] === 1) return true;
  if (LINE_THROUGH.test(getKnownAttribute(tree, node, ATTRIBUTE.style) ?? '')) return true;
  return listNameWords(tree, node).some((word) => STRUCK_NAMES.has(word));
}

/** Whether an element or one of its ancestors is crossed out. */
export function isInStruckThrough(tree: Tree, node: number): boolean {
  for (let at = node; at !== 0; at = getParent(tree, at)) if (isStruckThrough(tree, at)) return true;
  return false;
}

/** Whether an element is crossed out, or named after a price that is not the one to pay. */
export function isOtherPrice(tree: Tree, node: number): boolean {
  if (isStruckThrough(tree, node)) return true;
  if (!PRICE_NAME.test(readClassAndId(tree, node))) return false;
  const words = listNameWords(tree, node);
  if (words.some((word) => OTHER_NAMES.has(word))) return true;
  return words.some((word) => OTHER_PRICE_NAMES.has(word)) && !words.some((word) => CURRENT_PRICE_NAMES.has(word));
}

/** The same for a part of a price element, whose name need not contain a word for price. */
export function isOtherPricePart(tree: Tree, node: number): boolean {
  return isOtherPrice(tree, node) || listNameWords(tree, node).some((word) => OTHER_NAMES.has(word));
}

/** The class and the id of an element. */
export function readClassAndId(tree: Tree, node: number): string {
  return `${getKnownAttribute(tree, node, ATTRIBUTE.class) ?? ''} ${getKnownAttribute(tree, node, ATTRIBUTE.id) ?? ''}`;
}

/** The words in the names of an element. Names for one state only (`hover:line-through`) are skipped. */
function listNameWords(tree: Tree, node: number): readonly string[] {
  const names = readClassAndId(tree, node);
  if (names === ' ') return [];
  return names
    .slice(0, MAX_NAMES_LENGTH)
    .split(/\s+/)
    .filter((name) => !name.includes(':') && !name.startsWith('no-'))
    .flatMap((name) =>
      name
        .replace(/line-?through/gi, 'linethrough')
        .replace(/list[-_]?price/gi, 'listprice')
        .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
        .toLowerCase()
        .split(/[^a-z]+/),
    );
}

/**
 * The price that an element shows, including raised cents. Crossed-out and other prices are skipped. Null if none is
 * certain.
 */
export function readPriceAt(tree: Tree, node: number, reading: MoneyContext): Money | null {
  const texts = listShownTexts(tree, node);
  // If the element itself is crossed out, the caller asks for that price.
  const struck = isInStruckThrough(tree, node) ? [] : listStruckAmounts(tree, node, reading);
  return parsePriceTexts(texts, reading, new Set(hasDigits(texts) ? struck : []));
}

/** The text of the price that an element shows. Empty if its parts may be several amounts. */
export function readPriceText(tree: Tree, node: number): string {
  const texts = listShownTexts(tree, node);
  return texts.every(({ isSure }) => isSure) ? texts.map(({ text }) => text).join(' ') : '';
}

/**
 * The texts of the price to pay. If an element only shows another price, the texts of that, unless it is crossed out
 * inside an element that is not.
 */
function listShownTexts(tree: Tree, node: number): readonly PriceText[] {
  if (isInStruckThrough(tree, node)) return listPriceTexts(tree, node, () => false);
  const shown = listPriceTexts(tree, node, isOtherPricePart);
  if (hasDigits(shown)) return shown;
  const other = listPriceTexts(tree, node, isStruckThrough);
  return hasDigits(other) || !isOtherPricePart(tree, node) ? other : listPriceTexts(tree, node, () => false);
}

function hasDigits(texts: readonly PriceText[]): boolean {
  return texts.some(({ text }) => /\d(?![\d.,]*\s?%)/.test(normalizeDigits(text)));
}

/** Crossed-out amounts in an element. Pages repeat them in texts for screen readers. */
function listStruckAmounts(tree: Tree, node: number, reading: MoneyContext): readonly number[] {
  const amounts: number[] = [];
  for (let at = node + 1; at < getSubtreeEnd(tree, node) && amounts.length < MAX_PIECES; at++) {
    if (isText(tree, at) || !isStruckThrough(tree, at)) continue;
    const money = parsePriceTexts(
      listPriceTexts(tree, at, () => false),
      reading,
      new Set(),
    );
    if (money !== null) amounts.push(money.amount);
    at = getSubtreeEnd(tree, at) - 1;
  }
  return amounts;
}

/** A text node of a price, with its distance to the previous one. */
type TextPiece = {
  readonly text: string;
  readonly node: number;
  /** What separates it from the previous piece: nothing, white space, or a block boundary. */
  readonly gap: 'none' | 'space' | 'block';
};

/** The price texts in an element, each with its currency and cents. Elements that pass `isLeftOut` are skipped. */
export function listPriceTexts(
  tree: Tree,
  node: number,
  isLeftOut: (tree: Tree, node: number) => boolean,
): readonly PriceText[] {
  const texts: { text: string; isSure: boolean }[] = [];
  let lastNode = 0;
  for (const piece of listPieces(tree, node, isLeftOut)) {
    const last = texts.at(-1);
    const added = last === undefined ? null : joinPiece(tree, { text: last.text, node: lastNode, root: node }, piece);
    if (last === undefined || added === ANOTHER_PRICE) texts.push({ text: piece.text, isSure: true });
    else if (added === null) last.isSure = false;
    else last.text = added;
    lastNode = piece.node;
  }
  return texts;
}

function listPieces(tree: Tree, node: number, isLeftOut: (tree: Tree, node: number) => boolean): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let gap: TextPiece['gap'] = 'none';
  const end = getSubtreeEnd(tree, node);
  for (let at = node + 1; at < end && pieces.length < MAX_PIECES; at++) {
    if (isText(tree, at)) {
      const before = getPreviousSibling(tree, at);
      if (before !== 0 && (getTagFlags(getTag(tree, before)) & BLOCK) !== 0) gap = 'block';
      const characters = readCharacters(tree, at, MAX_TEXT_LENGTH);
      const text = collapseSpace(characters);
      if (gap === 'none' && /^\s/.test(characters)) gap = 'space';
      if (text === '') continue;
      pieces.push({ text, node: at, gap });
      gap = /\s$/.test(characters) ? 'space' : 'none';
      continue;
    }
    const tag = getTag(tree, at);
    if (tag === TAG.br || (getTagFlags(tag) & BLOCK) !== 0) gap = 'block';
    const isUnseen = (getTagFlags(tag) & INVISIBLE) !== 0 || readHiding(tree, at) === HIDDEN;
    if (isUnseen || isLeftOut(tree, at)) {
      at = getSubtreeEnd(tree, at) - 1;
      if (gap === 'none') gap = 'space';
    }
  }
  return pieces;
}

/** The piece belongs to another price. */
const ANOTHER_PRICE = Symbol('apart');

type PriceSoFar = { readonly text: string; readonly node: number; readonly root: number };

/**
 * Appends a piece to the text of a price. ANOTHER_PRICE if the piece starts another price, null if that is not certain.
 */
function joinPiece(
  tree: Tree,
  { text, node, root }: PriceSoFar,
  piece: TextPiece,
): string | typeof ANOTHER_PRICE | null {
  const plain = normalizeDigits(piece.text);
  const whole = normalizeDigits(text);
  const isNextText = piece.gap === 'none' && getParent(tree, node) === getParent(tree, piece.node);
  if (isNextText) return text + piece.text;
  const space = piece.gap === 'none' && !/\p{L}$/u.test(whole) && !/^\p{L}/u.test(plain) ? '' : ' ';
  const raised = isRaised(tree, piece, root);
  if (!/\d/.test(plain)) {
    const isSign = isCurrencySign(plain);
    if (raised && !isSign && !/\p{Sc}/u.test(plain)) return text;
    return isSign && hasCurrency(whole) ? ANOTHER_PRICE : text + space + piece.text;
  }
  if (raised && RAISED_DIGITS.test(plain)) return appendRaised(whole, plain, piece.gap);
  if (!/\d/.test(whole)) return text + space + piece.text;
  if (piece.gap === 'none' && (/^[.,]\s?\d/.test(plain) || (/\d[.,]$/.test(whole) && /^\d/.test(plain))))
    return text + piece.text;
  if (piece.gap === 'block' || /^[\d.,]+\s?%/.test(plain) || !/\d$/.test(whole) || !/^\d/.test(plain))
    return ANOTHER_PRICE;
  const [, cents, sign = ''] = /^(\d{2})\s?(\D{0,6})$/.exec(plain) ?? [];
  const isCents = cents !== undefined && (sign === '' || isCurrencySign(sign.trim()));
  if (isCents && hasNamedAncestor(tree, node, root, WHOLE_NAMES)) {
    const joined = joinCents(whole, cents);
    return joined === null ? null : joined + (sign === '' ? '' : ` ${sign}`);
  }
  if (piece.gap === 'none') return null;
  // The digits may be cents or the last group of thousands.
  return (isCents && /(?<![.,\d])\d+$/.test(whole)) || (/^\d{3}(?!\d)/.test(plain) && /(?<![.,\d])\d{1,3}$/.test(whole))
    ? null
    : ANOTHER_PRICE;
}

function hasCurrency(text: string): boolean {
  return typeof parseMoneyText(text, NO_READING)?.currency === 'string';
}

const NO_READING: MoneyContext = { locale: null, currency: null };

const RAISED_DIGITS = /^(\D*?)([.,]?)(\d+)(\D*)$/;

/** Appends raised text to a price: its cents, its currency, or a footnote mark. Null if that is not certain. */
function appendRaised(whole: string, raised: string, gap: TextPiece['gap']): string | typeof ANOTHER_PRICE | null {
  const [, before = '', mark = '', digits = '', after = ''] = RAISED_DIGITS.exec(raised) ?? [];
  const [, lead = '', number = '', sign = ''] = /^(.*?)((?<![\d.,])\d[\d.,' ]*)(\D{0,6})$/su.exec(whole) ?? [];
  if (number === '') return /\d/.test(whole) ? whole : `${whole} ${raised}`;
  const signs = [sign, before, after].map((one) => one.trim()).filter((one) => one !== '');
  if (signs.some((one) => !isCurrencySign(one) && !/^[*†‡()[\]¢]+$/.test(one)))
    return gap === 'none' ? whole : ANOTHER_PRICE;
  if (/[()[\]*†‡]/.test(before + after)) return whole;
  const joined = mark === '' ? joinCents(number, digits) : `${number.trimEnd()}${mark}${digits}`;
  return joined === null ? null : [lead + joined, ...signs.filter((one) => one !== '¢')].join(' ');
}

/**
 * Whether a text is superscript, smaller than the previous piece, or named as cents, by an element between it and
 * `root`.
 */
function isRaised(tree: Tree, { node, gap }: TextPiece, root: number): boolean {
  for (let at = getParent(tree, node); at !== root && at !== 0; at = getParent(tree, at)) {
    const tag = getTag(tree, at);
    if (tag === TAG.sup || (tag === TAG.small && gap === 'none')) return true;
    if (RAISED_STYLE.test(getKnownAttribute(tree, at, ATTRIBUTE.style) ?? '')) return true;
    if (listNameWords(tree, at).some((word) => CENTS_NAMES.has(word))) return true;
  }
  return false;
}

function hasNamedAncestor(tree: Tree, text: number, root: number, names: ReadonlySet<string>): boolean {
  for (let at = getParent(tree, text); at !== root && at !== 0; at = getParent(tree, at)) {
    if (listNameWords(tree, at).some((word) => names.has(word))) return true;
  }
  return false;
}
