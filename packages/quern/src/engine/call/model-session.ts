import type { Complete, LanguageModel, SharedModel, Tokens } from '#llm/complete.ts';
import { type Account, type Billing, toParty } from '#engine/credits/billing.ts';

/** The language model for one call, within its time and credits. */
export type ModelSession = LanguageModel & {
  /** The end of the work. */
  readonly signal: AbortSignal;
  /**
   * Raises the reservation of the call to `credits`. Returns false if `max_credits` of the call is lower. Throws if the
   * balance is too low.
   */
  readonly tryReserve: (credits: number) => Promise<boolean>;
  /** Returns a random word for a prompt, which no page can guess. */
  readonly createNonce: () => string;
};

export type ModelSessionParts = {
  readonly model: SharedModel;
  readonly billing: Pick<Billing, 'raise'>;
  readonly account: Account;
  /** The call's ceiling, null for none. */
  readonly maxCredits: number | null;
  readonly signal: AbortSignal;
  readonly createNonce: () => string;
  /** Receives the tokens of each completion. */
  readonly countTokens: (tokens: Tokens) => void;
};

/** Opens the language model for one call. */
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
    const leave = await model.turns.acquire(toParty(account), either);
    const answer = await model.complete(question, either).finally(leave);
    countTokens(answer.tokens);
    return answer;
  };
  return {
    contextTokens: model.contextTokens,
    complete,
    signal,
    createNonce: createNonce,
    async tryReserve(credits) {
      if (maxCredits !== null && credits > maxCredits) return false;
      await billing.raise(account, credits);
      return true;
    },
  };
}
