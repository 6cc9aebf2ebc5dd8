import { ActionFailed, type Brought, type Target } from '#access/interact/actions.ts';
import type { ShownPage } from '#access/interact/session.ts';
import type { Extract } from '#extract/grammar.ts';
import type { Output, PageReading } from '#extract/reading.ts';
import { jsonBytes, PAGE_BYTES } from '#extract/json/size.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import { type ActingParts, performAction } from './acting.ts';
import type { Act, Branch, ScriptAction } from './script.ts';
import type { Secrets } from './secrets.ts';
import { type InteractStep, type StepKind, StepLog, type StepLogParts } from './step-log.ts';

/** The result of a script. */
export type ScriptEnd = {
  readonly steps: readonly InteractStep[];
  readonly failedStep: number | null;
  /** The values of named actions, by their names; in order where a name was used again. */
  readonly extracted: Readonly<Record<string, unknown>>;
  /** What the readings of fields did not find. */
  readonly warnings: readonly Warning[];
};

export type ScriptParts = Omit<StepLogParts, 'secrets'> &
  Pick<ActingParts, 'leftMs'> & {
    readonly secrets: Secrets;
    readonly read: (
      look: ShownPage,
      what: { readonly output: Output; readonly extract: Extract | null },
    ) => Promise<PageReading>;
    /** The most actions. */
    readonly mostSteps: number;
  };

/** Bounds of one session: actions, repetitions of a list, and looks whether an element is there. */
export const MAX_STEPS = 200;
export const MAX_TIMES = 100;
const MAX_LOOKS = 1_000;
/** The size below which a value is counted by its upper bound. */
const EXACT_BYTES = 64 * 1024;

/** Ends a script early; the step that failed is in the list. */
class ScriptStopped extends Error {}

/** Does the actions of a script one after the other, until one that is not optional fails. */
export async function runScript(actions: readonly ScriptAction[], parts: ScriptParts): Promise<ScriptEnd> {
  return new ScriptRun(parts).run(actions);
}

/** One run of a script in a session. */
class ScriptRun {
  readonly #parts: ScriptParts;
  readonly #log: StepLog;
  readonly #named = new Map<string, unknown[]>();
  /** Bytes of all named values. */
  #valueBytes = 0;
  readonly #warnings: Warning[] = [];
  /** Looks whether an element is there. */
  #looks = 0;

  constructor(parts: ScriptParts) {
    this.#parts = parts;
    this.#log = new StepLog(parts);
  }

  async run(actions: readonly ScriptAction[]): Promise<ScriptEnd> {
    try {
      await this.#runAll(actions);
    } catch (error) {
      if (!(error instanceof ScriptStopped)) throw error;
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

  async #repeat(action: ActionOf<Branch, 'repeat'>): Promise<void> {
    const times = 'times' in action ? action.times : MAX_TIMES;
    for (let done = 0; done < times; done += 1) {
      if ('while' in action && !(await this.#sees(action.type, action.while))) return;
      await this.#runAll(action.actions);
    }
  }

  async #choose(action: ActionOf<Branch, 'if'>): Promise<void> {
    const { exists, missing } = action;
    const isSo =
      exists === undefined
        ? missing !== undefined && !(await this.#sees(action.type, missing))
        : await this.#sees(action.type, exists);
    await this.#runAll(isSo ? action.then : (action.else ?? []));
  }

  /** Does an action as a step. A used-up bound fails at an optional action too, or the script would skip through the rest. */
  async #perform(action: Act): Promise<void> {
    const why = this.#usedUp();
    if (why === null) await this.#runStep(action, async () => this.#bring(action));
    else await this.#runStep({ type: action.type, optional: false }, async () => Promise.reject(why));
  }

  #usedUp(): Error | null {
    const { mostSteps, leftMs } = this.#parts;
    if (this.#log.steps.length >= mostSteps) return new ActionFailed(`this session does at most ${mostSteps} actions`);
    return leftMs() <= 0 ? new ServiceError('timeout', 'timeout_ms is used up') : null;
  }

  /** Whether an element is there; a look is no step, unless it fails. */
  async #sees(type: Branch['type'], target: Target): Promise<boolean> {
    this.#looks += 1;
    try {
      if (this.#looks > MAX_LOOKS)
        throw new ActionFailed(`a session looks at most ${MAX_LOOKS} times whether something is there`);
      return await this.#parts.session.has(target);
    } catch (error) {
      await this.#runStep({ type, optional: false }, async () => Promise.reject(error));
      return false;
    }
  }

  async #runStep(kind: StepKind, work: () => Promise<void>): Promise<void> {
    if ((await this.#log.run(kind, work)).status === 'failed') throw new ScriptStopped();
  }

  async #bring(action: Act): Promise<void> {
    if (action.type === 'extract' || action.type === 'content') return this.#read(action);
    const brought = await performAction(this.#parts, action, action.timeout_ms);
    if ('name' in action && action.type !== 'upload') this.#put(action.name, await this.#toValue(brought));
    return undefined;
  }

  async #read(action: ActionOf<Act, 'extract' | 'content'>): Promise<void> {
    const { session, leftMs, read } = this.#parts;
    const isFields = action.type === 'extract';
    const output = isFields ? 'json' : action.output;
    const reading = await read(await session.look(leftMs()), { output, extract: isFields ? action.fields : null });
    for (const { code, message } of warningsOfFields(reading.warnings)) {
      const warning = { code, message: `${action.name}: ${message}` };
      // A loop reads the same fields again and again.
      if (!this.#warnings.some((said) => said.message === warning.message)) this.#warnings.push(warning);
    }
    this.#put(action.name, output === 'metadata' ? reading.metadata : reading.outputs[output]);
  }

  async #toValue(brought: Brought): Promise<unknown> {
    if (brought.kind === 'nothing') return null;
    return brought.kind === 'value' ? brought.value : this.#parts.keep(brought.file);
  }

  #put(name: string, value: unknown): void {
    this.#valueBytes += jsonBytes(value, EXACT_BYTES);
    if (this.#valueBytes > PAGE_BYTES)
      throw new ActionFailed(
        `a session brings ${PAGE_BYTES / 2 ** 20} MiB at most: ask for less, or in several sessions`,
      );
    this.#named.set(name, [...(this.#named.get(name) ?? []), value]);
  }
}

type ActionOf<T, K> = T extends { readonly type: infer Type } ? (Type extends K ? T : never) : never;

/** The warnings of a reading about the fields that were asked for. */
export function warningsOfFields(warnings: readonly Warning[]): readonly Warning[] {
  return warnings.filter(({ code }) => code === 'fields_not_found' || code === 'sources_disagree');
}
