import { normalizeDigits } from './numbers.ts';

const BUDDHIST_OFFSET_YEARS = 543;
const REPUBLIC_OFFSET_YEARS = 1911;
/** The year before the first year of each Japanese era. */
const ERAS: ReadonlyMap<string, number> = new Map([
  ['令和', 2018],
  ['平成', 1988],
  ['昭和', 1925],
]);
const ERA_YEAR = /(令和|平成|昭和)\s?(\d{1,2}|元)\s?年/g;
const REPUBLIC_YEAR = /(?:中華)?民[國国]\s?(\d{2,3})\s?年/g;

const THAI_MONTHS =
  'มกราคม|ม.ค. กุมภาพันธ์|ก.พ. มีนาคม|มี.ค. เมษายน|เม.ย. พฤษภาคม|พ.ค. มิถุนายน|มิ.ย. กรกฎาคม|ก.ค. สิงหาคม|ส.ค. กันยายน|ก.ย. ตุลาคม|ต.ค. พฤศจิกายน|พ.ย. ธันวาคม|ธ.ค.'
    .split(' ')
    .map((pair) => pair.split('|'));
const THAI_NAMES = new Map(THAI_MONTHS.map(([name = '', short = '']) => [short, name]));
const THAI_SHORT = /(?<![\u0e00-\u0e7f.])[\u0e00-\u0e7f]{1,2}\.[\u0e00-\u0e7f]\./g;
const THAI_ERA = /(?:พ\.\s?ศ\.|พุทธศักราช|ค\.\s?ศ\.)\s?/g;
const BUDDHIST_YEAR = /(?<![\d.,])(2[45]\d\d)(?![\d,])/g;
const BUDDHIST_SHORT = new RegExp(
  String.raw`(\d{1,2}\s?(?:${THAI_MONTHS.map(([name]) => name).join('|')})\s?)(\d{2})(?!\d)`,
  'g',
);

/** The months of the solar Hijri calendar, each with its names in Iran and in Afghanistan. */
const SOLAR_MONTHS =
  'فروردین|حمل اردیبهشت|ثور خرداد|جوزا تیر|سرطان مرداد|امرداد|اسد شهریور|سنبله مهر|میزان آبان|عقرب آذر|قوس دی|جدی بهمن|دلو اسفند|حوت'
    .split(' ')
    .map((names) => names.split('|'));
