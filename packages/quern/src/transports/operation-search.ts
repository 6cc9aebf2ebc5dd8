import type { Operation } from '#engine/call/operation.ts';
import { lazy } from '#kernel/lazy.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { type JsonSchema, membersOf, toJsonSchema } from './schema.ts';

/** How much it says that a word of a question is one of these. */
const WEIGHTS = { name: 4, site: 3, summary: 2.5, member: 1.2, kind: 1, meaning: 0.5 } as const;
type Field = keyof typeof WEIGHTS;
const FIELDS: readonly Field[] = ['name', 'site', 'summary', 'member', 'kind', 'meaning'];

/** The part of what the other fields say, too. */
const OTHERS = 0.25;
/** Another form of a word says nearly as much, one that only begins alike less; shorter ones begin like too many. */
const FORM_SHARE = 0.85;
const PREFIX = { share: 0.6, least: 4 } as const;
/** For each word of its name that nobody asked for. */
const UNASKED = 0.1;
/** What is left of an operation of another site where a question names the host of one. */
const ELSEWHERE = 0.6;
/** What is less likely than this share of the best is not meant. */
const MIN_SHARE = 0.4;
const MAX_WORDS = 40;
const DEEPEST = 6;
const MAX_CHARS = 50_000;

/** Words that mean the same in a question, or the same as several. */
const ALIKE: ReadonlyMap<string, string> = new Map([
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

/** How people write that they mean a community or a person of the forum: `r/milling`, `u/ilse`. */
const NOTATIONS: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w/])r\/\w+/g, 'subreddit'],
  [/(?<![\w/])u\/\w+/g, 'reddit user'],
];

/** Words that say nothing of what is wanted. */
const COMMON = new Set(
  'a about all am an and any are as at be by can did do does for from get give has have how i in is it its list look me my of on one or please show tell that the their them there this to up was what when where which who whose with you your'.split(
    ' ',
  ),
);

type SearchEntry = {
  readonly operation: Operation;
  readonly fields: Readonly<Record<Field, Words>>;
  readonly hosts: ReadonlySet<string>;
};
/** Words as they are written, and their stems. */
type Words = { readonly whole: ReadonlySet<string>; readonly stems: ReadonlySet<string> };

/** Finds operations by the words of a question, the likeliest first; all of them for a question without words. */
export function buildOperationSearch(operations: readonly Operation[]): (question: string) => readonly Operation[] {
  const entries = lazy(() => operations.map(toEntry));
  return function search(question) {
    const named = operations.find(({ id }) => id === question.trim());
    if (named !== undefined) return [named];
    const words = questionWords(question).slice(0, MAX_WORDS);
    if (words.length === 0) return operations;
    const all = entries();
    const asked = joined(words, all);
    const weighed = asked.map((word) => {
      const matches = all.map((entry) => matchOf(entry, word));
      // A word that many say by the way tells little less than one that few say.
      const sayers = matches.reduce((sum, match) => sum + match / WEIGHTS.name, 0);
      return { matches, rarity: Math.log(1 + all.length / Math.max(1, sayers)) };
    });
    const stems = new Set(asked.map(stemOf));
    const isNamed = ({ hosts }: SearchEntry): boolean => asked.some((word) => hosts.has(word));
    const isAnyNamed = all.some(isNamed);
    const scored = all.map((entry, at) => {
      const score = weighed.reduce((sum, { matches, rarity }) => sum + (matches[at] ?? 0) * rarity, 0);
      const unasked = [...entry.fields.name.stems].filter((stem) => !stems.has(stem)).length;
      const share = isAnyNamed && entry.hosts.size > 0 && !isNamed(entry) ? ELSEWHERE : 1;
      return { operation: entry.operation, score: (share * score) / (1 + UNASKED * unasked) };
    });
    const best = Math.max(...scored.map(({ score }) => score));
    return scored
      .filter(({ score }) => score > 0 && score >= MIN_SHARE * best)
      .toSorted((one, other) => other.score - one.score)
      .map(({ operation }) => operation);
  };
}

