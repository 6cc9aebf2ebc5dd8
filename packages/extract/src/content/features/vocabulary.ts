import { hashWord, createWordTable, addWord, type WordTable } from './hash-tables.ts';

/** Bits for the meaning of a word of running text. */
export const FUNCTION_WORD = 1;
/** Name of a month. */
export const MONTH = 2;
/** First word of a button label. */
export const CALL_TO_ACTION = 4;
/** Word of a copyright notice. */
export const RIGHTS_WORD = 8;
/** Occurs in the page's title. Set for one page. */
export const IN_TITLE = 16;
/** Occurs in the page's description. Set for one page. */
export const IN_DESCRIPTION = 32;
/** Word of a relative time, as "ago" in "3 days ago". */
export const TIME_AGO = 64;
/** Word of a cookie or consent notice. */
export const CONSENT_WORD = 128;
/** First word of a line that points to another text. */
export const LEAD_IN = 256;
/** Label of a reply or vote button below a comment. */
export const REPLY_WORD = 512;

const WORDS: readonly (readonly [number, string])[] = [
  [
    FUNCTION_WORD,
    'the a an of to and in is that for on with as it was are be this by at from or have not but you we they i he she his her its their our your will can has had which who what when where how if so than about into up no all one der die das und ist nicht von zu mit den im ein eine für auf dem des sich auch es wird werden le la les de et est un une que qui dans pour pas sur au aux ce el los las en y por con del se su lo da do em não os um com na il di che per non sono è van het een dat op te zijn voor niet и в не что с по как это на я он а к у за är och att som av på en det i og til er på',
  ],
  [
    MONTH,
    'jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september october november december januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
  ],
  [
    CALL_TO_ACTION,
    'read learn share tweet reply log login sign subscribe add shop view see show load comments comment menu search home next prev previous skip cookie cookies follow privacy contact print email download report quote like save buy join register submit more back close mehr weiterlesen teilen lesen drucken suche zurück weiter partager lire suite voir leer más compartir ver leggi condividi continua lees meer delen читать поделиться',
  ],
  [RIGHTS_WORD, 'copyright reserved rights vorbehalten réservés reservados'],
  [TIME_AGO, 'ago vor il hace fa geleden назад'],
  [
    LEAD_IN,
    'related also read see more watch click recommended previously weiterlesen lesen mehr siehe lust auch lire voir aussi lea leer ver también leggi anche vedi leia veja saiba lees bekijk läs les zobacz przeczytaj czytaj čtěte читайте смотрите devamı oku',
  ],
  [
    REPLY_WORD,
    'reply replies upvote downvote permalink flag antworten antwort melden répondre signaler responder rispondi segnala beantwoorden reageer odpowiedz svara svar ответить пожаловаться yanıtla 回复 返信',
  ],
  [
    CONSENT_WORD,
    'cookie cookies consent gdpr tracking legitimate einwilligung einwilligungen dsgvo consentement rgpd consentimiento consenso toestemming zgoda zgody zgodę zgód rodo samtycke samtykke suostumus souhlas согласие',
  ],
];

/** Maximum words that one page adds to the vocabulary. */
const MAX_PAGE_WORDS = 400;

/** Builds the vocabulary for all pages, with the learned weights of words. */
export function buildVocabulary(weights: ReadonlyMap<string, number>): WordTable {
  const known = WORDS.flatMap(([bit, words]) => words.split(' ').map((word) => [bit, word] as const));
  const table = createWordTable(known.length + weights.size + MAX_PAGE_WORDS);
  for (const [bit, word] of known) markWord(table, hashWord(word), bit);
  for (const [word, weight] of weights) {
    const slot = addWord(table, hashWord(word));
    if (slot >= 0) table.weights[slot] = weight;
  }
  return table;
}

/** Copies the vocabulary and adds the words of a page's title and description. */
export function addPageWords(vocabulary: WordTable, title: string, description: string): WordTable {
  const table = { ...vocabulary, keys: vocabulary.keys.slice(), bits: vocabulary.bits.slice() };
  const limit = table.count + MAX_PAGE_WORDS;
  for (const [bit, text] of [
    [IN_TITLE, title],
    [IN_DESCRIPTION, description],
  ] as const) {
    for (const [word] of text.slice(0, 2000).matchAll(/[\p{L}\p{N}]+/gu)) {
      if (table.count < limit) markWord(table, hashWord(word), bit);
    }
  }
  return table;
}

function markWord(table: WordTable, hash: number, bit: number): void {
  const slot = addWord(table, hash);
  if (slot >= 0) table.bits[slot] = (table.bits[slot] ?? 0) | bit;
}
