/** A word or sign behind a number that multiplies it by a power of ten. */
export type Scale = {
  /** Null where languages disagree about the word and the locale does not decide. */
  readonly power: number | null;
  /** Characters up to the end of the word, its full stop included. */
  readonly length: number;
};

/** Powers of ten that a word stands for in every language that uses it. */
const POWERS: ReadonlyMap<string, number> = buildPowersByWord({
  3: `k tsd tys tis тыс тис хил thousand thousands tausend duizend tusen tusind tuhatta mila mille ribu rb mii ezer
    тысяч тысяча тысячи тисяч tysiąc tysiące tysięcy nghìn ngàn हज़ार हजार ألف آلاف هزار אלף χιλ χιλιάδες พัน tkr`,
  4: 'หมื่น',
  5: 'lakh lakhs lac lacs लाख แสน',
  6: `mln mio million millions millionen millones millón milhão milhões milioni milione miljoen milj miljoner miljon
    miljoonaa millioner milyon juta jt млн миллион миллиона миллионов мільйонів milion miliony milionów milionů milioane
    milióna miliónov millió triệu ล้าน मिलियन مليون ملايين میلیون מיליון εκατ εκατομμύρια mill mkr`,
  7: 'crore crores cr करोड़',
  9: `bn mrd mld mia milliard milliards milliarden milliárd miliard miliardy miliardů miliardi miliardo miliarde miljard
    miljarder miljardia milliarder milyar miliar bilhão bilhões млрд миллиард миллиарда миллиардов мільярдів tỷ tỉ مليار
    میلیارد מיליארד δισ δισεκατομμύρια mdkr`,
});
/** Words that mean different powers in different languages; without the language they mean nothing. */
const LOCAL_POWERS: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map([
  ['mil', buildPowersByLanguage('es 3,pt 3,ca 3,gl 3,ro 6,cs 6,sk 6,hr 6,sr 6,bs 6,sl 6')],
  ['bin', buildPowersByLanguage('tr 3,az 3')],
  ['mi', buildPowersByLanguage('pt 6')],
  ['bi', buildPowersByLanguage('pt 9')],
  ['md', buildPowersByLanguage('fr 9')],
  ['m', buildPowersByLanguage('en 6,es 6,fr 6,it 6')],
  ['b', buildPowersByLanguage('en 9,tr 3')],
  ['mn', buildPowersByLanguage('en 6,tr 6,sv 6')],
  ['mm', buildPowersByLanguage('')],
  ['tn', buildPowersByLanguage('sv 3')],
  ['t', buildPowersByLanguage('nl 3')],
  ['e', buildPowersByLanguage('hu 3')],
  ['tr', buildPowersByLanguage('vi 6')],
  ['billion', buildPowersByLanguage('en 9,de 12,fr 12,da 12,nb 12')],
  ['billions', buildPowersByLanguage('en 9,fr 12')],
  ['trillion', buildPowersByLanguage('en 12,de 18,fr 18')],
  ['兆', buildPowersByLanguage('ja 12,ko 12')],
]);
/** Signs that multiply each other: `千万` is ten million. */
const EAST_ASIAN: ReadonlyMap<string, number> = new Map(
  '十1 百2 千3 천3 万4 萬4 만4 億8 亿8 억8 조12'
    .split(' ')
    .map((pair): [string, number] => [pair.charAt(0), Number(pair.slice(1))]),
);
/** With the first letter of a unit of measure behind it a sign belongs to that unit: `3千克` is three kilograms. */
const EAST_ASIAN_RUN = /^\s?([十百千천万萬만億亿억조]+)(?![克米瓦卡])/u;
const SCALE_WORD = /^(?:\s?|-(?=\p{L}{4}))([\p{L}\p{M}]+)(\.?)/u;
/** One letter in front of the code of a currency: `5 MEUR`. */
const LETTER_BEFORE_CODE = /^(\s?)([kKM])[A-Z]{3}(?!\p{L})/u;

function buildPowersByWord(lists: Readonly<Record<number, string>>): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(lists).flatMap(([power, words]) =>
      words.split(/\s+/).map((word): [string, number] => [word, Number(power)]),
    ),
  );
}

function buildPowersByLanguage(list: string): ReadonlyMap<string, number> {
  return new Map(list.split(',').map((pair): [string, number] => [pair.slice(0, 2), Number(pair.slice(3))]));
}

/** Whether a scale is of the East Asian kind, which a further number may follow: `1億2000万`. */
export function isEastAsianScale(rest: string): boolean {
  return EAST_ASIAN_RUN.test(rest);
}

/** The scale at the start of the text behind a number; capital M is a million everywhere. Null when there is none. */
export function parseScale(rest: string, locale: string | null): Scale | null {
  const run = EAST_ASIAN_RUN.exec(rest);
  if (run !== null) {
    const power = (run[1] ?? '').split('').reduce((sum, sign) => sum + (EAST_ASIAN.get(sign) ?? 0), 0);
    return { power, length: run[0].length };
  }
  const coded = LETTER_BEFORE_CODE.exec(rest);
  if (coded !== null) return { power: coded[2] === 'M' ? 6 : 3, length: (coded[1] ?? '').length + 1 };
  const [whole, word = '', point = ''] = SCALE_WORD.exec(rest) ?? [];
  if (whole === undefined) return null;
  const lower = word.toLowerCase();
  const local = LOCAL_POWERS.get(lower);
  const power = word === 'M' ? 6 : local === undefined ? POWERS.get(lower) : (local.get(getLanguage(locale)) ?? null);
  return power === undefined ? null : { power, length: whole.length - (word.length === 1 ? point.length : 0) };
}

function getLanguage(locale: string | null): string {
  return locale?.slice(0, 2).toLowerCase() ?? '';
}