/** How much an operation is what a word means: the field that says most counts whole, the others in part. */
function matchOf({ fields }: SearchEntry, word: string): number {
  const found = FIELDS.map((field) => WEIGHTS[field] * likenessIn(fields[field], word));
  const most = Math.max(...found);
  return most + OTHERS * (found.reduce((sum, one) => sum + one, 0) - most);
}

function likenessIn({ whole, stems }: Words, word: string): number {
  if (whole.has(word)) return 1;
  const stem = stemOf(word);
  if (stems.has(stem)) return FORM_SHARE;
  if (stem.length < PREFIX.least) return 0;
  for (const one of stems)
    if (one.length >= PREFIX.least && (one.startsWith(stem) || stem.startsWith(one))) return PREFIX.share;
  return 0;
}

/** The words of a question, each once; two that name a site together, as `product hunt`, are one. */
function joined(words: readonly string[], entries: readonly SearchEntry[]): readonly string[] {
  const sites = new Set(entries.flatMap(({ fields }) => [...fields.site.whole]));
  const found: string[] = [];
  for (const word of words) {
    const pair = `${found.at(-1) ?? ''}${word}`;
    if (found.length > 0 && sites.has(pair)) found.splice(-1, 1, pair);
    else found.push(word);
  }
  return [...new Set(found)];
}

function toWords(text: string): Words {
  const whole = new Set(questionWords(text));
  return { whole, stems: new Set([...whole].map(stemOf)) };
}

function toEntry(operation: Operation): SearchEntry {
  const hosts = operation.kind === 'work' ? (operation.site?.hosts ?? []) : [];
  return { operation, fields: fieldsOf(operation), hosts: new Set(hosts.flatMap(questionWords)) };
}

function fieldsOf(operation: Operation): SearchEntry['fields'] {
  const { id, summary, input, output } = operation;
  const site = operation.kind === 'work' ? operation.site : null;
  const path = site === null ? id : id.slice(site.name.length);
  const members = [toJsonSchema(input, 'input'), ...(output === null ? [] : [toJsonSchema(output, 'output')])].flatMap(
    (schema) => namesIn(schema, 0),
  );
  return {
    name: toWords(path),
    site: toWords(site === null ? '' : `${site.name} ${site.hosts.join(' ')}`),
    summary: toWords(summary),
    member: toWords(members.map(([name]) => name).join(' ')),
    kind: toWords(site?.about ?? ''),
    meaning: toWords(members.map(([, meaning]) => meaning).join(' ')),
  };
}

/** The members of a schema and of what is in it, each with its description. */
function namesIn(schema: unknown, depth: number): readonly (readonly [name: string, meaning: string])[] {
  if (!isJsonObject(schema) || depth > DEEPEST) return [];
  const own = membersOf(schema).map(([name, member]) => [name, meaningOf(member)] as const);
  const inner = [
    ...membersOf(schema).map(([, member]) => member),
    schema['items'],
    ...(Array.isArray(schema['anyOf']) ? schema['anyOf'] : []),
  ];
  return [...own, ...inner.flatMap((one) => namesIn(one, depth + 1))];
}

function meaningOf({ description, enum: words }: JsonSchema): string {
  return [description, ...(Array.isArray(words) ? words : [])].filter((one) => typeof one === 'string').join(' ');
}

/** The words of a text in lower case, without those that say nothing; `adLibrary` is two. */
export function questionWords(text: string): readonly string[] {
  const plain = NOTATIONS.reduce((said, [written, meant]) => said.replaceAll(written, meant), text.slice(0, MAX_CHARS));
  return plain
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !COMMON.has(word))
    .flatMap((word) => (ALIKE.get(word) ?? word).split(' '));
}

/** A word without the ends of its forms, roughly: `prices` and `pricing` are `pric`, `running` is `run`. */
function stemOf(word: string): string {
  if (word.length < 4) return word;
  const singular = word.replace(/ies$/, 'y').replace(/(?<![su])s$/, '');
  const stem = singular.replace(/(?:ing|ed|e)$/, '');
  return (stem.length < 3 ? singular : stem).replace(/([bdglmnprt])\1$/, '$1');
}
