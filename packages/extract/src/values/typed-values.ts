import { parseDate } from './dates.ts';
import { type Money, parseMoneyText } from './money.ts';
import { parseInteger, parseNumber } from './numbers.ts';
import { collapseSpace } from './space.ts';
import { toAbsoluteUrl } from './web-urls.ts';

/** Words for a product that is in stock; `SOLD_OUT` has those for one that is not. */
const IN_STOCK =
  splitList(`available, available now, in stock, instock, limitedavailability, onlineonly, instoreonly, not sold,
  auf lager, lieferbar, sofort lieferbar, verfügbar, vorrätig, sofort verfügbar, en stock, disponible, disponibles, disponibile, disponibili,
  disponível, op voorraad, in voorraad, leverbaar, beschikbaar, i lager, på lager, finns i lager, varastossa, saatavilla,
  на складе, в наличии, есть в наличии, є в наявності, в наявності, в наличност, w magazynie, dostępny, dostępna, dostępne, na stanie, produkt dostępny,
  skladem, na skladě, dostupné, skladom, na sklade, na zalogi, na zalihi, raspoloživo, készleten, raktáron, elérhető, în stoc, in stoc, disponibil,
  σε απόθεμα, διαθέσιμο, άμεσα διαθέσιμο, stokta, stokta var, mevcut, 有货, 有貨, 现货, 現貨, 在庫あり, 재고 있음, còn hàng, tersedia, stok tersedia, มีสินค้า,
  במלאי, קיים במלאי, متوفر, متوفر في المخزون, موجود`);

const SOLD_OUT =
  splitList(`unavailable, not available, no longer available, not in stock, no stock, out of stock, outofstock, soldout, sold out, sold-out,
  discontinued, isn't available, isn't in stock, all sold out, completely sold out, unavailable online,
  nicht auf lager, nicht verfügbar, nicht mehr verfügbar, nicht vorrätig, nicht mehr vorrätig, nicht lagernd, ausverkauft, nicht lieferbar, nicht mehr lieferbar,
  vergriffen, en rupture de stock, rupture de stock, rupture, en rupture, épuisé, épuisée, épuisés, indisponible, non disponible,
  plus disponible, pas disponible, n'est plus disponible, n'est pas disponible, hors stock, pas en stock, agotado, agotada, agotados, no disponible, no está disponible, ya no está disponible, sin stock, sin existencias, fuera de stock, no hay existencias, no hay stock,
  esaurito, esaurita, non disponibile, non più disponibile, non è disponibile, non è più disponibile, non in stock, non in magazzino, esgotado, esgotada, esgotados, indisponível, não disponível, não está disponível,
  sem estoque, sem stock, fora de estoque, fora de stock, uitverkocht, niet op voorraad, niet in voorraad, niet beschikbaar, niet leverbaar, niet meer leverbaar,
  niet meer beschikbaar, slutsåld, slutsålt, slut i lager, ej i lager, inte i lager, finns ej i lager, udsolgt, ikke på lager, ikke tilgængelig, utsolgt, ikke tilgjengelig, ei varastossa,
  ei saatavilla, loppuunmyyty, loppu varastosta, loppu, wyprzedane, wyprzedany, niedostępny, niedostępna, niedostępne, nie jest dostępny, brak w magazynie, brak towaru, brak na stanie, chwilowy brak,
  vyprodáno, vypredané, není skladem, nie je skladom, nedostupné, nedostupný, nie je na sklade, rasprodano, razprodano, ni na zalogi, nema na zalihi, nedostupno, nije dostupno, ni na voljo,
  elfogyott, nincs készleten, nincs raktáron, nem elérhető, stoc epuizat, epuizat, nu este în stoc, nu este in stoc, indisponibil, изчерпан, изчерпано, няма в наличност, не е в наличност,
  нет в наличии, нет на складе, нет в продаже, распродано, распродан, закончился, закончилась, отсутствует, снят с производства, снято с производства, недоступен, недоступно,
  немає в наявності, немає на складі, розпродано, закінчився, відсутній, εξαντλήθηκε, εξαντλημένο, μη διαθέσιμο, εκτός αποθέματος, tükendi, stokta yok, mevcut değil, satışta değil,
  缺货, 缺貨, 售罄, 已售完, 已售罄, 无货, 無貨, 補貨中, 在庫なし, 在庫がありません, 在庫はありません, 売り切れ, 売切れ, 品切れ, 在庫切れ, 完売, 品切, 품절, 일시품절, 매진, 재고 없음, 재고없음, hết hàng, tạm hết hàng,
  stok habis, habis, tidak tersedia, stok tidak tersedia, สินค้าหมด, נמכר, אזל מהמלאי, אזל, אינו במלאי, לא במלאי, אינו זמין, לא זמין, نفذت الكمية, نفد المخزون, نفدت الكمية, غير متوفر, غير متاح, ناموجود`);

