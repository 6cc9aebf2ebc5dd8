import type { Complete, LanguageModel, Tokens } from '#llm/complete.ts';
import type { Account, Billing } from '#engine/credits/billing.ts';

/** What a piece of work may ask of the operator's model, within its own time and credits. */
export type ModelSession = LanguageModel & {
  /** The end of the work. */
  readonly signal: AbortSignal;
  /**
   * Sets `credits` aside, all that the call will cost with what the model is to make; false where the call's own
   * `max_credits` forbids it. Throws as a reservation does.
   */
  readonly afford: (credits: number) => Promise<boolean>;
  /** A word that nobody who wrote a page can have guessed, for each question another. */
  readonly newMark: () => string;
};

export type ModelSessionParts = {
  readonly model: LanguageModel;
  readonly billing: Pick<Billing, 'raise'>;
  readonly account: Account;
  /** The call's ceiling, null for none. */
  readonly maxCredits: number | null;
  readonly signal: AbortSignal;
  readonly newMark: () => string;
  /** Told of what each answer came to. */
  readonly count: (tokens: Tokens) => void;
};

/** Opens the model to one call. */
export function openModelSession({
  model,
  billing,
  account,
  maxCredits,
  signal,
  newMark,
  count,
}: ModelSessionParts): ModelSession {
  const complete: Complete = async (question, own) => {
    const answer = await model.complete(question, AbortSignal.any([signal, own]));
    count(answer.tokens);
    return answer;
  };
  return {
    contextTokens: model.contextTokens,
    complete,
    signal,
    newMark,
    async afford(credits) {
      if (maxCredits !== null && credits > maxCredits) return false;
      await billing.raise(account, credits);
      return true;
    },
  };
}
