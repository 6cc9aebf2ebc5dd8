import { z } from 'zod';
import { describeUnmet, fillSchema } from '#extract/fields/fill-schema.ts';
import type { Extract } from '#extract/grammar.ts';
import type { ModelPassage } from '#extract/reading.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { toNameList } from '#extract/warnings.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import { addTokens, type Tokens } from '#llm/complete.ts';
import { fillGap } from '#llm/filling.ts';
import { summarise } from '#llm/summary.ts';
import type { ModelSession } from './model-session.ts';
import { named } from '#extract/schema/names.ts';

const CHARS_PER_TOKEN = 4;

/** The members of an answer that a model had a part in. */
export const MODEL_MEMBERS = {
  summary: z.string().optional().describe('What the page says in a few sentences; empty where the model declined'),
  model: named(
    'ModelUse',
    z.object({
      outputs: z
        .array(z.enum(['json', 'summary']))
        .readonly()
        .describe('The outputs that it made, each charged'),
      members: z.array(z.string()).readonly().describe('The members of json that come from it and not from the page'),
      input_tokens: z.int(),
      output_tokens: z.int(),
    }),
  )
    .optional()
    .describe('What the model had a part in, where it was asked'),
} as const;

/** The outputs of a page that a model may make. */
export type ModelRequest = { readonly summary: boolean; readonly extract: Extract | null };

/** Characters of a page that the model may read; null where it will not be asked. */
export function passageFor(modelSession: ModelSession | null, wishes: ModelRequest): number | null {
  if (modelSession === null || (!wishes.summary && wishes.extract?.schema === undefined)) return null;
  return modelSession.contextTokens * CHARS_PER_TOKEN;
}

/** A page that was read. */
export type ModelPage = ModelRequest & {
  readonly url: string;
  readonly title: string | null;
  readonly passage: ModelPassage;
  /** The part of the requested object that the page itself gave. */
  readonly json: JsonObject;
  /** Reserves the price of a filled object; else answers the reason why not, to follow the names of the missing members. */
  readonly afford: () => Promise<string | null>;
};

type ModelMembers = Readonly<Partial<z.input<z.ZodObject<typeof MODEL_MEMBERS>>>> & { readonly json?: JsonObject };

/** Outputs that the model made for one page. */
export type ModelOutputs = {
  /** For the answer. */
  readonly members: ModelMembers;
  readonly warnings: readonly Warning[];
  /** Outputs that the model made, each charged. */
  readonly count: number;
};

type ModelPart = Omit<ModelOutputs, 'count'> & {
  /** The paths that it filled; null where it made nothing that is charged. */
  readonly made: readonly string[] | null;
  readonly tokens: Tokens;
};

const NO_TOKENS: Tokens = { input: 0, output: 0 };
const REFUSED = 'model_refused' as const;

/** Asks the model for members that a page lacks; throws as `Complete`, and where a required member stays empty. */
export async function askModel(
  modelSession: ModelSession,
  page: ModelPage,
  signal: AbortSignal,
): Promise<ModelOutputs> {
  const { passage, extract, summary } = page;
  const makings: Promise<ModelPart>[] = [];
  if (extract?.schema !== undefined && passage.missing.length + passage.unmet.length > 0) {
    const obstacle = await page.afford();
    makings.push(obstacle === null ? fillMembers(modelSession, page, signal) : skipMembers(passage, obstacle));
  }
  if (summary) makings.push(summarizePage(modelSession, page, signal));
  const parts = await Promise.all(makings);
  const tokens = parts.reduce((all, part) => addTokens(all, part.tokens), NO_TOKENS);
  const members: ModelMembers = Object.assign({}, ...parts.map((part) => part.members));
  const outputs = parts.flatMap(({ made, members: own }) =>
    made === null ? [] : [own.summary === undefined ? ('json' as const) : ('summary' as const)],
  );
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
  const { text, tokens } = await summarise(
    modelSession,
    { url, title, text: passage.kept, mark: modelSession.newMark() },
    signal,
  );
  if (text !== null) return { members: { summary: text }, warnings: [], made: [], tokens };
  const warnings = [{ code: REFUSED, message: 'summary: the model declined to summarise the page' }];
  return { members: { summary: '' }, warnings, made: null, tokens };
}

/** Fills missing members by the model; members from the page stay, and the result must meet the schema. */
async function fillMembers(modelSession: ModelSession, page: ModelPage, signal: AbortSignal): Promise<ModelPart> {
  const { url, title, json: known } = page;
  const { wide, missing, unmet } = page.passage;
  const schema = page.extract?.schema ?? {};
  const { answer, tokens } = await fillGap(
    modelSession,
    {
      text: wide,
      url,
      title,
      mark: modelSession.newMark(),
      schema,
      missing: [...new Set([...missing, ...unmet])],
      faultsOf: (given) =>
        fillSchema(schema, known, given).unmet.map((path) => `${path} is null, or not as the schema says`),
    },
    signal,
  );
  const completed = answer === null ? null : fillSchema(schema, known, answer);
  const lacking = completed?.unmet ?? unmet;
  if (lacking.length > 0) throw new ServiceError('extraction_failed', describeUnmet(lacking));
  const declined = { code: REFUSED, message: `the model gave no object: ${missing.join(', ')}` };
  return {
    members: { json: completed?.json ?? known },
    warnings: completed === null ? [declined] : nameMissing(completed.missing),
    made: completed === null || completed.filled.length === 0 ? null : completed.filled,
    tokens,
  };
}

/** Names the members that neither the page nor the model has. */
export function nameMissing(paths: readonly string[]): readonly Warning[] {
  if (paths.length === 0) return [];
  const message = `not found, nor by the model: ${toNameList([...new Set(paths)])}`;
  return [{ code: 'fields_not_found', message }];
}

/** Leaves members missing where no credits are left for the model. */
async function skipMembers({ missing, unmet }: ModelPassage, obstacle: string): Promise<ModelPart> {
  if (unmet.length > 0) throw new ServiceError('extraction_failed', describeUnmet(unmet));
  const message = `a model might find ${missing.join(', ')}, ${obstacle}`;
  return { members: {}, warnings: [{ code: 'partial_ladder', message }], made: null, tokens: NO_TOKENS };
}
