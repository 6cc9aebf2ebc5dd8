import { isTrueAt, listAt, recordAt, textAt, valueAt } from '#console/app/json.ts';
import type { SampleCommand, SampleYield } from '#console/app/samples.ts';

/** An operation in a few words, as lists show it. */
export type ListedOperation = {
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  readonly isWork: boolean;
  readonly site: string | null;
  readonly isVerified: boolean;
  readonly isForOperators: boolean;
  readonly plan: string;
  readonly credits: string;
};

/** An operation with what its form and its samples need. */
export type PlayedOperation = ListedOperation & {
  readonly clientName: string;
  readonly yields: SampleYield;
  readonly command: SampleCommand | null;
  readonly example: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
};

const YIELDS: readonly SampleYield[] = ['value', 'records', 'events'];

/** An operation of the list of the docs. */
export function toListedOperation(body: unknown): ListedOperation {
  return {
    id: textAt(body, 'id'),
    summary: textAt(body, 'summary'),
    method: textAt(body, 'method'),
    path: textAt(body, 'path'),
    isWork: textAt(body, 'kind') === 'work',
    site: textAt(body, 'site') || null,
    isVerified: isTrueAt(body, 'verified'),
    isForOperators: textAt(body, 'audience') === 'operator',
    plan: textAt(body, 'plan'),
    credits: textAt(body, 'credits'),
  };
}

/** An operation of its document. */
export function toPlayedOperation(body: unknown): PlayedOperation {
  const command = valueAt(body, 'command');
  const words = listAt(command, 'words').filter((word) => typeof word === 'string');
  return {
    ...toListedOperation(body),
    clientName: textAt(body, 'client_name'),
    yields: YIELDS.find((one) => one === textAt(body, 'yields')) ?? 'value',
    command: words.length === 0 ? null : { words, positional: textAt(command, 'positional') || null },
    example: recordAt(body, 'example'),
    input: recordAt(body, 'input'),
  };
}

/** The name of the group that an operation is listed in. */
export function operationGroupOf({ id, site, isWork, isForOperators }: ListedOperation): string {
  if (isForOperators) return 'Operators';
  if (site !== null) return site;
  if (isWork) return 'Pages and searches';
  const [tag = id, part = ''] = id.split('.');
  if (part === 'monitors') return `Monitors of ${tag}`;
  return GROUPS.get(tag) ?? tag.slice(0, 1).toUpperCase() + tag.slice(1);
}

/** Groups by the first word of an id, where that is not the name of the group. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ['deliveries', 'Webhooks'],
  ['artifact', 'Jobs'],
  ['schedule', 'Monitors'],
  ['usage', 'Account'],
  ['requests', 'Account'],
  ['capabilities', 'Account'],
]);

/** Words that say nothing about what is looked for. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an and for from get give how in is me of on or show the to what with'.split(' '),
);

/** The operations that plain words are about, the best first; all of them for no words. */
export function searchOperations(operations: readonly ListedOperation[], words: string): readonly ListedOperation[] {
  const wanted = toTerms(words).filter((term) => !EMPTY_WORDS.has(term));
  if (wanted.length === 0) return operations;
  const scored = operations.map((operation) => ({ operation, score: scoreOf(operation, wanted) }));
  const best = Math.max(...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score > 0 && score >= best / 2)
    .toSorted((one, other) => other.score - one.score)
    .map(({ operation }) => operation);
}

function scoreOf({ id, summary, path }: ListedOperation, wanted: readonly string[]): number {
  const [names, about] = [toTerms(`${id} ${path}`), toTerms(summary)];
  const found = wanted.map((term) => (isAmong(names, term) ? 3 : isAmong(about, term) ? 2 : 0));
  return found.reduce((sum: number, score) => sum + score, 0);
}

/** A word counts by its beginning, so that `hotels` finds `hotel` and `rev` finds `reviews`. */
function isAmong(terms: readonly string[], wanted: string): boolean {
  const stem = wanted.length > 4 ? wanted.replace(/(?:ies|es|s|ing|ed)$/, '') : wanted;
  return terms.some((term) => term.startsWith(stem));
}

function toTerms(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
