import type { Operation } from '#engine/call/operation.ts';
import { createLazy } from '#kernel/lazy.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { type JsonSchema, listMembers, toJsonSchema } from './schema.ts';

/** Weights of a matching word by the field in which it occurs. */
const WEIGHTS = { name: 4, site: 3, summary: 2.5, member: 1.2, kind: 1, meaning: 0.5 } as const;
type Field = keyof typeof WEIGHTS;
const FIELDS: readonly Field[] = ['name', 'site', 'summary', 'member', 'kind', 'meaning'];

/** How much the matches in further fields count. */
const OTHER_FIELDS_SHARE = 0.25;
/** How much a word with the same stem counts, and one with a common prefix of at least `least` characters. */
const STEM_SHARE = 0.85;
const PREFIX_MATCH = { share: 0.6, least: 4 } as const;
/** Penalty for each word of the name that is not in the question. */
const EXTRA_NAME_WORD_PENALTY = 0.1;
/** Factor for operations of other sites if the question names a site. */
const OTHER_SITE_FACTOR = 0.6;
/** Operations below this share of the best score are dropped. */
const MIN_SCORE_SHARE = 0.4;
const MAX_WORDS = 40;
const MAX_SCHEMA_DEPTH = 6;
const MAX_CHARS = 50_000;

/** Synonyms; a word may be replaced by several. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['find', 'search'],
  ['advert', 'ad'],
  ['advertisement', 'ad'],
  ['advertisements', 'ads'],
  ['transcript', 'subtitles'],
  ['captions', 'subtitles'],
  ['today', 'day'],
  ['picture', 'photo'],
  ['pictures', 'photos'],
  ['song', 'track'],
  ['songs', 'tracks'],
  ['repository', 'repo'],
  ['repositories', 'repos'],
  ['cost', 'price'],
  ['costs', 'price'],
  ['much', 'price'],
  ['redditor', 'reddit user'],
  ['tweet', 'twitter post'],
  ['tweets', 'twitter posts'],
  ['tiktoks', 'tiktok videos'],
  ['iphone', 'apple app'],
  ['ipad', 'apple app'],
]);

/** Notations for a community or a user of Reddit: `r/milling`, `u/ilse`. */
const NOTATIONS: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w/])r\/\w+/g, 'subreddit'],
  [/(?<![\w/])u\/\w+/g, 'reddit user'],
];

/** Stop words, which are ignored. */
const STOP_WORDS = new Set(
  'a about all am an and any are as at be by can did do does for from get give has have how i in is it its list look me my of on one or please show tell that the their them there this to up was what when where which who whose with you your'.split(
    ' ',
  ),
);

type SearchEntry = {
  readonly operation: Operation;
  readonly fields: Readonly<Record<Field, WordSet>>;
  readonly hosts: ReadonlySet<string>;
};
/** The words of a text, and their stems. */
type WordSet = { readonly whole: ReadonlySet<string>; readonly stems: ReadonlySet<string> };

/** Creates a search that finds operations by the words of a question, best first. It returns all if there are no words. */
export function createOperationSearch(operations: readonly Operation[]): (question: string) => readonly Operation[] {
  const entries = createLazy(() => operations.map(buildEntry));
  return function search(question) {
    const named = operations.find(({ id }) => id === question.trim());
    if (named !== undefined) return [named];
    const words = splitQuestion(question).slice(0, MAX_WORDS);
    if (words.length === 0) return operations;
    const all = entries();
    const queryWords = joinSiteNames(words, all);
    const weighed = queryWords.map((word) => {
      const matches = all.map((entry) => computeMatch(entry, word));
      // Rare words count more than words that match many operations.
      const matchCount = matches.reduce((sum, match) => sum + match / WEIGHTS.name, 0);
      return { matches, rarity: Math.log(1 + all.length / Math.max(1, matchCount)) };
    });
    const stems = new Set(queryWords.map(stemWord));
    const isNamed = ({ hosts }: SearchEntry): boolean => queryWords.some((word) => hosts.has(word));
    const isAnyNamed = all.some(isNamed);
    const scored = all.map((entry, at) => {
      const score = weighed.reduce((sum, { matches, rarity }) => sum + (matches[at] ?? 0) * rarity, 0);
      const unasked = [...entry.fields.name.stems].filter((stem) => !stems.has(stem)).length;
      const share = isAnyNamed && entry.hosts.size > 0 && !isNamed(entry) ? OTHER_SITE_FACTOR : 1;
      return { operation: entry.operation, score: (share * score) / (1 + EXTRA_NAME_WORD_PENALTY * unasked) };
    });
    const best = Math.max(...scored.map(({ score }) => score));
    return scored
      .filter(({ score }) => score > 0 && score >= MIN_SCORE_SHARE * best)
      .toSorted((one, other) => other.score - one.score)
      .map(({ operation }) => operation);
  };
}

