import type { Complete, LanguageModel, SharedModel, Tokens } from '#llm/complete.ts';
import { type Account, type Billing, toParty } from '#engine/credits/billing.ts';

/** The operator's model for one piece of work, within its time and credits. */
export type ModelSession = LanguageModel & {
  /** The end of the work. */
  readonly signal: AbortSignal;
  /**
   * Reserves `credits`, the whole cost of the call with the outputs of the model; false where the call's own
   * `max_credits` forbids it. Throws as a reservation does.
   */
  readonly tryReserve: (credits: number) => Promise<boolean>;
  /** A random word for each question, which no page can contain on purpose. */
  readonly newMark: () => string;
};

export type ModelSessionParts = {
  readonly model: SharedModel;
  readonly billing: Pick<Billing, 'raise'>;
  readonly account: Account;
  /** The call's ceiling, null for none. */
  readonly maxCredits: number | null;
  readonly signal: AbortSignal;
  readonly createNonce: () => string;
  /** Receives the tokens of each answer. */
  readonly countTokens: (tokens: Tokens) => void;
};

/** Opens the model to one call. */
export function openModelSession({
  model,
  billing,
  account,
  maxCredits,
  signal,
  createNonce,
  countTokens,
}: ModelSessionParts): ModelSession {
  const complete: Complete = async (question, own) => {
    const either = AbortSignal.any([signal, own]);
    const leave = await model.turns.take(toParty(account), either);
    const answer = await model.complete(question, either).finally(leave);
    countTokens(answer.tokens);
    return answer;
  };
  return {
    contextTokens: model.contextTokens,
    complete,
    signal,
    newMark: createNonce,
    async tryReserve(credits) {
      if (maxCredits !== null && credits > maxCredits) return false;
      await billing.raise(account, credits);
      return true;
    },
  };
}
