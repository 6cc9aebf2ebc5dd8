/** Languages by script, with the minimum share of letters. Japanese needs only a few kana, because it also uses Han. */
const SCRIPT_LANGUAGES: readonly (readonly [script: RegExp, languages: readonly string[], share: number])[] = [
  [/[\p{sc=Hira}\p{sc=Kana}]/gu, ['ja'], 0.1],
  [/\p{sc=Hang}/gu, ['ko'], 0.3],
  [/\p{sc=Han}/gu, ['zh'], 0.3],
  [/\p{sc=Thai}/gu, ['th'], 0.3],
  [/\p{sc=Grek}/gu, ['el'], 0.3],
  [/\p{sc=Hebr}/gu, ['he'], 0.3],
  [/\p{sc=Cyrl}/gu, ['ru', 'uk', 'bg'], 0.3],
  [/\p{sc=Arab}/gu, ['ar', 'fa'], 0.3],
  [/\p{sc=Deva}/gu, ['hi'], 0.3],
];
const LETTERS = /\p{L}/gu;
const LATIN_ONLY = /^[\p{sc=Latn}\p{sc=Zyyy}\p{sc=Zinh}]*$/u;

/** Function words per language (stop words, including question words), with accents. */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: 'the a an of and to in is are was were what how do does did why when where which who can i my it for with this that not from you be has have',
  de: 'der die das und ist sind war ein eine einen einem einer nicht mit wie was wer wo wann warum ich zu zum zur von den dem des auf für im auch es wird werden kann oder sich',
  fr: 'le la les des du un une et est sont dans pour pas sur avec comment quoi où quand pourquoi quel quelle ce cette je au aux par que qui qu l d il elle ou',
  es: 'el la los las de un una y es son que qué en por para cómo cuál dónde cuándo con del se no al su como está quién o',
  it: 'il lo la gli le di un una e è sono che in per con come cosa cos dove quando perché non del della dei si da nel chi o',
  pt: 'o a os as de um uma e é são que em para com como onde quando por não do da no na se qual quem ou',
  nl: 'de het een en is zijn van niet met hoe wat wie waar wanneer waarom voor dat op te ik aan wordt bij om',
  pl: 'i w na z do jest są nie się co jak gdzie kiedy dlaczego to że czy kto od dla przez',
  cs: 'a je jsou se na v že jak co kde kdy proč to není s pro nebo kdo ve',
  sv: 'och att det som en ett är på för med inte hur vad var när varför jag den av till vem om',
  da: 'og at det som en et er på for med ikke hvordan hvad var hvornår hvorfor jeg den af til hvem om der blev',
  nb: 'og at det som en et er på for med ikke hvordan hva var når hvorfor jeg den av til hvem om etter ble',
  fi: 'ja on ei se että mikä miten missä milloin miksi kuka oli ovat tai kun mitä joka ole myös',
  ca: 'el la els les de un una i és són que en per com quin on quan amb del no al seu està què o aquest',
  ro: 'și de la în un o este sunt că cu nu pe ce cum unde când cine din care sau pentru',
  hu: 'a az és egy nem hogy mi van volt hol mikor miért ki is vagy mint ez azt de milyen',
  hr: 'i je su u na se da što kako gdje kada zašto tko ne od za s ili iz kao',
  sk: 'a je sú sa na v že ako čo kde kedy prečo to nie s pre alebo kto vo',
  id: 'yang dan di ke dari untuk dengan apa bagaimana adalah ini itu tidak pada dalam atau oleh',
  vi: 'là và của có không được cho các một những như thế nào gì ở khi này',
  tr: 've bir bu ne nasıl nedir için ile mi da de değil neden nerede kim olarak olan',
  ja: 'は が を に の と で も し た て ます です か する こと これ それ ある いる な い れ る から まで より へ や 何 どう なぜ いつ どこ 誰',
  zh: '的 是 了 在 和 与 與 吗 嗎 呢 什么 什麼 怎么 怎麼 怎样 如何 为什么 為什麼 哪里 哪裡 谁 誰 我 你 有 不 这 這 那 个 個 一 何',
  ru: 'и в на не что как это где когда почему кто с по для из ли такое я к или от',
  bg: 'и в на не че как това е са къде кога защо кой с по за от се или да какво',
  ar: 'في من على أن إلى هذا هذه ما كيف هل هو هي عن مع أو و لا التي الذي',
  fa: 'در به از که این را با است چه چگونه و آن برای یا می',
  uk: 'і в на не що як це де коли чому хто з для та чи є до або від',
};

const LANGUAGES_BY_WORD = new Map<string, readonly string[]>();
for (const [language, words] of Object.entries(FUNCTION_WORDS)) {
  for (const word of words.split(' ')) LANGUAGES_BY_WORD.set(word, [...(LANGUAGES_BY_WORD.get(word) ?? []), language]);
}

const WORDS = /[\p{L}\p{M}]+/gu;
/** Characters that are examined. */
const MAX_CHARS = 2000;

/**
 * Detects the language (ISO 639-1) of a text by its script or function words; null if ambiguous. Libraries that use n-grams
 * would take 40 to 200 MB of memory.
 */
export function detectLanguage(text: string): string | null {
  const candidates = detectLanguages(text);
  return candidates.length === 1 ? (candidates[0] ?? null) : null;
}

/** The languages that match a text equally well; empty if nothing matches. */
export function detectLanguages(text: string): readonly string[] {
  const some = text.slice(0, MAX_CHARS);
  const byScript = findLanguagesByScript(some);
  if (byScript.length === 1) return byScript;
  const byWords = findLanguagesByWords(some).filter((one) => byScript.length === 0 || byScript.includes(one));
  return byWords.length > 0 ? byWords : byScript;
}

function findLanguagesByScript(text: string): readonly string[] {
  if (LATIN_ONLY.test(text)) return [];
  const letters = text.match(LETTERS)?.length ?? 0;
  const found = SCRIPT_LANGUAGES.find(([script, , share]) => (text.match(script)?.length ?? 0) > share * letters);
  return found?.[1] ?? [];
}

function findLanguagesByWords(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(WORDS) ?? []) {
    for (const language of LANGUAGES_BY_WORD.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return [...counts].flatMap(([language, count]) => (count === most ? [language] : []));
}

/** The function words of a language, with accents; empty for an unknown language. */
export function listFunctionWords(language: string): readonly string[] {
  return FUNCTION_WORDS[language]?.split(' ') ?? [];
}

/** The primary subtag of a language tag (BCP 47) in lower case: `pt` for `pt-BR`. */
export function getPrimarySubtag(tag: string | null): string | null {
  return tag?.toLowerCase().split(/[-_]/)[0] ?? null;
}
