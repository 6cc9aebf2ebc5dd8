import { z } from 'zod';
import { ActionFailed } from '#access/interact/actions.ts';
import type { Brought, Target } from '#access/interact/actions.ts';
import type { Look, Session } from '#access/interact/session.ts';
import { ArtifactMember } from '#engine/artifacts.ts';
import type { Note, WorkContext } from '#engine/operation.ts';
import type { Extract } from '#extract/grammar.ts';
import type { Output, Reading } from '#extract/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Act, Branch, ScriptAction } from './script.ts';
import type { Secrets } from './secrets.ts';

/** One action that was done, as answers show it. */
export const Step = z.object({
  index: z.int(),
  type: z.string(),
  status: z.enum(['ok', 'failed', 'skipped']).describe('skipped: it failed, and was optional'),
  duration_ms: z.int(),
  url: z.string().describe('Where the page was after it'),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  screenshot: ArtifactMember.optional().describe('What the window showed when it failed'),
});

export type Step = z.output<typeof Step>;

/** What a script came to. */
export type ScriptEnd = {
  readonly steps: readonly Step[];
  readonly failedStep: number | null;
  /** What named actions brought, by their names; in order where a name was used again. */
  readonly extracted: Readonly<Record<string, unknown>>;
};

export type ScriptParts = {
  readonly session: Session;
  readonly secrets: Secrets;
  /** The time that is left for actions, ms. */
  readonly leftMs: () => number;
  readonly read: (look: Look, what: { readonly output: Output; readonly extract: Extract | null }) => Promise<Reading>;
  readonly keep: WorkContext['keep'];
  readonly note: Note | null;
  /** Actions that are done at most. */
  readonly mostSteps: number;
};

/** Actions of one session; a script that only looks is bounded too. */
export const MOST_STEPS = 200;
export const MOST_TIMES = 100;
const MOST_LOOKS = 1_000;

/** What stands in the way of going on; the step that says so is in the list. */
class Ended extends Error {}

/** Does the actions of a script one after the other, until one that is not optional fails. */
export async function runScript(actions: readonly ScriptAction[], parts: ScriptParts): Promise<ScriptEnd> {
  const { session, secrets, leftMs, keep, note, mostSteps } = parts;
  const steps: Step[] = [];
  const named = new Map<string, unknown[]>();
  let looks = 0;
  let noted = 0;

  function put(name: string, value: unknown): void {
    named.set(name, [...(named.get(name) ?? []), value]);
  }

  async function runAll(list: readonly ScriptAction[]): Promise<void> {
    for (const action of list) {
      if (action.type === 'repeat') await repeat(action);
      else if (action.type === 'if') await choose(action);
      else await runStep(action, async () => bring(action));
    }
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

  /** Each step is told of when the next one begins, and that it begins before it does. */
  async function tell(begun: number): Promise<void> {
    const more = steps.slice(noted);
    noted = steps.length;
    await note?.(more, countsOf(steps, begun));
  }

  async function runStep(
    { type, optional }: { readonly type: string; readonly optional: boolean },
    work: () => Promise<void>,
  ): Promise<void> {
    const index = steps.length;
    const began = performance.now();
    await tell(index + 1);
    const failure = await work().then(
      () => null,
      (error: unknown) => toStepError(error, session.signal),
    );
    const duration = Math.round(performance.now() - began);
    const shot = failure === null || optional ? null : await session.shoot();
    const step: Step = {
      index,
      type,
      status: failure === null ? 'ok' : optional ? 'skipped' : 'failed',
      duration_ms: duration,
      url: secrets.mask(session.url()),
      ...(failure === null ? {} : { error: { ...failure, message: secrets.mask(failure.message) } }),
      ...(shot === null ? {} : { screenshot: await keep(shot) }),
    };
    steps.push(step);
    if (step.status === 'failed') throw new Ended();
  }

  async function bring(action: Act): Promise<void> {
    if (steps.length >= mostSteps) throw new ActionFailed(`this session does at most ${mostSteps} actions`);
    const left = leftMs();
    if (left <= 0) throw new ServiceError('timeout', 'timeout_ms is used up');
    if (action.type === 'extract' || action.type === 'content') return readNow(action);
    const ms = action.type === 'wait' && 'ms' in action ? action.ms : action.timeout_ms;
    const filled = action.type === 'type' ? { ...action, text: secrets.fill(action.text) } : action;
    const brought = await session.act(filled, Math.min(ms, left));
    if ('name' in action && action.type !== 'upload') put(action.name, await toValue(brought));
  }

  async function readNow(action: Extract_<Act, 'extract' | 'content'>): Promise<void> {
    const isFields = action.type === 'extract';
    const output = isFields ? 'json' : action.output;
    const reading = await parts.read(await session.look(), { output, extract: isFields ? action.fields : null });
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
  await tell(steps.length);
  const last = steps.at(-1);
  return {
    steps,
    failedStep: last?.status === 'failed' ? last.index : null,
    extracted: Object.fromEntries([...named].map(([name, values]) => [name, values.length === 1 ? values[0] : values])),
  };
}

type Extract_<T, K> = T extends { readonly type: infer Type } ? (Type extends K ? T : never) : never;

function countsOf(steps: readonly Step[], begun: number) {
  const failed = steps.filter(({ status }) => status !== 'ok').length;
  return { begun, completed: steps.length - failed, failed };
}

/** What a step tells of its failure; what ends the session, and mistakes of ours, pass through. */
function toStepError(error: unknown, signal: AbortSignal): { readonly code: string; readonly message: string } {
  signal.throwIfAborted();
  if (error instanceof ActionFailed) return { code: 'action_failed', message: error.message };
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  throw error;
}