const SOLAR_NUMBERS = new Map(
  SOLAR_MONTHS.flatMap((names, at) => names.map((name): [string, number] => [name, at + 1])),
);
const SOLAR_NAMED = new RegExp(
  String.raw`(?<!\d)(\d{1,2})\s+(${[...SOLAR_NUMBERS.keys()].join('|').replaceAll('ی', '[یي]')})(?:\s?ماه)?[\s،,]+(?:سال\s)?(1[34]\d\d)(?!\d)`,
  'g',
);
const SOLAR_NUMBERED = /(?<!\d)(1[34]\d\d)([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g;
const PERSIAN_DIGIT = /[\u06f0-\u06f9]/;
const PERSIAN_LOCALE = /^(?:fa|prs|ps|ckb|azb|mzn)(?:-|$)/i;
const THAI = /[\u0e00-\u0e7f]/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether a text may contain a year of a calendar other than the Gregorian one. */
export function mayHaveNonGregorianYear(text: string): boolean {
  if (OTHER_SCRIPT.test(text)) return OTHER_YEAR.test(text);
  return ERA.test(text);
}

const OTHER_SCRIPT = /[\u0600-\u06ff\u0e00-\u0e7f]/;
const OTHER_YEAR = /(?:1[34]|2[45])\d\d|[\u0e50-\u0e59]{2}/;
const ERA = /令和|平成|昭和|民[國国]/;

/** Rewrites the dates and years of other calendars in a text as Gregorian ones. `plain` is the text with Western digits. */
function toGregorian(text: string, plain: string, locale: string | null): string {
  if (THAI.test(plain) || /^th(?:-|$)/i.test(locale ?? '')) return convertBuddhistYears(plain);
  const isPersian = PERSIAN_DIGIT.test(text) || PERSIAN_LOCALE.test(locale ?? '');
  if (isPersian || /[\u0600-\u06ff]/.test(plain)) return convertSolarDates(plain, isPersian);
  return /[年]/.test(plain) ? convertEraYears(plain) : plain;
}

function convertBuddhistYears(text: string): string {
  return text
    .replaceAll(THAI_ERA, '')
    .replaceAll(THAI_SHORT, (short) => ` ${THAI_NAMES.get(short) ?? short} `)
    .replaceAll(BUDDHIST_YEAR, (year) => String(Number(year) - BUDDHIST_OFFSET_YEARS))
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(
      BUDDHIST_SHORT,
      (_, day: string, year: string) => `${day}${2500 + Number(year) - BUDDHIST_OFFSET_YEARS}`,
    );
}

function convertEraYears(text: string): string {
  return text
    .replaceAll(ERA_YEAR, (_, era: string, year: string) => `${(ERAS.get(era) ?? 0) + (Number(year) || 1)}年`)
    .replaceAll(REPUBLIC_YEAR, (_, year: string) => `${REPUBLIC_OFFSET_YEARS + Number(year)}年`);
}

function convertSolarDates(text: string, isPersian: boolean): string {
  const named = text.replaceAll(SOLAR_NAMED, (written: string, day: string, month: string, year: string) => {
    // Arabic and Persian keyboards write this letter with different code points.
    const number = SOLAR_NUMBERS.get(month.replaceAll('ي', 'ی'));
    return (number === undefined ? null : toGregorianDay(Number(year), number, Number(day))) ?? written;
  });
  if (!isPersian) return named;
  return named.replaceAll(
    SOLAR_NUMBERED,
    (written: string, year: string, _mark: string, month: string, day: string) =>
      toGregorianDay(Number(year), Number(month), Number(day)) ?? written,
  );
}

/** The leap years within each cycle of 33 years; valid for the years 1244 to 1531. */
const LEAP_YEARS: ReadonlySet<number> = new Set([1, 5, 9, 13, 17, 22, 26, 30]);
const LEAP_CYCLE_YEARS = 33;
/** The first day of the year 1400. */
const FIRST_DAY_OF_1400_MS = Date.UTC(2021, 2, 21);

/** The Gregorian day of a date in the solar Hijri calendar; null if there is no such date. */
function toGregorianDay(year: number, month: number, day: number): string | null {
  const isLong = LEAP_YEARS.has(year % LEAP_CYCLE_YEARS);
  const length = month <= 6 ? 31 : month < 12 || isLong ? 30 : 29;
  if (month < 1 || month > 12 || day < 1 || day > length) return null;
  let days = month <= 7 ? (month - 1) * 31 : 186 + (month - 7) * 30;
  days += day - 1;
  for (let other = Math.min(year, 1400); other < Math.max(year, 1400); other++) {
    const whole = LEAP_YEARS.has(other % LEAP_CYCLE_YEARS) ? 366 : 365;
    days += year > 1400 ? whole : -whole;
  }
  return new Date(FIRST_DAY_OF_1400_MS + days * DAY_MS).toISOString().slice(0, 10);
}

/** Month names and abbreviations of about sixty languages from Unicode CLDR, January first. */
const NAMES = [
  'january jan januar janvier janv jänner enero ene gennaio gen janeiro januari tammikuuta tammikuu tammi stycznia styczeń sty ledna leden led januára január ianuarie ian ocak oca января январь янв січня січень січ ιανουαρίου ιαν gener siječnja siječanj sij януари sausio sausis janvāris jaanuar јануар јан يناير ژانویه जनवरी студзень студзеня জানুয়ারি জানু იანვარი იან มกราคม जानेवारी जाने ינואר հունվար հունվարի հնվ yanvar қаңтар janar urtarrila xaneiro janúar ஜனவரி జనవరి ജനുവരി ജനു ಜನವರಿ જાન્યુઆરી જાન્યુ ਜਨਵਰੀ جنوری јануари ιανουάριος januarie ян জানুয়ারী',
  'february feb februar februari février févr fév febrero febbraio fevereiro fev helmikuuta helmikuu helmi lutego luty lut února únor úno februára február febr februarie şubat şub февраля февраль февр фев лютого лютий лют φεβρουαρίου φεβ febrer veljače veljača velj февруари vasario vasaris februāris veebruar veebr фебруар феб فبراير فوریه फ़रवरी люты лютага ফেব্রুয়ারি ফেব თებერვალი თებ กุมภาพันธ์ pebrero फेब्रुवारी फेब्रु फेब्रुअरी פברואר փետրվար փետրվարի փտվ fevral ақпан shkurt otsaila febreiro febrúar பிப்ரவரி பிப் ఫిబ్రవరి ఫిబ్ర ഫെബ്രുവരി ഫെബ്രു ಫೆಬ್ರವರಿ ಫೆಬ್ರ ફેબ્રુઆરી ફેબ્રુ ਫ਼ਰਵਰੀ ਫ਼ਰ فروری φεβρουάριος กุมภา ফেব্রুয়ারী',
  'march mar märz mär marz mrz mars marzo março maart mrt marts maaliskuuta maaliskuu maalis marca marzec března březen bře marec március márc martie mart марта март мар березня березень бер μαρτίου μαρ maret març ožujka ožujak ožu kovo kovas märts مارس मार्च сакавік сакавіка মার্চ მარტი მარ มีนาคม marso מרץ մարտ մարտի մրտ наурыз martxoa machi மார்ச் மார் మార్చి മാർച്ച് മാർ ಮಾರ್ಚ್ માર્ચ ਮਾਰਚ مارچ μάρτιος берез',
  'april apr avril avr abril abr aprile huhtikuuta huhtikuu huhti kwietnia kwiecień kwi dubna duben dub apríla apríl április ápr aprilie nisan nis апреля апрель апр квітня квітень квіт απριλίου απρ travnja travanj tra април balandžio balandis aprīlis aprill أبريل آوریل अप्रैल красавік красавіка এপ্রিল এপ্রি აპრილი აპრ เมษายน एप्रिल एप्रि अप्रिल אפריל ապրիլ ապրիլի ապր aprel сәуір prill apirila aprili ஏப்ரல் ஏப் ఏప్రిల్ ఏప్రి ഏപ്രിൽ ഏപ്രി ಏಪ್ರಿಲ್ ಏಪ್ರಿ એપ્રિલ ਅਪ੍ਰੈਲ ਅਪ੍ਰੈ اپریل απρίλιος',
  'may mai mayo maggio mag maio mei maj toukokuuta toukokuu touko maja května květen kvě mája máj május mayıs мая май травня травень трав μαΐου μαΐ maig svibnja svibanj svi gegužės gegužė maijs мај مايو مه मई მაისი მაი พฤษภาคม מאי մայիս մայիսի մյս мамыр maiatza മേയ് مئی μάιος',
  'june jun juni juin junio giugno giu junho kesäkuuta kesäkuu kesä czerwca czerwiec cze června červen čvn júna jún június iunie iun haziran haz июня июнь июн червня червень черв ιουνίου ιουν juny lipnja lipanj юни birželio birželis jūnijs jūn juuni junij јун يونيو ژوئن जून чэрвень чэрвеня জুন ივნისი ივნ มิถุนายน hunyo जुन יוני հունիս հունիսի հնս iyun маусым qershor ekaina xuño júní ஜூன் జూన్ ജൂൺ ಜೂನ್ જૂન ਜੂਨ جون јуни ιούνιος junie чер',
  'july jul juli juillet juil julio luglio lug julho heinäkuuta heinäkuu heinä lipca lipiec lip července červenec čvc júla júl július iulie iul temmuz tem июля июль июл липня липень лип ιουλίου ιουλ juliol srpnja srpanj юли liepos liepa jūlijs jūl juuli julij јул يوليو ژوئیه जुलाई ліпень ліпеня জুলাই জুল ივლისი ივლ กรกฎาคม hulyo जुलै יולי հուլիս հուլիսի հլս iyul шілде korrik uztaila xullo júlí julai ஜூலை జులై ജൂലൈ ಜುಲೈ જુલાઈ ਜੁਲਾਈ ਜੁਲਾ جولائی јули ιούλιος julie',
  'august aug août aout agosto ago augustus augusti elokuuta elokuu elo sierpnia sierpień sie srpna srpen srp augusta augusztus ağustos ağu августа август авг серпня серпень серп αυγούστου αυγ agustus agu agost kolovoza kolovoz kol rugpjūčio rugpjūtis augusts avgust avg أغسطس اوت अगस्त жнівень жніўня আগস্ট აგვისტო აგვ สิงหาคม ऑगस्ट अगस्ट אוגוסט օգոստոս օգոստոսի օգս avqust тамыз gusht abuztua ágúst agosti ஆகஸ்ட் ఆగస్టు ഓഗസ്റ്റ് ಆಗಸ್ಟ್ ઑગસ્ટ ਅਗਸਤ اگست αύγουστος ogos сер',
  'september sep sept septembre septiembre settembre set setembro syyskuuta syyskuu syys września wrzesień wrz září zář septembra szeptember szept septembrie eylül eyl сентября сентябрь сент сен вересня вересень вер σεπτεμβρίου σεπ setembre rujna rujan ruj септември rugsėjo rugsėjis septembris септембар سبتمبر سپتامبر सितंबर верасень верасня সেপ্টেম্বর সেপ্ট সেপ სექტემბერი სექ กันยายน setyembre सप्टेंबर सप्टें सेप्टेम्बर ספטמבר սեպտեմբեր սեպտեմբերի սեպ sentyabr қыркүйек shtator iraila septemba செப்டம்பர் செப் సెప్టెంబర్ సెప్టెం സെപ്റ്റംബർ സെപ്റ്റം ಸೆಪ್ಟೆಂಬರ್ ಸೆಪ್ಟೆಂ સપ્ટેમ્બર સપ્ટે ਸਤੰਬਰ ਸਤੰ ستمبر septembar σεπτέμβριος верес सितम्बर',
  'october oct oktober okt octobre octubre ottobre ott outubro out lokakuuta lokakuu loka października październik paź října říjen říj októbra október octombrie ekim eki октября октябрь окт жовтня жовтень жовт οκτωβρίου οκτ октомври spalio spalis oktobris oktoober октобар أكتوبر اکتبر अक्टूबर кастрычнік кастрычніка অক্টোবর অক্টো ოქტომბერი ოქტ ตุลาคม oktubre ऑक्टोबर ऑक्टो अक्टोबर אוקטובר հոկտեմբեր հոկտեմբերի հոկ oktyabr қазан tetor urria oktoba அக்டோபர் அக் అక్టోబర్ అక్టో ഒക്ടോ ಅಕ್ಟೋಬರ್ ಅಕ್ಟೋ ઑક્ટોબર ઑક્ટો ਅਕਤੂਬਰ ਅਕਤੂ اکتوبر oktobar οκτώβριος अक्तूबर',
  'november nov novembre noviembre novembro marraskuuta marraskuu marras listopada listopad lis listopadu novembra noiembrie kasım kas ноября ноябрь нояб ноя листопада листопад лист νοεμβρίου νοε studenoga studeni stu ноември lapkričio lapkritis novembris новембар نوفمبر نوامبر नवंबर лістапад лістапада নভেম্বর নভে ნოემბერი ნოე พฤศจิกายน nobyembre नोव्हेंबर नोव्हें नोभेम्बर נובמבר նոյեմբեր նոյեմբերի նոյ noyabr қараша nëntor azaroa nóvember novemba நவம்பர் నవంబర్ నవం നവംബർ നവം ನವೆಂಬರ್ ನವೆಂ નવેમ્બર નવે ਨਵੰਬਰ ਨਵੰ نومبر novembar νοέμβριος листоп नवम्बर studenom',
  'december dec dezember dez décembre déc diciembre dic dicembre dezembro desember des joulukuuta joulukuu joulu grudnia grudzień gru prosince prosinec pro decembra decembrie aralık ara декабря декабрь дек грудня грудень груд δεκεμβρίου δεκ desembre prosinca prosinac декември gruodžio gruodis decembris detsember dets децембар дец ديسمبر دسامبر दिसंबर снежань снежня ডিসেম্বর ডিসে დეკემბერი დეკ ธันวาคม disyembre डिसेंबर डिसें डिसेम्बर דצמבר դեկտեմբեր դեկտեմբերի դեկ dekabr желтоқсан dhjetor abendua decembro desemba டிசம்பர் டிச డిసెంబర్ డిసెం ഡിസംബർ ഡിസം ಡಿಸೆಂಬರ್ ಡಿಸೆಂ ડિસેમ્બર ડિસે ਦਸੰਬਰ ਦਸੰ دسمبر decembar δεκέμβριος disember दिसम्बर',
] as const;

/** Month numbers, 1 to 12, by lower-case month name. */
export const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name): [string, number] => [name, index + 1])),
);

