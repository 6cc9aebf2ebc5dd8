import { ActionFailed } from '#access/interact/actions.ts';
import type { Brought, Target } from '#access/interact/actions.ts';
import type { ShownPage } from '#access/interact/session.ts';
import type { Extract } from '#extract/grammar.ts';
import type { Output, PageReading } from '#extract/reading.ts';
import { jsonBytes, PAGE_BYTES } from '#kernel/answer-size.ts';
import { ServiceError } from '#kernel/errors.ts';
import { performAction } from './acting.ts';
import type { ActingParts } from './acting.ts';
import type { Act, Branch, ScriptAction } from './script.ts';
import type { Secrets } from './secrets.ts';
import { openStepLog } from './step-log.ts';
import type { InteractStep, StepKind, StepLogParts } from './step-log.ts';

/** What a script came to. */
export type ScriptEnd = {
  readonly steps: readonly InteractStep[];
  readonly failedStep: number | null;
  /** What named actions brought, by their names; in order where a name was used again. */
  readonly extracted: Readonly<Record<string, unknown>>;
};

export type ScriptParts = Omit<StepLogParts, 'secrets'> &
  Pick<ActingParts, 'leftMs'> & {
    readonly secrets: Secrets;
    readonly read: (
      look: ShownPage,
      what: { readonly output: Output; readonly extract: Extract | null },
    ) => Promise<PageReading>;
    /** Actions that are done at most. */
    readonly mostSteps: number;
  };

/** Actions of one session; a script that only looks is bounded too. */
export const MOST_STEPS = 200;
export const MOST_TIMES = 100;
const MOST_LOOKS = 1_000;
/** What is surely smaller is counted as if it were as large as it could be. */
const EXACT_BYTES = 64 * 1024;

/** What stands in the way of going on; the step that says so is in the list. */
class Ended extends Error {}

/** Does the actions of a script one after the other, until one that is not optional fails. */
export async function runScript(actions: readonly ScriptAction[], parts: ScriptParts): Promise<ScriptEnd> {
  const { session, leftMs, keep, mostSteps } = parts;
  const log = openStepLog(parts);
  const { steps } = log;
  const named = new Map<string, unknown[]>();
  let looks = 0;
  let broughtBytes = 0;

  function put(name: string, value: unknown): void {
    broughtBytes += jsonBytes(value, EXACT_BYTES);
    if (broughtBytes > PAGE_BYTES)
      throw new ActionFailed(
        `a session brings ${PAGE_BYTES / 2 ** 20} MiB at most: ask for less, or in several sessions`,
      );
    named.set(name, [...(named.get(name) ?? []), value]);
  }

  async function runAll(list: readonly ScriptAction[]): Promise<void> {
    for (const action of list) {
      if (action.type === 'repeat') await repeat(action);
      else if (action.type === 'if') await choose(action);
      else await perform(action);
    }
  }

  /** What is used up ends the session, at an optional action too: otherwise a script would skip on for as long as it is. */
  async function perform(action: Act): Promise<void> {
    const why = usedUp();
    if (why === null) await runStep(action, async () => bring(action));
    else await runStep({ type: action.type, optional: false }, async () => Promise.reject(why));
  }

  function usedUp(): Error | null {
    if (steps.length >= mostSteps) return new ActionFailed(`this session does at most ${mostSteps} actions`);
    return leftMs() <= 0 ? new ServiceError('timeout', 'timeout_ms is used up') : null;
  }

  async function repeat(action: Extract_<Branch, 'repeat'>): Promise<void> {
    const times = 'times' in action ? action.times : MOST_TIMES;
    for (let done = 0; done < times; done += 1) {
      if ('while' in action && !(await sees(action.type, action.while))) return;
      await runAll(action.actions);
    }
  }

  async function choose(action: Extract_<Branch, 'if'>): Promise<void> {
    const { exists, missing } = action;
    const isSo =
      exists === undefined
        ? missing !== undefined && !(await sees(action.type, missing))
        : await sees(action.type, exists);
    await runAll(isSo ? action.then : (action.else ?? []));
  }

  /** A look is no step, unless it fails. */
  async function sees(type: Branch['type'], target: Target): Promise<boolean> {
    looks += 1;
    try {
      if (looks > MOST_LOOKS)
        throw new ActionFailed(`a session looks at most ${MOST_LOOKS} times whether something is there`);
      return await session.has(target);
    } catch (error) {
      const failed = async (): Promise<never> => Promise.reject(error);
      await runStep({ type, optional: false }, failed);
      return false;
    }
  }

  async function runStep(kind: StepKind, work: () => Promise<void>): Promise<void> {
    if ((await log.run(kind, work)).status === 'failed') throw new Ended();
  }

  async function bring(action: Act): Promise<void> {
    if (action.type === 'extract' || action.type === 'content') return readNow(action);
    const brought = await performAction(parts, action, action.timeout_ms);
    if ('name' in action && action.type !== 'upload') put(action.name, await toValue(brought));
  }

  async function readNow(action: Extract_<Act, 'extract' | 'content'>): Promise<void> {
    const isFields = action.type === 'extract';
    const output = isFields ? 'json' : action.output;
    const reading = await parts.read(await session.look(leftMs()), {
      output,
      extract: isFields ? action.fields : null,
    });
    put(action.name, output === 'metadata' ? reading.metadata : reading.outputs[output]);
  }

  async function toValue(brought: Brought): Promise<unknown> {
    if (brought.kind === 'nothing') return null;
    return brought.kind === 'value' ? brought.value : keep(brought.file);
  }

  try {
    await runAll(actions);
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
  }
  await log.finish();
  const last = steps.at(-1);
  return {
    steps,
    failedStep: last?.status === 'failed' ? last.index : null,
    extracted: Object.fromEntries([...named].map(([name, values]) => [name, values.length === 1 ? values[0] : values])),
  };
}

type Extract_<T, K> = T extends { readonly type: infer Type } ? (Type extends K ? T : never) : never;
