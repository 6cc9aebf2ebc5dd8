import { z } from 'zod';
import { type Account, type Billing, toParty } from '#engine/credits/billing.ts';
import { fillSchema, formatUnmet } from '#extract/fields/fill-schema.ts';
import type { Extract } from '#extract/grammar.ts';
import type { ModelPassage } from '#extract/reading.ts';
import { nameSchema } from '#extract/schema/names.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { formatNameList } from '#extract/warnings.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import { addTokens, type Complete, type LanguageModel, type SharedModel, type Tokens } from '#llm/complete.ts';
import { fillMissingFields } from '#llm/filling.ts';
import { requestAnswer, requestSummary } from '#llm/page-questions.ts';

const CHARS_PER_TOKEN = 4;

const MODEL_OUTPUTS = ['json', 'summary', 'answer'] as const;

/** Response fields that a language model contributed to. */
export const MODEL_FIELDS = {
  summary: z.string().optional().describe('Summary of the page in a few sentences; empty if the model declined'),
  answer: z
    .string()
    .nullable()
    .optional()
    .describe('Answer of the model to passages.query; null if there is no model, or it finds no answer'),
  model: nameSchema(
    'ModelUse',
    z.object({
      outputs: z.array(z.enum(MODEL_OUTPUTS)).readonly().describe('Outputs that the model made; each is charged'),
      members: z.array(z.string()).readonly().describe('Fields of json that the model filled instead of the page'),
      input_tokens: z.int(),
      output_tokens: z.int(),
    }),
  )
    .optional()
    .describe('What the model contributed, if it was used'),
} as const;

/** The outputs of a page that a model may make. */
export type ModelRequest = {
  readonly summary: boolean;
  readonly extract: Extract | null;
  /** A question to answer from passages of the page; null for none. */
  readonly question: string | null;
};

/** How many characters of a page the model may read; null if it is not needed. */
export function computePassageChars(modelSession: ModelSession | null, wishes: ModelRequest): number | null {
  const isNeeded = wishes.summary || wishes.question !== null || wishes.extract?.schema !== undefined;
  if (modelSession === null || !isNeeded) return null;
  return modelSession.contextTokens * CHARS_PER_TOKEN;
}

/** A parsed page, as input for the model. */
export type ModelPage = ModelRequest & {
  readonly url: string;
  readonly title: string | null;
  readonly passage: ModelPassage;
  /** The passages that answer the question; without any the model is not asked. */
  readonly passages: readonly string[];
  /** The fields of the requested object that were found on the page. */
  readonly json: JsonObject;
  /** Reserves the price of a filled object and returns null, or returns why it cannot; the text continues a warning. */
  readonly tryReserve: () => Promise<string | null>;
};

type ModelMembers = Readonly<Partial<z.input<z.ZodObject<typeof MODEL_FIELDS>>>> & {
  readonly json?: JsonObject;
};

/** What the model made for one page. */
export type ModelOutputs = {
  /** Fields of the response. */
  readonly members: ModelMembers;
  readonly warnings: readonly Warning[];
  /** The number of outputs that are charged. */
  readonly count: number;
};

type ModelPart = Omit<ModelOutputs, 'count'> & {
  readonly output: (typeof MODEL_OUTPUTS)[number];
  /** The paths that the model filled; null if nothing is charged. */
  readonly made: readonly string[] | null;
  readonly tokens: Tokens;
};

const NO_TOKENS: Tokens = { input: 0, output: 0 };
const REFUSED = 'model_refused' as const;

/**
 * Asks the model for a summary, an answer, and fields that the page lacks. Throws `extraction_failed` if a required field stays
 * empty, and the errors of `Complete`.
 */