/** A date as the source states it. */
export type ParsedDate = {
  /** The calendar day as written, `2026-11-21`. */
  readonly day: string;
  /** The local time, `10:05:00`; null if the source has no time. */
  readonly time: string | null;
  /** The instant in UTC; null unless the source states a time and its time zone. */
  readonly instant: string | null;
};

type FoundDay = { readonly day: string; readonly start: number; readonly end: number };
type DayOrder = 'day_first' | 'month_first';

const MAX_DATE_TEXT_LENGTH = 400;
const ISO_DATE =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:(?:T|\s{1,2})(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?(?![\d])/i;
const COMPACT = /^\s*((?:19|20)\d{2})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?)?\s*$/;
const EPOCH = /^\s*([01]?\d{9})(\d{3})?\s*$/;
const TIME =
  /(?<![\d:.])(\d{1,2})[:h](\d{2})(?::(\d{2}))?\s?(?:([ap])\.?m\.?(?![a-z]))?\s?(Z(?![a-z])|UTC|GMT|[+-]\d{2}:?\d{2}(?!\d))?/i;
/**
 * A time with a point instead of a colon, where its context shows that it is no decimal: `klo 9.37`, `12.16 pm`,
 * `14.12` at the end.
 */
const POINTED = /^[\s,]*(?:(?:um|kl|klo|ore|at|à)\.?\s?)?(\d{1,2})\.(\d{2})(?:\s?([ap])\.?m\b|\s?(?:uhr|h)\b|\s*$)/i;
/** Times of day, which some formats put in the middle of a date: `Aug 05 12:00:00 2015`. */
const CLOCKS = /\d{1,2}:\d{2}(?::\d{2})?/g;
const YEAR_FIRST = /(?<!\d)((?:1[89]|20)\d{2})([-/.])\s?(\d{1,2})\2\s?(\d{1,2})(?!\d)/g;
const YEAR_LAST = /(?<![\d.,:/-])(\d{1,2})([-/.])\s?(\d{1,2})\2\s?((?:1[89]|20)\d{2}|\d{2})(?![\d%]|[.,/:-]\d)/g;
const EAST_ASIAN = /((?:1[89]|20)\d{2})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]?/g;
/** `22-Nov-13` or `22 Nov '13`: a two-digit year, recognised by the separator before it. */
const SHORT_YEAR = /(?<!\d)(\d{1,2})[-/. ]?([\p{L}\p{M}]{3,12})(?:[-/]|\.-|[., ]{0,2}')(\d{2})(?!\d)/gu;
/** Combining marks count as letters of their word. */
const LETTER = /[\p{L}\p{M}]/u;
/** Words that may be part of a written date, as in "5 de mayo de 2026" or "am 5. Mai". */
const FILLERS: ReadonlySet<string> = new Set(
  'of de del d di da dal the den st nd rd th er m г tháng năm года р ta u წ লা সাল'.split(' '),
);
const MONTH_NUMBER_WORDS: ReadonlySet<string> = new Set(['tháng', 'thg']);

/**
 * Parses the date in a text, with its time and instant if stated: a machine-readable format first, else the first
 * written date. Null if there is none.
 */
export function parseDate(text: string, locale: string | null): ParsedDate | null {
  const written = text.slice(0, MAX_DATE_TEXT_LENGTH);
  const plain = toGregorian(written, normalizeDigits(written).normalize('NFC'), locale);
  return parseMachineDate(plain) ?? parseWrittenDate(plain, locale);
}

/** The day as `2026-11-21`; null if it does not exist or its year is outside 1800 to 2099. */
export function toCalendarDay(year: number, month: number, day: number): string | null {
  const last = month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0);
  if (!(year >= 1800 && year <= 2099 && day >= 1 && day <= last)) return null;
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function parseMachineDate(text: string): ParsedDate | null {
  const iso = ISO_DATE.exec(text);
  if (iso !== null)
    return toParsedDate(parseDay(iso[1], iso[2], iso[3]), toClock(iso[4], iso[5], iso[6]), iso[8], iso[7]);
  const compact = COMPACT.exec(text);
  if (compact !== null) {
    const day = parseDay(compact[1], compact[2], compact[3]);
    if (day !== null) return toParsedDate(day, toClock(compact[4], compact[5], compact[6]), compact[7]);
  }
  const epoch = EPOCH.exec(text);
  if (epoch === null) return null;
  const instant = new Date(Number(epoch[1]) * 1000 + Number(epoch[2] ?? 0)).toISOString();
  return { day: instant.slice(0, 10), time: instant.slice(11, 19), instant };
}

function parseWrittenDate(text: string, locale: string | null): ParsedDate | null {
  const found = findEarliest([
    findNumericDay(text, YEAR_FIRST, ([, year, , month, day]) => parseDay(year, month, day)),
    findNumericDay(text, EAST_ASIAN, ([, year, month, day]) => parseDay(year, month, day)),
    findNumericDay(text, YEAR_LAST, ([, first, mark, second, year]) =>
      toDayWithYearLast(first, second, year, mark === '.' ? 'day_first' : getDayOrder(locale)),
    ),
    findNumericDay(text, SHORT_YEAR, ([, day, month, year]) => {
      const number = MONTHS.get(month?.toLowerCase() ?? '');
      return number === undefined ? null : toCalendarDay(fullYear(year), number, Number(day));
    }),
    findDayWithMonthName(text),
  ]);
  if (found === null) return null;
  const after = text.slice(found.end, found.end + 40);
  const time =
    TIME.exec(after) ??
    TIME.exec(text.slice(Math.max(0, found.start - 24), found.start)) ??
    TIME.exec(text.slice(found.start, found.end));
  if (time === null) return toParsedDate(found.day, parsePointedClock(after));
  return toParsedDate(found.day, toClock(time[1], time[2], time[3], time[4]), time[5]);
}

function parsePointedClock(text: string): string | null {
  const [, hour, minute, half] = POINTED.exec(text) ?? [];
  return toClock(hour, minute, undefined, half);
}

function findEarliest(found: readonly (FoundDay | null)[]): FoundDay | null {
  return found.reduce(
    (best, next) => (next !== null && (best === null || next.start < best.start) ? next : best),
    null,
  );
}

function findNumericDay(
  text: string,
  pattern: RegExp,
  toDay: (parts: readonly (string | undefined)[]) => string | null,
): FoundDay | null {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const day = toDay(match);
    if (day !== null) return { day, start: match.index, end: match.index + match[0].length };
  }
  return null;
}

