import { getDecimalMark, type ReadSeparator } from './numbers.ts';

/** Active codes of ISO 4217. */
const CODES: ReadonlySet<string> = new Set(
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'.split(
    ' ',
  ),
);

/** The currencies of each sign, the most likely first. */
const SIGNS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    '€': 'EUR',
    '£': 'GBP',
    $: 'USD CAD AUD NZD MXN SGD HKD TWD ARS CLP COP',
    '¥': 'JPY CNY',
    '￥': 'CNY JPY',
    '₹': 'INR',
    '₽': 'RUB',
    '₩': 'KRW',
    '₺': 'TRY',
    '₴': 'UAH',
    '₪': 'ILS',
    '฿': 'THB',
    '₫': 'VND',
    '₱': 'PHP',
    '₦': 'NGN',
    '₸': 'KZT',
    '₡': 'CRC',
    '₲': 'PYG',
    '₵': 'GHS',
    '৳': 'BDT',
    US$: 'USD',
    C$: 'CAD',
    CA$: 'CAD',
    CAD$: 'CAD',
    A$: 'AUD',
    AU$: 'AUD',
    NZ$: 'NZD',
    HK$: 'HKD',
    S$: 'SGD',
    R$: 'BRL',
    MX$: 'MXN',
    NT$: 'TWD',
    CAN$: 'CAD',
    NZD$: 'NZD',
    AUD$: 'AUD',
    USD$: 'USD',
    RD$: 'DOP',
    TT$: 'TTD',
    J$: 'JMD',
    GY$: 'GYD',
    BZ$: 'BZD',
    'GH₵': 'GHS',
    'GH¢': 'GHS',
    '￡': 'GBP',
    '￦': 'KRW',
    '₭': 'LAK',
    '៛': 'KHR',
    '₮': 'MNT',
    '₼': 'AZN',
    '₾': 'GEL',
    '֏': 'AMD',
    '؋': 'AFN',
    '₨': 'INR PKR LKR NPR MUR',
    'S/': 'PEN',
    'S/.': 'PEN',
    'B/.': 'PAB',
    Bs: 'BOB VES',
    FCFA: 'XOF XAF',
    CFA: 'XOF XAF',
    FBu: 'BIF',
    FRw: 'RWF',
    Fdj: 'DJF',
    Nfk: 'ERN',
    Rf: 'MVR',
    MK: 'MWK',
    ZK: 'ZMW',
    Ks: 'MMK',
    Vt: 'VUV',
    lek: 'ALL',
    ден: 'MKD',
    дин: 'RSD',
    dinara: 'RSD',
    тг: 'KZT',
    "so'm": 'UZS',
    đ: 'VND',
    vnđ: 'VND',
    zl: 'PLN',
    hrn: 'UAH',
    nis: 'ILS',
    stg: 'GBP',
    yen: 'JPY',
    lari: 'GEL',
    ლარი: 'GEL',
    р: 'RUB',
    'ر.س': 'SAR',
    ريال: 'SAR',
    ریال: 'IRR',
    'د.إ': 'AED',
    درهم: 'AED MAD',
    'د.ك': 'KWD',
    'د.ب': 'BHD',
    'د.ع': 'IQD',
    'د.ا': 'JOD',
    'د.م': 'MAD',
    'د.ل': 'LYD',
    'ل.د': 'LYD',
    'ل.ل': 'LBP',
    'ل.س': 'SYP',
    'ج.س': 'SDG',
    'ج.م': 'EGP',
    جنيه: 'EGP SDG',
    دج: 'DZD',
    'ر.ق': 'QAR',
    'ر.ع': 'OMR',
    රු: 'LKR',
    ரூ: 'INR LKR',
    kr: 'SEK NOK DKK ISK',
    zł: 'PLN',
    kč: 'CZK',
    ft: 'HUF',
    лв: 'BGN',
    руб: 'RUB',
    грн: 'UAH',
    lei: 'RON',
    rs: 'INR PKR LKR NPR',
    fr: 'CHF',
    sfr: 'CHF',
    kd: 'KWD',
    bd: 'BHD',
    rm: 'MYR',
    rp: 'IDR',
    tl: 'TRY',
    r: 'ZAR',
    dh: 'AED MAD',
    dhs: 'AED MAD',
    sr: 'SAR',
    元: 'CNY TWD',
    円: 'JPY',
    원: 'KRW',
    euro: 'EUR',
    euros: 'EUR',
    dollars: 'USD CAD AUD',
    pounds: 'GBP',
  }).map(([sign, codes]): [string, readonly string[]] => [sign, codes.split(' ')]),
);