export async function askModel(
  modelSession: ModelSession,
  page: ModelPage,
  signal: AbortSignal,
): Promise<ModelOutputs> {
  const { passage, extract, summary, question, passages } = page;
  const makings: Promise<ModelPart>[] = [];
  if (extract?.schema !== undefined && passage.missing.length + passage.unmet.length > 0) {
    const obstacle = await page.tryReserve();
    makings.push(obstacle === null ? fillMembers(modelSession, page, signal) : skipMembers(passage, obstacle));
  }
  if (summary) makings.push(summarizePage(modelSession, page, signal));
  if (question !== null && passages.length > 0)
    makings.push(answerQuestion(modelSession, { ...page, question }, signal));
  const parts = await Promise.all(makings);
  const tokens = parts.reduce((all, part) => addTokens(all, part.tokens), NO_TOKENS);
  const members: ModelMembers = Object.assign({}, ...parts.map((part) => part.members));
  const outputs = parts.flatMap(({ made, output }) => (made === null ? [] : [output]));
  const model = {
    outputs,
    members: parts.flatMap(({ made }) => made ?? []),
    input_tokens: tokens.input,
    output_tokens: tokens.output,
  };
  return {
    members: tokens.input + tokens.output === 0 ? members : { ...members, model },
    warnings: parts.flatMap((part) => part.warnings),
    count: outputs.length,
  };
}

async function summarizePage(
  modelSession: ModelSession,
  { url, title, passage }: ModelPage,
  signal: AbortSignal,
): Promise<ModelPart> {
  const { text, tokens } = await requestSummary(
    modelSession,
    { url, title, text: passage.kept, mark: modelSession.createNonce() },
    signal,
  );
  if (text !== null) return { output: 'summary', members: { summary: text }, warnings: [], made: [], tokens };
  const warnings = [{ code: REFUSED, message: 'summary: the model declined to summarise the page' }];
  return { output: 'summary', members: { summary: '' }, warnings, made: null, tokens };
}

async function answerQuestion(
  modelSession: ModelSession,
  { url, title, passages, question }: ModelPage & { readonly question: string },
  signal: AbortSignal,
): Promise<ModelPart> {
  const source = { url, title, text: passages.join('\n'), mark: modelSession.createNonce() };
  const { text, tokens } = await requestAnswer(modelSession, { ...source, question }, signal);
  if (text !== null) return { output: 'answer', members: { answer: text }, warnings: [], made: [], tokens };
  const warnings = [{ code: REFUSED, message: 'answer: the model finds no answer in the passages' }];
  return { output: 'answer', members: { answer: null }, warnings, made: null, tokens };
}

/** Fills missing fields with the model. Fields from the page are kept, and the result must match the schema. */
async function fillMembers(modelSession: ModelSession, page: ModelPage, signal: AbortSignal): Promise<ModelPart> {
  const { url, title, json: known } = page;
  const { wide, missing, unmet } = page.passage;
  const schema = page.extract?.schema ?? {};
  const { answer, tokens } = await fillMissingFields(
    modelSession,
    {
      text: wide,
      url,
      title,
      mark: modelSession.createNonce(),
      schema,
      missing: [...new Set([...missing, ...unmet])],
      faultsOf: (given) =>
        fillSchema(schema, known, given).unmet.map((path) => `${path} is null, or not as the schema says`),
    },
    signal,
  );
  const completed = answer === null ? null : fillSchema(schema, known, answer);
  const lacking = completed?.unmet ?? unmet;
  if (lacking.length > 0) throw new ServiceError('extraction_failed', formatUnmet(lacking));
  const declined = { code: REFUSED, message: `the model returned no object: ${missing.join(', ')}` };
  return {
    output: 'json',
    members: { json: completed?.json ?? known },
    warnings: completed === null ? [declined] : warnMissing(completed.missing),
    made: completed === null || completed.filled.length === 0 ? null : completed.filled,
    tokens,
  };
}

/** Warns about fields that neither the page nor the model provided. */
export function warnMissing(paths: readonly string[]): readonly Warning[] {
  if (paths.length === 0) return [];
  const message = `not found on the page or by the model: ${formatNameList([...new Set(paths)])}`;
  return [{ code: 'fields_not_found', message }];
}

/** Leaves fields missing if the model cannot be paid. */
async function skipMembers({ missing, unmet }: ModelPassage, obstacle: string): Promise<ModelPart> {
  if (unmet.length > 0) throw new ServiceError('extraction_failed', formatUnmet(unmet));
  const message = `a model might find ${missing.join(', ')}, ${obstacle}`;
  const warnings = [{ code: 'partial_ladder' as const, message }];
  return { output: 'json', members: {}, warnings, made: null, tokens: NO_TOKENS };
}

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

type ModelSessionParts = {
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