function toDayWithYearLast(
  first: string | undefined,
  second: string | undefined,
  year: string | undefined,
  order: DayOrder,
): string | null {
  const full = String(fullYear(year));
  const dayFirst = parseDay(full, second, first);
  const monthFirst = parseDay(full, first, second);
  return order === 'day_first' ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
}

/** Two-digit years are read as 1961 to 2060. */
function fullYear(year: string | undefined): number {
  return Number(year) + (year?.length !== 2 ? 0 : Number(year) > 60 ? 1900 : 2000);
}

/** Finds `5 May 2026`, `May 5th, 2026` or `2026. május 5.` in any language of {@link MONTHS}. */
function findDayWithMonthName(text: string): FoundDay | null {
  if (!/\d{4}/.test(text)) return null;
  const tokens = tokenize(text.replaceAll(CLOCKS, (clock) => ' '.repeat(clock.length)));
  for (let at = 0; at < tokens.length; at++) {
    const named = MONTHS.get(tokens[at]?.word ?? '');
    const numbered = MONTH_NUMBER_WORDS.has(tokens[at]?.word ?? '') ? Number(tokens[at + 1]?.word) : undefined;
    const month = named ?? numbered;
    if (month === undefined) continue;
    const after = numbered === undefined ? at + 1 : at + 2;
    const day =
      toDayFromTokens(tokens[after]?.word, month, tokens[at - 1]?.word) ??
      toDayFromTokens(tokens[after + 1]?.word, month, tokens[after]?.word) ??
      toDayFromTokens(tokens[at - 1]?.word, month, tokens[after]?.word) ??
      toDayFromTokens(tokens[at - 2]?.word, month, tokens[at - 1]?.word);
    if (day !== null) {
      const last = tokens[Math.min(after + 1, tokens.length - 1)];
      return {
        day,
        start: tokens[Math.max(0, at - 1)]?.start ?? 0,
        end: last === undefined ? text.length : Math.min(last.end, findDateEnd(tokens, after)),
      };
    }
  }
  return null;
}