/** Currency codes that are ordinary words in lower case. */
const CODES_THAT_ARE_WORDS: ReadonlySet<string> = new Set(
  'ALL AMD BAM BOB COP CUP DOP GEL GIP ISK LAK MAD MOP PEN RON SAR SOS TOP TRY VES WST'.split(' '),
);

/** The currency of each region that shares its currency sign with others. */
const REGIONS: ReadonlyMap<string, string> = new Map(
  'US USD,CA CAD,AU AUD,NZ NZD,MX MXN,SG SGD,HK HKD,TW TWD,AR ARS,CL CLP,CO COP,CN CNY,JP JPY,SE SEK,NO NOK,DK DKK,IS ISK,IN INR,PK PKR,LK LKR,NP NPR,AE AED,MA MAD'
    .split(',')
    .map((pair): [string, string] => [pair.slice(0, 2), pair.slice(3)]),
);

const THREE_DIGITS: ReadonlySet<string> = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);
const NO_DIGITS: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);

/**
 * The signs and words of subunits such as cents: the number of decimal digits they shift by, and their currencies, the
 * most likely first.
 */
const PARTS: ReadonlyMap<string, { readonly digits: number; readonly codes: readonly string[] }> = new Map(
  [
    '¢ 2 USD CAD AUD NZD SGD HKD TWD MXN',
    'c 2 AUD NZD ZAR EUR USD CAD SGD',
    'p 2 GBP',
    'pence 2 GBP',
    'penny 2 GBP',
    'ct 2 EUR',
    'cent 2 EUR USD CAD AUD NZD SGD ZAR',
    'cents 2 USD EUR CAD AUD NZD SGD ZAR',
    'centimes 2 EUR CHF',
    'centesimi 2 EUR',
    'céntimos 2 EUR',
    'cêntimos 2 EUR',
    'centavos 2 MXN BRL ARS CLP COP PHP',
    'rappen 2 CHF',
    'коп 2 RUB UAH BYN',
    'копеек 2 RUB UAH BYN',
    'grosz 2 PLN',
    'groszy 2 PLN',
    'øre 2 DKK NOK',
    'öre 2 SEK',
    'kuruş 2 TRY',
    'paise 2 INR PKR',
    '角 1 CNY',
    '毛 1 CNY',
    '分 2 CNY',
  ].map((row) => {
    const [sign = '', digits, ...codes] = row.split(' ');
    return [sign, { digits: Number(digits), codes }];
  }),
);
/** Subunit words that mean something else outside the given language. */
const PART_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['p', 'en'],
  ['c', 'en'],
  ['ct', 'de'],
]);
const EURO_REGIONS: ReadonlySet<string> = new Set(
  'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '),
);

/**
 * The currency that a subunit belongs to. `certain` is null if the subunit is shared by several currencies and neither
 * the assumed currency nor the region decides.
 */
type CurrencyPart = { readonly certain: string | null; readonly likeliest: string | null; readonly digits: number };

/** Finds the currency of a subunit sign or word (`¢`, `pence`); null if it is none in the language of the locale. */
export function findCurrencyPart(sign: string, assumed: string | null, locale: string | null): CurrencyPart | null {
  const lower = sign.toLowerCase();
  const part = PARTS.get(lower);
  const language = PART_LANGUAGES.get(lower) ?? '';
  if (part === undefined || !(locale ?? language).toLowerCase().startsWith(language)) return null;
  const region = locale === null ? '' : getRegion(locale, 'likeliest');
  const own = EURO_REGIONS.has(region) ? 'EUR' : REGIONS.get(region);
  const [likeliest = null, ...others] = part.codes;
  const known = chooseCode(part.codes, assumed, own);
  const isLocal = locale !== null && part.codes.some((code) => isLocalCurrency(code, locale));
  // `99p` is in pence, but `1 P` may be in any currency.
  if (known === null && !isLocal && lower.length === 1 && sign !== lower) return null;
  const certain = known ?? (others.length === 0 ? likeliest : null);
  return { certain, likeliest: certain ?? likeliest, digits: part.digits };
}

/** Whether the locale's country uses the currency, so that its number format applies to amounts in that currency. */
export function isLocalCurrency(currency: string, locale: string): boolean {
  const region = getRegion(locale, 'likeliest');
  return currency === 'EUR' ? EURO_REGIONS.has(region) : currency.startsWith(region) && region !== '';
}

/** The locale in which amounts of a currency are usually written. */
export function getCurrencyLocale(currency: string): string {
  if (currency === 'EUR') return 'de-DE';
  const tag = new Intl.Locale(`und-${currency.slice(0, 2)}`).maximize();
  return tag.region === undefined ? tag.language : `${tag.language}-${tag.region}`;
}

