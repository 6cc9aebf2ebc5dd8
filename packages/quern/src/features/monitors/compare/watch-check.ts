import { closest } from 'fastest-levenshtein';
import { chooseArrayRule } from './comparison.ts';
import type { FieldShape, FieldShapes } from './shapes.ts';
import { listWatchedFields } from './watched-field.ts';
import { isSingleThreshold, type Watch } from './watch.ts';

/** A problem of a watch, and the path of the field that causes it. */
export type WatchProblem = { readonly path: readonly string[]; readonly message: string };

type Problems = WatchProblem[];

const MAX_PROBLEMS = 5;

/** Checks a watch against the fields of its target. Returns its problems; empty if it is valid. */
export function checkWatch(watch: Watch, shapes: FieldShapes): readonly WatchProblem[] {
  const problems: Problems = [];
  if (watch.mode === 'content') return problems;
  if (shapes.size === 0) return [{ path: [], message: 'the target has no fields to compare: use mode content' }];
  for (const [index, name] of (watch.fields ?? []).entries()) {
    const isKnown = shapes.has(name) || [...shapes.keys()].some((known) => known.startsWith(`${name}.`));
    if (!isKnown) problems.push({ path: ['fields', String(index)], message: formatUnknownField(name, shapes.keys()) });
  }
  const watched = new Map(listWatchedFields(shapes, watch));
  checkThresholds(watch, watched, shapes, problems);
  for (const [name, rule] of Object.entries(watch.array_fields)) {
    checkArrayRule(name, rule, watched.get(name), { watched, problems });
  }
  return problems.slice(0, MAX_PROBLEMS);
}

function checkThresholds(watch: Watch, watched: FieldShapes, shapes: FieldShapes, problems: Problems): void {
  const { thresholds } = watch;
  if (thresholds === undefined) return;
  const kinds = listValueKinds(watched, watch);
  if (isSingleThreshold(thresholds)) {
    if (![...kinds.values()].some(isNumeric)) problems.push({ path: ['thresholds'], message: 'no number is watched' });
    return;
  }
  for (const name of Object.keys(thresholds)) {
    const kind = kinds.get(name);
    const note = (message: string): void => {
      problems.push({ path: ['thresholds', name.slice(0, 100)], message });
    };
    if (kind !== undefined && !isNumeric(kind)) note(`needs a number, and this is ${kind}`);
    if (kind !== undefined) continue;
    const array = [...watched].find(([field, shape]) => shape.kind === 'rows' && name.startsWith(`${field}.`))?.[0];
    if (array !== undefined && ![...kinds.keys()].some((known) => known.startsWith(`${array}.`))) {
      note(`needs array_fields.${array}.key, which identifies rows`);
    } else if (shapes.has(name)) note('is not among the watched fields');
    else note(formatUnknownField(name, kinds.keys()));
  }
}

/** Lists the kinds of all watched values, including those in keyed rows. */
function listValueKinds(shapes: FieldShapes, watch: Watch): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>();
  for (const [name, shape] of shapes) {
    if (shape.kind !== 'rows') {
      kinds.set(name, shape.kind);
      continue;
    }
    const { compare, members } = chooseArrayRule(name, shape, watch);
    if (compare !== 'keyed') continue;
    for (const [member, { kind }] of shape.members) {
      if (members === null || members.includes(member)) kinds.set(`${name}.${member}`, kind);
    }
  }
  return kinds;
}

function isNumeric(kind: string): boolean {
  return kind === 'number' || kind === 'money' || kind === 'any';
}

function checkArrayRule(
  name: string,
  rule: Watch['array_fields'][string],
  shape: FieldShape | undefined,
  { watched, problems }: { readonly watched: FieldShapes; readonly problems: Problems },
): void {
  const note = (member: string, message: string): void => {
    problems.push({ path: ['array_fields', name, ...(member === '' ? [] : [member])], message });
  };
  if (shape === undefined) return note('', formatUnknownField(name, watched.keys()));
  if (shape.kind !== 'rows' && shape.kind !== 'list') return note('', `needs an array, and this is ${shape.kind}`);
  const isOfRows = shape.kind === 'rows' || shape.item === 'any';
  const members = shape.kind === 'rows' ? shape.members : null;
  const key = rule.key ?? (shape.kind === 'rows' ? shape.key : null);
  if (rule.compare === 'keyed' && key === null) note('key', 'is required with compare: keyed');
  if (rule.key !== undefined && !isOfRows) note('key', 'requires an array of objects');
  if (rule.key !== undefined && rule.compare !== undefined && rule.compare !== 'keyed') {
    note('key', `is not allowed with compare: ${rule.compare}`);
  }
  if (rule.fields !== undefined && !isOfRows) note('fields', 'requires an array of objects');
  if (members === null) return;
  if (rule.key !== undefined && !members.has(rule.key)) note('key', formatUnknownField(rule.key, members.keys()));
  for (const field of rule.fields ?? [])
    if (!members.has(field)) note('fields', formatUnknownField(field, members.keys()));
}

function formatUnknownField(name: string, known: Iterable<string>): string {
  const names = [...known];
  if (names.length === 0) return 'unknown field';
  return `unknown field ${name.slice(0, 100)}; the nearest known name is ${closest(name.slice(0, 100), names)}`;
}