/** Computes how well an operation matches a word: the best field counts fully, the others in part. */
function computeMatch({ fields }: SearchEntry, word: string): number {
  const scores = FIELDS.map((field) => WEIGHTS[field] * computeFieldMatch(fields[field], word));
  const best = Math.max(...scores);
  return best + OTHER_FIELDS_SHARE * (scores.reduce((sum, one) => sum + one, 0) - best);
}

function computeFieldMatch({ whole, stems }: WordSet, word: string): number {
  if (whole.has(word)) return 1;
  const stem = stemWord(word);
  if (stems.has(stem)) return STEM_SHARE;
  if (stem.length < PREFIX_MATCH.least) return 0;
  for (const one of stems)
    if (one.length >= PREFIX_MATCH.least && (one.startsWith(stem) || stem.startsWith(one))) return PREFIX_MATCH.share;
  return 0;
}

/** Removes repeated words, and joins two words that name a site together, such as `product hunt`. */
function joinSiteNames(words: readonly string[], entries: readonly SearchEntry[]): readonly string[] {
  const sites = new Set(entries.flatMap(({ fields }) => [...fields.site.whole]));
  const matches: string[] = [];
  for (const word of words) {
    const pair = `${matches.at(-1) ?? ''}${word}`;
    if (matches.length > 0 && sites.has(pair)) matches.splice(-1, 1, pair);
    else matches.push(word);
  }
  return [...new Set(matches)];
}

function toWords(text: string): WordSet {
  const whole = new Set(splitQuestion(text));
  return { whole, stems: new Set([...whole].map(stemWord)) };
}

function buildEntry(operation: Operation): SearchEntry {
  const hosts = operation.kind === 'work' ? (operation.site?.hosts ?? []) : [];
  return { operation, fields: buildFields(operation), hosts: new Set(hosts.flatMap(splitQuestion)) };
}

function buildFields(operation: Operation): SearchEntry['fields'] {
  const { id, summary, input, output } = operation;
  const site = operation.kind === 'work' ? operation.site : undefined;
  const path = site === undefined ? id : id.slice(site.name.length);
  const members = [toJsonSchema(input, 'input'), ...(output === null ? [] : [toJsonSchema(output, 'output')])].flatMap(
    (schema) => listSchemaWords(schema, 0),
  );
  return {
    name: toWords(path),
    site: toWords(site === undefined ? '' : `${site.name} ${site.hosts.join(' ')}`),
    summary: toWords(summary),
    member: toWords(members.map(([name]) => name).join(' ')),
    kind: toWords(site?.about ?? ''),
    meaning: toWords(members.map(([, meaning]) => meaning).join(' ')),
  };
}

/** Lists the names and descriptions of all members of a schema, including nested ones. */
function listSchemaWords(schema: unknown, depth: number): readonly (readonly [name: string, meaning: string])[] {
  if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return [];
  const own = listMembers(schema).map(([name, member]) => [name, getDescription(member)] as const);
  const inner = [
    ...listMembers(schema).map(([, member]) => member),
    schema['items'],
    ...(Array.isArray(schema['anyOf']) ? schema['anyOf'] : []),
  ];
  return [...own, ...inner.flatMap((one) => listSchemaWords(one, depth + 1))];
}

function getDescription({ description, enum: words }: JsonSchema): string {
  return [description, ...(Array.isArray(words) ? words : [])].filter((one) => typeof one === 'string').join(' ');
}

/** Splits a text into lower-case words without stop words, with synonyms replaced; `adLibrary` is two words. */
export function splitQuestion(text: string): readonly string[] {
  const plain = NOTATIONS.reduce(
    (result, [written, meant]) => result.replaceAll(written, meant),
    text.slice(0, MAX_CHARS),
  );
  return plain
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .flatMap((word) => (SYNONYMS.get(word) ?? word).split(' '));
}

/** Reduces a word to an approximate stem: `prices` and `pricing` to `pric`, `running` to `run`. */
function stemWord(word: string): string {
  if (word.length < 4) return word;
  const singular = word.replace(/ies$/, 'y').replace(/(?<![su])s$/, '');
  const stem = singular.replace(/(?:ing|ed|e)$/, '');
  return (stem.length < 3 ? singular : stem).replace(/([bdglmnprt])\1$/, '$1');
}