/** Whether the text is an active ISO 4217 code in capitals. */
export function isCurrencyCode(code: string): boolean {
  return CODES.has(code);
}

/** Digits after the decimal mark of a currency (ISO 4217): 0, 2 or 3. */
export function getMinorDigits(currency: string): number {
  if (THREE_DIGITS.has(currency)) return 3;
  return NO_DIGITS.has(currency) ? 0 : 2;
}

/** Currencies whose subunits are worth so little that prices omit them. */
const WITHOUT_SUBUNITS: ReadonlySet<string> = new Set(
  'CDF COP CRC HUF IDR IQD IRR KHR LAK LBP MGA MMK MNT NGN TZS UZS'.split(' '),
);

/** Whether prices in a currency are whole numbers although ISO 4217 gives it subunits. */
export function hasNoSubunits(currency: string): boolean {
  return WITHOUT_SUBUNITS.has(currency);
}

/** Whether a sign, code or word stands for a currency. */
export function isCurrencySign(sign: string): boolean {
  return listCodes(sign).length > 0;
}

/**
 * The currency of a sign or code; null if there is none. A sign of several currencies means `assumed` if that is one of
 * them, else the currency of the locale's region, else the most likely one.
 */
export function chooseCurrency(sign: string, assumed: string | null, locale: string | null): string | null {
  const codes = listCodes(sign);
  const region = locale === null ? undefined : REGIONS.get(getRegion(locale, 'likeliest'));
  return chooseCode(codes, assumed, region) ?? codes[0] ?? null;
}

/**
 * The currency of a sign or code, without guessing: null if the sign has several currencies and neither `assumed` nor a
 * region named in the locale decides.
 */
export function findCertainCurrency(sign: string, assumed: string | null, locale: string | null): string | null {
  const codes = listCodes(sign);
  const region = locale === null ? undefined : REGIONS.get(getRegion(locale, 'named'));
  return chooseCode(codes, assumed, region) ?? (codes.length === 1 ? (codes[0] ?? null) : null);
}

function listCodes(sign: string): readonly string[] {
  if (CODES.has(sign)) return [sign];
  const known = SIGNS.get(sign) ?? SIGNS.get(sign.toLowerCase());
  if (known !== undefined) return known;
  const code = sign.toUpperCase();
  return CODES.has(code) && !CODES_THAT_ARE_WORDS.has(code) ? [code] : [];
}

function chooseCode(codes: readonly string[], assumed: string | null, regional: string | undefined): string | null {
  if (assumed !== null && codes.includes(assumed)) return assumed;
  return regional !== undefined && codes.includes(regional) ? regional : null;
}

type RegionKind = 'named' | 'likeliest';

/** Caches the last region: a page has one locale for all of its prices, and `Intl.Locale` is slow. */
const lastRegions = { named: { locale: 'en', region: '' }, likeliest: { locale: 'en', region: 'US' } };

function getRegion(locale: string, kind: RegionKind): string {
  const last = lastRegions[kind];
  if (last.locale !== locale) lastRegions[kind] = { locale, region: findRegion(locale, kind) };
  return lastRegions[kind].region;
}

function findRegion(locale: string, kind: RegionKind): string {
  try {
    const tag = new Intl.Locale(locale);
    return (kind === 'named' ? tag : tag.maximize()).region ?? '';
  } catch {
    return '';
  }
}

/**
 * Creates a function that decides whether the only separator of an amount groups digits or starts the decimals. The
 * locale decides, unless the currency is usually written differently.
 */
export function createSeparatorReader(currency: string | null, locale: string | null): ReadSeparator {
  const digits = currency === null ? 2 : getMinorDigits(currency);
  return (mark, length) => {
    const spoken = locale === null ? null : getDecimalMark(locale);
    const isOwn = currency !== null && locale !== null && isLocalCurrency(currency, locale);
    const usual = currency === null || isOwn ? spoken : getDecimalMark(getCurrencyLocale(currency));
    if (length > 3) return mark === (spoken ?? '.') || mark === usual ? 'decimals' : 'unsure';
    if (digits === 0 || (currency !== null && hasNoSubunits(currency))) return 'groups';
    if (digits === 3)
      return usual === mark && (spoken ?? mark) === mark
        ? 'decimals'
        : spoken === null || usual === mark
          ? 'unsure'
          : 'groups';
    if (mark !== (spoken ?? usual ?? '.')) return 'groups';
    return spoken !== null && usual === mark ? 'decimals' : 'unsure';
  };
}
