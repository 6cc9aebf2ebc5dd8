import { ActionFailed, type ActionResult, type PageAction, type Target } from '#access/interact/actions.ts';
import type { InteractSession, ShownPage } from '#access/interact/session.ts';
import type { Extract } from '#extract/grammar.ts';
import { measureJsonBytes, MAX_PAGE_BYTES } from '#extract/json/size.ts';
import type { Output, PageReading } from '#extract/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { Secrets } from './secrets.ts';
import { type InteractStep, type StepKind, StepLog, type StepLogParts } from './step-log.ts';

export type ActionParts = {
  readonly session: Pick<InteractSession, 'act'>;
  readonly secrets: Pick<Secrets, 'fill'>;
  /** Remaining time for actions, in ms. */
  readonly leftMs: () => number;
};

/** Runs one action with `maxMs` as its time limit (longer if it waits longer), but within the remaining time. Variables in typed text are filled in. */
export async function performAction(
  { session, secrets, leftMs }: ActionParts,
  action: PageAction,
  maxMs: number,
): Promise<ActionResult> {
  const ms = action.type === 'wait' && 'ms' in action ? Math.max(action.ms, maxMs) : maxMs;
  const filled = action.type === 'type' ? { ...action, text: secrets.fill(action.text) } : action;
  return session.act(filled, Math.max(1, Math.min(ms, leftMs())));
}

/** Options that every action has. */
type ActionOptions = {
  /** Time limit in ms. */
  readonly timeout_ms: number;
  /** Whether the session continues if the action fails. */
  readonly optional: boolean;
};

type NamedAction = { readonly name: string };

/** An action that becomes one step of the response. */
type SingleAction = ActionOptions &
  (
    | Exclude<PageAction, { readonly type: 'screenshot' | 'pdf' | 'evaluate' }>
    | (NamedAction & PageActionOfType<PageAction, 'screenshot' | 'pdf' | 'evaluate'>)
    | (NamedAction & { readonly type: 'extract'; readonly fields: Extract })
    | (NamedAction & { readonly type: 'content'; readonly output: Output })
  );

type PageActionOfType<T, K> = T extends { readonly type: K } ? T : never;

/** A loop or a condition over actions. */
type ControlAction =
  | { readonly type: 'repeat'; readonly times: number; readonly actions: readonly ScriptAction[] }
  | { readonly type: 'repeat'; readonly while: Target; readonly actions: readonly ScriptAction[] }
  | {
      readonly type: 'if';
      readonly exists?: Target | undefined;
      readonly missing?: Target | undefined;
      readonly then: readonly ScriptAction[];
      readonly else?: readonly ScriptAction[] | undefined;
    };

/** An element of a script. */
export type ScriptAction = SingleAction | ControlAction;

/** The result of a script. */
export type ScriptResult = {
  readonly steps: readonly InteractStep[];
  readonly failedStep: number | null;
  /** Values of named actions by name; an array, in order, if a name was used several times. */
  readonly extracted: Readonly<Record<string, unknown>>;
  /** Warnings about fields that were not found. */
  readonly warnings: readonly Warning[];
};

export type ScriptParts = Omit<StepLogParts, 'secrets'> &
  Pick<ActionParts, 'leftMs'> & {
    readonly secrets: Secrets;
    readonly read: (
      look: ShownPage,
      what: { readonly output: Output; readonly extract: Extract | null },
    ) => Promise<PageReading>;
    /** Limit of actions. */
    readonly maxSteps: number;
  };

/** Limits of one session: actions, repetitions of a list, and checks whether an element exists. */
export const MAX_STEPS = 200;
export const MAX_REPEATS = 100;
const MAX_CHECKS = 1_000;
/** Below this size, an upper bound of the size of a value is used instead of the exact size. */
const EXACT_BYTES = 64 * 1024;

/** Ends a script early; the failed step is the last one in the log. */
class ScriptStop extends Error {}

/** Runs the actions of a script in order until one that is not optional fails. */
export async function runScript(actions: readonly ScriptAction[], parts: ScriptParts): Promise<ScriptResult> {
  return new ScriptRun(parts).run(actions);
}

/** One run of a script in a session. */
class ScriptRun {
  readonly #parts: ScriptParts;
  readonly #log: StepLog;
  readonly #named = new Map<string, unknown[]>();
  /** Total size of named values. */
  #valueBytes = 0;
  readonly #warnings: Warning[] = [];
  /** Number of checks whether an element exists. */
  #checks = 0;

  constructor(parts: ScriptParts) {
    this.#parts = parts;
    this.#log = new StepLog(parts);
  }