type Token = { readonly word: string; readonly start: number; readonly end: number };

/** Splits a text into words and numbers; everything else is dropped. */
function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const start = at;
    while (isDigit(text.charCodeAt(at))) at++;
    if (at === start) for (let width = measureLetter(text, at); width > 0; width = measureLetter(text, at)) at += width;
    if (at === start) at++;
    else {
      const word = text.slice(start, at).toLowerCase();
      if (FILLERS.has(word) && !MONTH_NUMBER_WORDS.has(word)) continue;
      tokens.push({ word, start, end: at });
    }
  }
  return tokens;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * The length of the letter at `at` in code units; 0 if it is no letter. Runs a regular expression only beyond ASCII,
 * for speed.
 */
function measureLetter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) ? 1 : 0;
  const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return LETTER.test(letter) ? letter.length : 0;
}

/**
 * The end of a written date: after its year, else after the first of the two tokens behind the month, so that a time is
 * not included.
 */
function findDateEnd(tokens: readonly Token[], after: number): number {
  const pair = tokens.slice(after, after + 2);
  const year = pair.find((token) => /^\d{4}$/.test(token.word));
  return year?.end ?? pair[0]?.end ?? 0;
}

function toDayFromTokens(year: string | undefined, month: number, day: string | undefined): string | null {
  if (year === undefined || day === undefined || !/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(day)) return null;
  return toCalendarDay(Number(year), month, Number(day));
}

