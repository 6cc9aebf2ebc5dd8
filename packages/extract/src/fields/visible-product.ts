import {
  readCollapsedText,
  getAttribute,
  isText,
  getKnownAttribute,
  findNextTag,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { foldTitle, isSimilarTitle } from '#extract/metadata/titles.ts';
import type { ProductFieldName } from '#extract/structured/products.ts';
import { isCurrencyCode } from '#extract/values/currencies.ts';
import {
  isSecondaryPriceText,
  type Money,
  type MoneyContext,
  type PriceText,
  parseMoneyText,
  parsePriceTexts,
} from '#extract/values/money.ts';
import { parseStock, parseBoolean } from '#extract/values/typed-values.ts';
import { HIDDEN, readHiding } from '#extract/view/hidden-elements.ts';
import {
  isOtherPricePart,
  isOtherPrice,
  isPriceName,
  isStruckThrough,
  readClassAndId,
  listPriceTexts,
  readPriceAt,
} from '#extract/view/price-texts.ts';
import { collectLabelPairs, type Label, toNameKey } from './labels.ts';

/** The labels of product facts in the languages of most shops, separated by commas. */
const PRODUCT_LABELS = {
  sku: `sku, item, item number, item no, item code, item id, product code, product number, product no,
    product id, article, article number, article no, article code, art no, art nr, art, artnr, artikelnummer, artikel nr,
    artikelnr, artikel, bestellnummer, bestell nr, best nr, produktnummer, produktcode, ebay artikelnummer, ebay item number,
    numéro de l'objet ebay, numero oggetto ebay, número de artículo de ebay, anzeigennummer, anzeigen id, référence, réf,
    ref, reference, référence produit, code produit, code article, código, código de producto, código del producto, sku producto,
    referencia, referência, ref producto, código do produto, codice, codice prodotto, codice articolo, cod articolo, riferimento,
    артикул, арт, код, код товара, код артикула, артикул товара, номер товара, kod produktu, kod, symbol, numer katalogowy,
    nr katalogowy, indeks, id oferty, cod produs, cod, katalogové číslo, kód, kód produktu, kód zboží, objednací číslo, číslo produktu,
    šifra, šifra izdelka, cikkszám, termékkód, varenummer, varenr, vare nr, artikkelnummer, art nr, tuotenumero, tuotekoodi,
    ürün kodu, stok kodu, productnummer, productcode, bestelnummer, catalog number, catalogue number,
    cat no, stock number, stock no, listing id, post id, ad id, lot number, asin, 商品番号, 品番, 商品コード, 货号, 商品编号, 商品編號, 상품번호, מקט, מק ט`,
  mpn: `mpn, part number, manufacturer part number, model number, model no, item model number, style number, style no, herstellernummer,
    modellnummer`,
  brand: `brand, brand name, brands, make, manufacturer, make manufacturer, manufacturer name, marke, hersteller, marque, fabricant,
    marca, fabricante, marchio, produttore, бренд, производитель, марка, торговая марка, marka, producent, značka, výrobce, výrobca,
    znamka, blagovna znamka, proizvajalec, proizvođač, márka, gyártó, merk, fabrikant, märke, varumärke, tillverkare, mærke, merke,
    valmistaja, merkki, tuotemerkki, producător, brend, θέμα, μάρκα, κατασκευαστής, üretici, ブランド, メーカー, 品牌, 브랜드, מותג, יצרן,
    الماركة, العلامة التجارية, thương hiệu`,
  gtin: `gtin, gtin 13, ean, ean 13, ean code, ean nummer, upc, upc code, isbn, isbn 13, isbn10, isbn 10, barcode, bar code, strichcode, code barre, code barres,
    código de barras, codice a barre, codice ean, код ean, штрихкод, штрих код, kod ean, kod kreskowy, vonalkód, streckkod, stregkode,
    jan, janコード, 条码, 바코드, ברקוד`,
  availability: `availability, stock, stock status, in stock, verfügbarkeit, lieferbarkeit, lagerbestand, disponibilité, stock disponible, disponibilidad,
    disponibilità, disponibilidade, наличие, наявність, dostępność, dostupnost, dostupnosť, zaloga, dobava, elérhetőség, készlet,
    beschikbaarheid, lagerstatus, lagersaldo, tilgængelighed, saatavuus, disponibilitate, stok durumu, stok, 在庫, 库存, זמינות, مدى التوفر`,
} as const;

type LabelledFact = keyof typeof PRODUCT_LABELS;

const LABEL_KEYS: Readonly<Record<LabelledFact, ReadonlySet<string>>> = {
  sku: buildNameKeys(PRODUCT_LABELS.sku),
  mpn: buildNameKeys(PRODUCT_LABELS.mpn),
  brand: buildNameKeys(PRODUCT_LABELS.brand),
  gtin: buildNameKeys(PRODUCT_LABELS.gtin),
  availability: buildNameKeys(PRODUCT_LABELS.availability),
};

function buildNameKeys(names: string): ReadonlySet<string> {
  return new Set(names.split(/,\s+/).map(toNameKey));
}

/** Whether a label names a product fact: `Артикул`, `Item number`, `Marke`. */
function isFactLabel(label: string, fact: LabelledFact): boolean {
  return LABEL_KEYS[fact].has(toNameKey(label));
}

/** Texts of buttons that add a product to the cart or buy it. */
const BUY_BUTTON_TEXT =
  /^(?:(?:\+\s?)?add(?: item)?(?: \d)? to (?:my |your |the |shopping )*(?:cart|bag|basket|trolley)|buy(?: it)?(?: now)?|order now|add to order|pre-?order(?: now)?|get tickets|buy tickets|in (?:den |die )?(?:warenkorb|einkaufswagen|einkaufskorb|tasche)(?: legen)?|(?:jetzt |sofort[- ]?)?kaufen|(?:jetzt )?bestellen|ajouter (?:au|à mon|dans le) panier|(?:j')?achet(?:er|e)(?: maintenant| immédiatement)?|commander|(?:añadir|agregar|anadir)(?: al?)? (?:carrito|carro|la cesta|cesta|la bolsa)|comprar(?: ahora| agora| ya)?|aggiungi al carrello|acquista(?: ora)?|compra(?: ora| ya)?|adicionar (?:ao carrinho|à sacola)|in (?:mijn )?(?:winkelwagen|winkelmand(?:je)?)|(?:dodaj )?do koszyka|kup(?: teraz)?|(?:добавить )?в корзину|купить(?: сейчас| в 1 клик| в один клик)?|до кошика|(?:в )?кошик|купити|sepete ekle|(?:hemen|şimdi) (?:al|satın al)|satın al|カートに入れる|買い物かごに入れる|今すぐ買う|加入购物车|加入購物車|立即购买|立即購買|장바구니(?: 담기)?|구매하기|바로구매|הוסף? לסל|הוספה לסל|קנה עכשיו|أضف إلى (?:السلة|عربة التسوق|الحقيبة)|اشتر الآن|(?:dodaj )?v košarico|(?:přidat |vložit |pridať |vložiť )?do koš[ií]ka|kúpiť|koupit|(?:dodaj )?u košaricu|naroči|adaug[aă] [iî]n co[sș]|lägg i (?:varukorgen|kundvagnen)|köp(?: nu)?|(?:læg|tilføj) (?:i|til) kurv(?:en)?|køb(?: nu)?|legg i handlekurv(?:en)?|kjøp(?: nå)?|lisää (?:ostos)?koriin|osta(?: heti)?|kosárba(?: teszem| rakom)?|προσθήκη στο καλάθι|thêm vào giỏ(?: hàng)?|mua ngay)[\s!.>»→]*$/iu;

const BUY_BUTTON_NAME =
  /add[-_]?(?:item[-_]?)?to[-_]?(?:cart|basket|bag|trolley)|(?:^|[\s_-])(?:buy[-_]?(?:now|btn|button|box)|tocart)/i;

/** Whether a button buys, by its text or its names; then the product is in stock. */
function isBuyButton(text: string, names: string): boolean {
  return (text.length <= 40 && BUY_BUTTON_TEXT.test(text)) || BUY_BUTTON_NAME.test(names);
}

/** The visible facts of a page's product: labels, the price next to the main heading, and whether it can be bought. */
export type VisibleProduct = {
  readonly labels: readonly Label[];
  readonly price: Money | null;
  readonly available: boolean | null;
  /** Whether the page shows that the product is sold out: by words and a disabled button. */
  readonly isSoldOut: boolean;
};

/** The URL of the page, and whether its structured data offers something for sale. */
type PageOffer = { readonly url: string; readonly sells: boolean };

const MAX_BRAND_LENGTH = 60;
const MAX_CODE_LENGTH = 40;
/** The most nodes of an element that shows a stock status. */
const MAX_STATE_NODES = 24;
/** The most nodes of an element that shows a price; one with separate parts has white space nodes between them. */
const MAX_PRICE_NODES = 40;
const MAX_PRICE_LENGTH = 80;
/** The product of the page may start this many nodes before the main heading, and extend `MAX_NODES_AFTER` nodes after it. */
const MAX_NODES_BEFORE = 150;
const MAX_NODES_AFTER = 2500;
const BUTTON_TAGS = buildTagSet('button a input img');
/** Elements that scripts turn into buttons; `BUY_NAME` matches the names of those that buy. */
const SCRIPTED_BUTTON_TAGS = buildTagSet('div span');
const BUY_NAME = /buy|cart|basket|btn|button|order|kauf|achat|compra|korzin|koszyk/i;
const MAX_BUTTON_NODES = 6;

/** Reads the visible facts of a product; `labels` are the labels of the page. */
export function readVisibleProduct(tree: Tree, labels: readonly Label[], locale: string | null): VisibleProduct {
  const heading = findMainHeading(tree);
  // The buy button may come before the name of the product, after other headings.
  const start = Math.max(1, findNextTag(tree, TAG.h1, 1) - MAX_NODES_BEFORE);
  const end = Math.min(tree.count, heading + MAX_NODES_AFTER);
  const pairs = [...collectLabelPairs(tree), ...labels];
  const context = { locale, currency: findShopCurrency(tree) };
  const available = findAvailability(tree, start, end);
  const soldOut = findSoldOutSigns(tree, Math.max(1, heading), end);
  const isGone = (soldOut.isWritten || (soldOut.isSaid && soldOut.isDisabled)) && !soldOut.isOffered;
  return {
    labels: pairs,
    price: findPrice(tree, Math.max(1, heading), end, context) ?? findLabelledPrice(tree, pairs, context),
    available: available ?? (isGone ? false : soldOut.isStocked ? true : null),
    isSoldOut: soldOut.isSaid && soldOut.isDisabled && !soldOut.isOffered,
  };
}

const MAX_HEADINGS = 20;
const MAX_TITLE_LENGTH = 300;

/**
 * The first `h1` that the page title contains, since notices and offers may come before it; else the first `h1`, 0 if
 * there is none.
 */
function findMainHeading(tree: Tree): number {
  const first = findNextTag(tree, TAG.h1, 1);
  const next = findNextTag(tree, TAG.h1, first + 1);
  const titled = findNextTag(tree, TAG.title, 1);
  if (first === 0 || next === 0 || titled === 0) return first;
  const title = foldTitle(readCollapsedText(tree, titled, MAX_TITLE_LENGTH));
  let heading = first;
  for (
    let count = 0;
    heading !== 0 && count < MAX_HEADINGS;
    count++, heading = findNextTag(tree, TAG.h1, heading + 1)
  ) {
    const text = foldTitle(readCollapsedText(tree, heading, MAX_TITLE_LENGTH));
    if (text !== '' && (title.includes(text) || isSimilarTitle(title, text))) return heading;
  }
  return first;
}

const PRICE_LABEL =
  /^(?:(?:our|your|sale|unit|current) )?(?:price|preis|prix|precio|preço|prezzo|prijs|pris|cena|цена|ціна|价格|価格|販売価格|가격|fiyat|ár|hinta|preț)$/iu;

/** The price to pay that follows a label such as "price". */
function findLabelledPrice(tree: Tree, labels: readonly Label[], context: MoneyContext): Money | null {
  for (const { name, text, node } of labels) {
    if (!PRICE_LABEL.test(name)) continue;
    // The markup of an element shows which digits are cents.
    const money = isText(tree, node)
      ? parsePriceTexts([{ text, isSure: true }], context, new Set())
      : readPriceAt(tree, node, context);
    const price = keepPositivePrice(money);
    if (price !== null) return price[0];
  }
  return null;
}

/** The currency that the page declares in `priceCurrency`; null if none. */
function findShopCurrency(tree: Tree): string | null {
  for (let at = 1; at < tree.count; at++) {
    if (isText(tree, at) || getKnownAttribute(tree, at, ATTRIBUTE.itemprop) !== 'priceCurrency') continue;
    const code = getKnownAttribute(tree, at, ATTRIBUTE.content)?.trim().toUpperCase() ?? '';
    if (isCurrencyCode(code)) return code;
  }
  return null;
}

/** A product fact as the page shows it; null if it does not. */
export function findVisibleFact(
  name: ProductFieldName,
  { labels, price, available }: VisibleProduct,
  { url, sells }: PageOffer,
): string | null {
  if (name === 'price') return price === null ? null : String(price.amount);
  if (name === 'currency') return price?.currency ?? null;
  if (name === 'brand') return findLabelledFact(labels, 'brand', toBrand);
  if (name === 'gtin') return findLabelledFact(labels, 'gtin', toGtin);
  if (name === 'sku') {
    const inUrl = sells || price !== null || available !== null ? findCodeInUrl(url) : null;
    return findLabelledFact(labels, 'sku', toCode) ?? inUrl ?? findLabelledFact(labels, 'mpn', toCode);
  }
  const stated = findLabelledFact(labels, 'availability', (text) => parseBoolean(text)?.toString() ?? null);
  const inStock = stated === null ? available : stated === 'true';
  return inStock === null ? null : inStock ? 'InStock' : 'OutOfStock';
}

function findLabelledFact(
  labels: readonly Label[],
  fact: LabelledFact,
  read: (text: string) => string | null,
): string | null {
  for (const { name, text } of labels) {
    const value = isFactLabel(name, fact) ? read(text.trim()) : null;
    if (value !== null) return value;
  }
  return null;
}

function toBrand(text: string): string | null {
  return text !== '' && text.length <= MAX_BRAND_LENGTH && /\p{L}/u.test(text) && !/https?:/.test(text) ? text : null;
}

/** The first word, if it has a digit. */
function toCode(text: string): string | null {
  const [word = ''] = text.split(/\s/);
  return word.length > 1 && word.length <= MAX_CODE_LENGTH && /\d/.test(word) ? word.replace(/[.,;]$/, '') : null;
}

/** The digits of a number with a valid check digit (GS1 General Specifications 7.9); null if invalid. */
function toGtin(text: string): string | null {
  const digits = /^[\d\s-]{8,20}/.exec(text)?.[0].replaceAll(/\D/g, '') ?? '';
  if (![8, 12, 13, 14].includes(digits.length)) return null;
  let sum = 0;
  for (let at = 0; at < digits.length; at++) sum += Number(digits.at(-1 - at)) * (at % 2 === 0 ? 1 : 3);
  return sum % 10 === 0 ? digits : null;
}

/** The product number in a shop's URL: `/item/143863282131`, `/red-kettle-987929.html`. */
function findCodeInUrl(url: string): string | null {
  const parts = new URL(url).pathname
    .split('/')
    .filter((part) => part !== '')
    .slice(-2);
  for (const part of parts.toReversed()) {
    const code = /(?:^|[-_.~p])(\d{4,14})(?:\.[a-z]{2,5})?$/i.exec(part)?.[1];
    if (code !== undefined && !/^(?:19|20)\d\d$/.test(code)) return code;
  }
  return null;
}

const OTHER_PART_TAGS = buildTagSet('aside nav');

/** Names of prices that are paid repeatedly or in parts. */
const RECURRING_PRICE_NAME = /subscri(?:be|ption)|autoship|instal?lment|financing/i;

/**
 * The first price after the main heading in an element named after prices; former prices do not count. The price of a
 * subscription or an instalment counts only if there is no other.
 */
function findPrice(tree: Tree, start: number, end: number, context: MoneyContext): Money | null {
  let paidAgain: Money | null = null;
  let paidAgainEnd = 0;
  for (let at = start; at < end; at++) {
    if (isText(tree, at)) continue;
    const size = getSubtreeEnd(tree, at) - at;
    const names = readClassAndId(tree, at);
    if (RECURRING_PRICE_NAME.test(names)) paidAgainEnd = Math.max(paidAgainEnd, at + size);
    const isElsewhere = OTHER_PART_TAGS[getTag(tree, at)] === 1 || OTHER_PRODUCTS.test(names);
    const isLeftOut = isElsewhere || readHiding(tree, at) === HIDDEN || isOtherPrice(tree, at);
    if (isLeftOut) at += size - 1;
    else if (size <= MAX_PRICE_NODES && isPriceName(names)) {
      const price = readPrice(tree, at, context);
      if (price !== null && at >= paidAgainEnd) return price;
      paidAgain ??= price;
    }
  }
  return paidAgain;
}

/** A unit price, for comparing goods: `(4,36 € / 100 ml)`. */
const UNIT_PRICE =
  /\d\s?(?:\p{Sc}|\p{L}{2,4}\.?)?\s?(?:\/|(?<!\p{L})(?:per|pro|je|par|por|al|za|за))\s?\d{0,4}\s?(?:ml|cl|dl|l|lit(?:re|er|ro)|mg|g|gr|kg|lb|oz|m|m²|m2|m³|кг|г|л|мл)(?!\p{L})/iu;

/**
 * The price that an element shows: the lowest in its texts, since the others are former prices. If no single text has a
 * price, its parts are read together.
 */
function readPrice(tree: Tree, node: number, context: MoneyContext): Money | null {
  if (readCollapsedText(tree, node, MAX_PRICE_LENGTH + 1).length > MAX_PRICE_LENGTH) return null;
  const read = (texts: readonly PriceText[]) => keepPositivePrice(parsePriceTexts(texts, context, new Set()));
  const texts = listPriceTexts(tree, node, isOtherPricePart);
  const whole = texts.filter(({ text }) => !UNIT_PRICE.test(text));
  const usable = read(whole) === null ? texts : whole;
  const prices = [usable, ...usable.filter(({ text }) => !isSecondaryPriceText(text)).map((text) => [text])];
  const [lowest] = prices.flatMap((some) => read(some) ?? []).toSorted((one, other) => one.amount - other.amount);
  // A price that its name marks as another price counts if there is no other.
  return lowest ?? read(listPriceTexts(tree, node, isStruckThrough))?.[0] ?? findStatedPrice(tree, node, context);
}

const PLAIN_DECIMAL = /^\d{1,12}(?:\.\d{1,4})?$/;

/**
 * The lowest amount in `content` attributes inside a price element whose visible text is ambiguous: `<span
 * content="3499.00">$3.499</span>`.
 */
function findStatedPrice(tree: Tree, node: number, context: MoneyContext): Money | null {
  let lowest: Money | null = null;
  for (let at = node; at < getSubtreeEnd(tree, node); at++) {
    if (isText(tree, at)) continue;
    if (readHiding(tree, at) === HIDDEN || isOtherPricePart(tree, at)) at = getSubtreeEnd(tree, at) - 1;
    const content = getAttribute(tree, at, 'content')?.trim() ?? '';
    const text = readCollapsedText(tree, at, MAX_PRICE_LENGTH);
    if (!PLAIN_DECIMAL.test(content) || !/\d/.test(text)) continue;
    const [money] = keepPositivePrice(parseMoneyText(text.replace(/\d[\d.,' ]*/, content), context)) ?? [];
    if (money !== undefined && (lowest === null || money.amount < lowest.amount)) lowest = money;
  }
  return lowest;
}

function keepPositivePrice(money: Money | null): readonly [Money] | null {
  return money === null || money.currency === null || money.amount <= 0 ? null : [money];
}

const STOCK_NAME = /stock|avail|lager|verf|dispon|deliver/i;

/**
 * Whether the product near the main heading can be bought: by the first text on its stock, else true if there is a buy
 * button. Null if neither exists.
 */
function findAvailability(tree: Tree, start: number, end: number): boolean | null {
  let buys = false;
  for (let at = start; at < end; at++) {
    if (isText(tree, at)) continue;
    const tag = getTag(tree, at);
    if (isActiveBuyButton(tree, at, tag)) {
      buys = true;
      // A button may contain the texts of all its states.
      at = getSubtreeEnd(tree, at) - 1;
      continue;
    }
    if (getSubtreeEnd(tree, at) - at > MAX_STATE_NODES || !STOCK_NAME.test(readClassAndId(tree, at))) continue;
    const pieces = readCollapsedText(tree, at, MAX_PRICE_LENGTH).split(/\s[-–|]\s|[:,;.()]/);
    const stocked = pieces.map(parseBoolean).find((piece) => piece !== null);
    if (stocked !== undefined) return stocked;
  }
  return buys ? true : null;
}

function isActiveBuyButton(tree: Tree, node: number, tag: number): boolean {
  const isMade = SCRIPTED_BUTTON_TAGS[tag] === 1 && getSubtreeEnd(tree, node) - node <= MAX_BUTTON_NODES;
  if (BUTTON_TAGS[tag] !== 1 && !isMade) return false;
  if (isMade && getAttribute(tree, node, 'role') !== 'button' && !BUY_NAME.test(readClassAndId(tree, node)))
    return false;
  if (getAttribute(tree, node, 'disabled') !== null) return false;
  const text = readWording(tree, node, tag).trim();
  return parseStock(text) !== false && isBuyButton(text, isMade ? '' : readClassAndId(tree, node));
}

const STATE_TAGS = buildTagSet('button input a span p div strong b em label output');
/** Items of lists of other products; `OTHER_PRODUCTS` matches the names of such lists. */
const OTHER_ITEM_TAGS = buildTagSet('li article aside nav footer');
const OTHER_PRODUCTS =
  /(?:related|recommend|similar|upsell|up-sell|cross-?sell|also-|recently|carousel|slider|you-may)/i;

/**
 * Signs after the main heading that the product is sold out: whether any text says so, whether one outside of buttons
 * does, whether one says that it is in stock, and whether its button is disabled or buys.
 */
type SoldOutSigns = {
  readonly isSaid: boolean;
  readonly isWritten: boolean;
  readonly isStocked: boolean;
  readonly isDisabled: boolean;
  readonly isOffered: boolean;
};

function findSoldOutSigns(tree: Tree, start: number, end: number): SoldOutSigns {
  let isSaid = false;
  let isWritten = false;
  let isStocked = false;
  let isDisabled = false;
  for (let at = start; at < end; at++) {
    if (isText(tree, at)) continue;
    const tag = getTag(tree, at);
    if (
      OTHER_ITEM_TAGS[tag] === 1 ||
      OTHER_PRODUCTS.test(readClassAndId(tree, at)) ||
      readHiding(tree, at) === HIDDEN
    ) {
      at = getSubtreeEnd(tree, at) - 1;
      continue;
    }
    if (STATE_TAGS[tag] !== 1 || getSubtreeEnd(tree, at) - at > MAX_STATE_NODES) continue;
    const text = readWording(tree, at, tag);
    const stock = parseStock(text);
    const saysSoldOut = stock === false;
    isSaid ||= saysSoldOut;
    isWritten ||= saysSoldOut && BUTTON_TAGS[tag] !== 1;
    isStocked ||= stock === true && BUTTON_TAGS[tag] !== 1;
    if (BUTTON_TAGS[tag] !== 1) continue;
    if (isActiveBuyButton(tree, at, tag) && !isDisabledControl(tree, at))
      return { isSaid, isWritten, isStocked, isDisabled, isOffered: true };
    isDisabled ||= isDisabledControl(tree, at) && (saysSoldOut || isBuyButton(text, readClassAndId(tree, at)));
    at = getSubtreeEnd(tree, at) - 1;
  }
  return { isSaid, isWritten, isStocked, isDisabled, isOffered: false };
}

function readWording(tree: Tree, node: number, tag: number): string {
  if (tag === TAG.input) return getKnownAttribute(tree, node, ATTRIBUTE.value) ?? '';
  return tag === TAG.img ? (getAttribute(tree, node, 'alt') ?? '') : readCollapsedText(tree, node, 60);
}

function isDisabledControl(tree: Tree, node: number): boolean {
  if (getAttribute(tree, node, 'disabled') !== null || getAttribute(tree, node, 'aria-disabled') === 'true')
    return true;
  return /(?:^|[\s_-])(?:disabled|sold-?out|out-?of-?stock)(?:$|[\s_-])/i.test(
    getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '',
  );
}