  async run(actions: readonly ScriptAction[]): Promise<ScriptResult> {
    try {
      await this.#runAll(actions);
    } catch (error) {
      if (!(error instanceof ScriptStop)) throw error;
    }
    await this.#log.finish();
    const { steps } = this.#log;
    const last = steps.at(-1);
    const extracted = [...this.#named].map(
      ([name, values]) => [name, values.length === 1 ? values[0] : values] as const,
    );
    return {
      steps,
      failedStep: last?.status === 'failed' ? last.index : null,
      extracted: Object.fromEntries(extracted),
      warnings: this.#warnings,
    };
  }

  async #runAll(list: readonly ScriptAction[]): Promise<void> {
    for (const action of list) {
      if (action.type === 'repeat') await this.#repeat(action);
      else if (action.type === 'if') await this.#choose(action);
      else await this.#perform(action);
    }
  }

  async #repeat(action: ActionOf<ControlAction, 'repeat'>): Promise<void> {
    const times = 'times' in action ? action.times : MAX_REPEATS;
    for (let done = 0; done < times; done += 1) {
      if ('while' in action && !(await this.#sees(action.type, action.while))) return;
      await this.#runAll(action.actions);
    }
  }

  async #choose(action: ActionOf<ControlAction, 'if'>): Promise<void> {
    const { exists, missing } = action;
    const isSo =
      exists === undefined
        ? missing !== undefined && !(await this.#sees(action.type, missing))
        : await this.#sees(action.type, exists);
    await this.#runAll(isSo ? action.then : (action.else ?? []));
  }

  /** Runs an action as a step. An exceeded limit also fails an optional action, otherwise the script would skip all others. */
  async #perform(action: SingleAction): Promise<void> {
    const problem = this.#checkLimits();
    if (problem === null) await this.#runStep(action, async () => this.#runAction(action));
    else await this.#runStep({ type: action.type, optional: false }, async () => Promise.reject(problem));
  }

  #checkLimits(): Error | null {
    const { maxSteps, leftMs } = this.#parts;
    if (this.#log.steps.length >= maxSteps) return new ActionFailed(`max_steps (${maxSteps}) reached`);
    return leftMs() <= 0 ? new ServiceError('timeout', 'timeout_ms has elapsed: increase it') : null;
  }

  /** Whether an element exists. A check becomes a step only if it fails. */
  async #sees(type: ControlAction['type'], target: Target): Promise<boolean> {
    this.#checks += 1;
    try {
      if (this.#checks > MAX_CHECKS)
        throw new ActionFailed(`a session can check at most ${MAX_CHECKS} times whether an element exists`);
      return await this.#parts.session.has(target);
    } catch (error) {
      await this.#runStep({ type, optional: false }, async () => Promise.reject(error));
      return false;
    }
  }

  async #runStep(kind: StepKind, work: () => Promise<void>): Promise<void> {
    if ((await this.#log.run(kind, work)).status === 'failed') throw new ScriptStop();
  }

  async #runAction(action: SingleAction): Promise<void> {
    if (action.type === 'extract' || action.type === 'content') return this.#read(action);
    const result = await performAction(this.#parts, action, action.timeout_ms);
    if ('name' in action && action.type !== 'upload') this.#put(action.name, await this.#toValue(result));
    return undefined;
  }

  async #read(action: ActionOf<SingleAction, 'extract' | 'content'>): Promise<void> {
    const { session, leftMs, read } = this.#parts;
    const isFields = action.type === 'extract';
    const output = isFields ? 'json' : action.output;
    const reading = await read(await session.look(leftMs()), { output, extract: isFields ? action.fields : null });
    for (const { code, message } of filterFieldWarnings(reading.warnings)) {
      const warning = { code, message: `${action.name}: ${message}` };
      // Report each warning once, because a loop reads the same fields many times.
      if (!this.#warnings.some((said) => said.message === warning.message)) this.#warnings.push(warning);
    }
    this.#put(action.name, output === 'metadata' ? reading.metadata : reading.outputs[output]);
  }

  async #toValue(result: ActionResult): Promise<unknown> {
    if (result.kind === 'nothing') return null;
    return result.kind === 'value' ? result.value : this.#parts.keep(result.file);
  }

  #put(name: string, value: unknown): void {
    this.#valueBytes += measureJsonBytes(value, EXACT_BYTES);
    if (this.#valueBytes > MAX_PAGE_BYTES)
      throw new ActionFailed(
        `the values of a session exceed ${MAX_PAGE_BYTES / 2 ** 20} MiB: extract less, or use several sessions`,
      );
    this.#named.set(name, [...(this.#named.get(name) ?? []), value]);
  }
}

type ActionOf<T, K> = T extends { readonly type: infer Type } ? (Type extends K ? T : never) : never;

/** The warnings that concern extracted fields. */
export function filterFieldWarnings(warnings: readonly Warning[]): readonly Warning[] {
  return warnings.filter(({ code }) => code === 'fields_not_found' || code === 'sources_disagree');
}