function parseDay(year: string | undefined, month: string | undefined, day: string | undefined): string | null {
  return toCalendarDay(Number(year), Number(month), Number(day));
}

/** Formats hour, minute and second as `10:05:00`; null if they are no time of day. */
function toClock(
  hour: string | undefined,
  minute: string | undefined,
  second: string | undefined,
  half?: string,
): string | null {
  if (hour === undefined || minute === undefined) return null;
  const noonless = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const parts = [noonless, Number(minute), Number(second ?? 0)];
  if (noonless > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return null;
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function toParsedDate(day: string | null, time: string | null, zone?: string, fraction?: string): ParsedDate | null {
  if (day === null) return null;
  if (time === null || zone === undefined) return { day, time, instant: null };
  const at = Date.parse(`${day}T${time}.${(fraction ?? '').slice(0, 3).padEnd(3, '0')}${toOffset(zone)}`);
  return { day, time, instant: Number.isNaN(at) ? null : new Date(at).toISOString() };
}

function toOffset(zone: string): string {
  if (/^[a-z]/i.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** American and Philippine locales put the month first; so does `en` without a region. */
function getDayOrder(locale: string | null): DayOrder {
  return locale !== null && /^en$|^[a-z]{2,3}(?:-[a-z]{4})?-(?:US|PH)$/i.test(locale) ? 'month_first' : 'day_first';
}
