import { z } from 'zod';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { JobInput } from '#engine/jobs/job-record.ts';
import type { Baseline } from '#features/monitors/compare/baseline.ts';
import type { MonitorKind } from '#features/monitors/presets/preset.ts';

/** A monitor as its tenant defined it, checked against its target and the plan. */
export type MonitorDefinition = {
  readonly kind: MonitorKind;
  readonly name: string;
  /** The operation that each run performs. */
  readonly operation: { readonly id: string; readonly isLongRunning?: boolean };
  /** The input of that operation. */
  readonly input: JobInput;
  /** The fields that define the target as the caller wrote them. A later change is merged into them. */
  readonly body: JobInput;
  /** As the caller wrote it. */
  readonly watch: JobInput;
  readonly metadata: JobInput;
  /** Null for a monitor that only runs when triggered. */
  readonly cron: string | null;
  readonly timezone: string;
  readonly active: boolean;
  /** When the monitor expires and is switched off, ms; null for never. */
  readonly expiresAt: number | null;
  /** The sites of its channels, for filters of lists. */
  readonly providers: readonly string[];
  /** Credits that a run costs at least. */
  readonly cheapest: number;
};

/** The target of runs. Another target starts a new baseline. */
export type RunTarget = { readonly operation: string; readonly input: JobInput };

const Body = z.record(z.string(), z.unknown());

/** Opens a sealed body or input. */
export function unsealBody(sealer: Sealer, sealed: string): JobInput {
  return Body.parse(JSON.parse(sealer.open(sealed)));
}

/** Seals a body and an input with additional members. */
export function sealWithMembers(
  sealer: Sealer,
  { body, input }: Pick<MonitorDefinition, 'body' | 'input'>,
  members: JobInput,
): readonly [body: string, input: string] {
  const seal = (value: JobInput): string => sealer.seal(JSON.stringify({ ...value, ...members }));
  return [seal(body), seal(input)];
}

/** Whether two targets are the same operation with equal input. */
export function isSameTarget(one: RunTarget, other: RunTarget): boolean {
  return one.operation === other.operation && isEqual(one.input, other.input);
}

/**
 * Keeps the part of a baseline that is still valid after a change of the target: on the same page, the fields that are
 * extracted as before. Null if nothing is.
 */
export function keepMatchingBaseline(baseline: Baseline, from: RunTarget, to: RunTarget): Baseline | null {
  const { extract: before, ...page } = from.input;
  const { extract: after, ...nextPage } = to.input;
  if (from.operation !== to.operation || !isEqual(page, nextPage)) return null;
  const [known, wanted] = [getFields(before), getFields(after)];
  if (known === null || wanted === null) return null;
  const retained = Object.entries(baseline.fields).filter(([name]) => {
    const root = name.split('.')[0] ?? name;
    return Object.hasOwn(wanted, root) && isEqual(known[root], wanted[root]);
  });
  return retained.length === 0 ? null : { ...baseline, fields: Object.fromEntries(retained) };
}

/** Gets the fields of an `extract`; null if it has a schema. */
function getFields(extract: unknown): JobInput | null {
  if (!isJsonObject(extract) || extract['schema'] !== undefined || isJsonObject(extract['properties'])) return null;
  return isJsonObject(extract['fields']) ? extract['fields'] : extract;
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortMembers(one)) === JSON.stringify(sortMembers(other));
}

/** Sorts the members of JSON. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sortMembers(value[name])]));
}