/** Words before the stock status: its subject and adverbs of time. `TRAILING` has those after it. */
const LEADING =
  /^(?:sorry|leider|désolé|lo sentimos|(?:this|the|der|die|das|dieser|diese|dieses|ce|cet|cette|el|este|la|esta|il|questo|questa|lo|l'|o|a|dit|deze|het|de|den|denna|dette|ten|ta|to|tento|этот|данный|цей)(?!\p{L})|(?:product|item|article|produkt|artikel|produit|producto|artículo|articulo|prodotto|articolo|produto|artigo|vare|varen|tuote|товара?|продукт|termék|produs|produsul|výrobek|zboží|izdelek|proizvod|προϊόν|ürün|המוצר|מוצר|المنتج|商品|本商品|此商品|该商品|상품)(?!\p{L})|(?:is|ist|sind|are|est|es|está|é|è|er|är|on|jest|je|este|είναι)(?!\p{L})|currently|temporarily|presently|momentarily|now|derzeit|derzeitig|momentan|zurzeit|zur zeit|aktuell|vorübergehend|im moment|gerade|actuellement|temporairement|momentanément|actualmente|temporalmente|momentáneamente|attualmente|momentaneamente|temporaneamente|al momento|atualmente|temporariamente|no momento|momenteel|tijdelijk|op dit moment|för närvarande|tillfälligt|midlertidig|i øjeblikket|tällä hetkellä|tymczasowo|obecnie|aktualnie|chwilowo|momentálně|dočasně|aktuálně|momentálne|dočasne|trenutno|začasno|jelenleg|átmenetileg|momentan|temporar|în prezent|временно|сейчас|пока|на данный момент|в данный момент|тимчасово|зараз|в момента|προσωρινά|şu anda|geçici olarak|暂时|暫時|目前|現在|ただいま|只今|일시|현재|tạm thời|hiện|saat ini|כרגע|זמנית|حالياً|حاليا)[\s,:–-]*/u;
const TRAILING =
  /[\s,–-]+(?:at the moment|right now|currently|temporarily|for now|online|and unavailable|momentan|derzeit|im moment|actuellement|temporairement|pour le moment|temporalmente|por el momento|momentáneamente|al momento|momentaneamente|temporaneamente|no momento|temporariamente|op dit moment|tijdelijk|för närvarande|временно|тимчасово|dočasně|dočasne|trenutno|حالياً|حاليا|כרגע)$/u;
/** The number of items left: `only 2 left in stock`, `nur noch 3`, `5 vorrätig`. */
const COUNT =
  /^(?:only|just|nur(?: noch)?|noch|plus que|seulement|il reste|solo|sólo|quedan|apenas|restam|slechts|nog|endast|bare|kun|enää|tylko|ostatnie|jen|už jen|len|samo|csak|doar|осталось|только|sadece|还剩|残り)?\s*(?:mehr als|more than|over|plus de|más de|più di|mais de)?\s*(?<count>\d{1,6})\s*\+?\s*(?:left|pieces?|pcs|items?|units?|stück|stk|st|exemplare?|pièces?|unidades?|uds|pezzi|pz|stuks?|szt|ks|kom|kos|db|buc|шт|adet|件|点|個|개)?\.?\s+/u;
const MAX_TEXT = 200;
const MAX_WORDS_AROUND = 5;

/**
 * Whether a text reports a product as in stock (true) or sold out (false), in the languages of most shops; null for any
 * other text.
 */
export function parseStock(text: string): boolean | null {
  let words = text
    .slice(0, MAX_TEXT)
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replaceAll('i̇', 'i');
  words = words.replace(/^https?:\/\/schema\.org\//, '').replaceAll(/^[\s*•✓✔✗✘❌✖–-]+|[\s.!。！*]+$/gu, '');
  for (let count = 0; count <= MAX_WORDS_AROUND; count++) {
    if (SOLD_OUT.has(words)) return false;
    if (IN_STOCK.has(words)) return true;
    const rest = words.replace(LEADING, '').replace(TRAILING, '');
    if (rest === words) break;
    words = rest;
  }
  const counted = COUNT.exec(words);
  if (counted === null || !IN_STOCK.has(words.slice(counted[0].length))) return null;
  return Number(counted.groups?.['count']) > 0;
}

function splitList(list: string): ReadonlySet<string> {
  return new Set(list.split(/,\s+/));
}

/** The types that a field can have. */
export const VALUE_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'money',
  'date',
  'datetime',
  'url',
  'html',
] as const;

export type ValueType = (typeof VALUE_TYPES)[number];
export type TypedValue = string | number | boolean | Money;

/** The context for parsing a text as a value. */
export type ValueContext = {
  /** The BCP 47 tag of the field, else of the page; null if neither is known. */
  readonly locale: string | null;
  /** The ISO 4217 code assumed for prices without a currency. */
  readonly currency: string | null;
  /** The base URL of relative URLs. */
  readonly baseUrl: string;
  /** The encoding of the page, used for the queries of its URLs; UTF-8 if omitted. */
  readonly charset?: string | null;
};

const TRUE: ReadonlySet<string> = new Set('true,yes,y,1,on,ja,oui,si,sí,sim,да,так,tak,ano,是,はい'.split(','));
const FALSE: ReadonlySet<string> = new Set('false,no,n,0,off,nein,non,não,нет,ні,nie,ne,否,いいえ'.split(','));

const PARSERS: Readonly<Record<ValueType, (text: string, context: ValueContext) => TypedValue | null>> = {
  string: normalizeText,
  integer: (text, { locale }) => parseInteger(text, locale),
  number: (text, { locale }) => parseNumber(text, locale),
  boolean: parseBoolean,
  money: parseMoneyText,
  date: (text, { locale }) => parseDate(text, locale)?.day ?? null,
  datetime: (text, { locale }) => parseDatetime(text, locale),
  url: (text, { baseUrl, charset }) => toAbsoluteUrl(text, baseUrl, charset),
  html: (text) => (text.trim() === '' ? null : text.trim()),
};

/** Parses a text as a value of the type; null if it cannot be read as that type. */
export function parseValue(type: ValueType, text: string, context: ValueContext): TypedValue | null {
  return PARSERS[type](text, context);
}

/** A text in NFC with single spaces, trimmed; null if it is empty. */
export function normalizeText(text: string): string | null {
  const plain = collapseSpace(text.normalize('NFC'));
  return plain === '' ? null : plain;
}

/** The instant in UTC; else the local time without a zone, or the day, if the source states no more. */
function parseDatetime(text: string, locale: string | null): string | null {
  const moment = parseDate(text, locale);
  if (moment === null) return null;
  return moment.instant ?? (moment.time === null ? moment.day : `${moment.day}T${moment.time}`);
}

/** Parses a word for yes or no, or for in stock or sold out, in the languages of most shops; null for any other text. */
export function parseBoolean(text: string): boolean | null {
  const word = (normalizeText(text.slice(0, 200)) ?? '').toLowerCase().replace(/[.!]+$/, '');
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : parseStock(text);
}
