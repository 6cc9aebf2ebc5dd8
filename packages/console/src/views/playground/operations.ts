import { isTrue, getList, getRecord, getText, getValue } from '#console/app/json.ts';
import type { SampleCommand, SampleResultKind } from '#console/app/samples.ts';

/** An operation as the list of operations describes it. */
export type OperationSummary = {
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

/** An operation with everything that its form and its samples need. */
export type OperationDetails = OperationSummary & {
  readonly clientName: string;
  readonly yields: SampleResultKind;
  readonly command: SampleCommand | null;
  readonly example: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
};

const RESULT_KINDS: readonly SampleResultKind[] = ['value', 'records', 'events'];

/** Parses an entry of `/docs/operations.json`. */
export function parseOperationSummary(body: unknown): OperationSummary {
  return {
    id: getText(body, 'id'),
    summary: getText(body, 'summary'),
    method: getText(body, 'method'),
    path: getText(body, 'path'),
    isWork: getText(body, 'kind') === 'work',
    site: getText(body, 'site') || null,
    isVerified: isTrue(body, 'verified'),
    isForOperators: getText(body, 'audience') === 'operator',
    plan: getText(body, 'plan'),
    credits: getText(body, 'credits'),
  };
}

/** Parses the document `/docs/<id>.json` of an operation. */
export function parseOperation(body: unknown): OperationDetails {
  const command = getValue(body, 'command');
  const words = getList(command, 'words').filter((word) => typeof word === 'string');
  return {
    ...parseOperationSummary(body),
    clientName: getText(body, 'client_name'),
    yields: RESULT_KINDS.find((one) => one === getText(body, 'yields')) ?? 'value',
    command: words.length === 0 ? null : { words, positional: getText(command, 'positional') || null },
    example: getRecord(body, 'example'),
    input: getRecord(body, 'input'),
  };
}

/** Returns the heading under which an operation is listed. */
export function getOperationGroup({ id, site, isWork, isForOperators }: OperationSummary): string {
  if (isForOperators) return 'Operators';
  if (site !== null) return site;
  if (isWork) return 'Pages and searches';
  const [tag = id, part = ''] = id.split('.');
  if (part === 'monitors') return `Monitors of ${tag}`;
  return GROUP_NAMES.get(tag) ?? tag.slice(0, 1).toUpperCase() + tag.slice(1);
}

/** Headings by the first word of an id, if it is not the capitalized word itself. */
const GROUP_NAMES: ReadonlyMap<string, string> = new Map([
  ['deliveries', 'Webhooks'],
  ['artifact', 'Jobs'],
  ['schedule', 'Monitors'],
  ['usage', 'Account'],
  ['requests', 'Account'],
  ['capabilities', 'Account'],
]);

/** Stop words, which are ignored by the search. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and for from get give how in is me of on or show the to what with'.split(' '),
);

/** Finds operations by search words, best match first. Returns all operations if there are no words. */
export function searchOperations(operations: readonly OperationSummary[], words: string): readonly OperationSummary[] {
  const wanted = splitTerms(words).filter((term) => !STOP_WORDS.has(term));
  if (wanted.length === 0) return operations;
  const scored = operations.map((operation) => ({ operation, score: computeScore(operation, wanted) }));
  const best = Math.max(...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score > 0 && score >= best / 2)
    .toSorted((one, other) => other.score - one.score)
    .map(({ operation }) => operation);
}

function computeScore({ id, summary, path }: OperationSummary, wanted: readonly string[]): number {
  const [names, about] = [splitTerms(`${id} ${path}`), splitTerms(summary)];
  const found = wanted.map((term) => (hasTerm(names, term) ? 3 : hasTerm(about, term) ? 2 : 0));
  return found.reduce((sum: number, score) => sum + score, 0);
}

/** Whether a term begins with the stem of a word, so that `hotels` finds `hotel` and `rev` finds `reviews`. */
function hasTerm(terms: readonly string[], wanted: string): boolean {
  const stem = wanted.length > 4 ? wanted.replace(/(?:ies|es|s|ing|ed)$/, '') : wanted;
  return terms.some((term) => term.startsWith(stem));
}

function splitTerms(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
