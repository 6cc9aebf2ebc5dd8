import { z } from 'zod';
import type { Mind } from '#engine/mind.ts';
import { PRICES, toUsage, withModel } from '#engine/prices.ts';
import type { ServedTier, Usage } from '#engine/prices.ts';
import { fillSchema, unmetSchema } from '#extract/fields/fill-schema.ts';
import type { Extract } from '#extract/grammar.ts';
import type { Passage, Reading } from '#extract/reading.ts';
import type { Warning } from '#kernel/warnings.ts';
import { addTokens } from '#llm/complete.ts';
import type { Tokens } from '#llm/complete.ts';
import { fillGap } from '#llm/filling.ts';
import { summarise } from '#llm/summary.ts';

/** What an output that a model makes costs beside the page. */
export const MODEL_CREDITS = PRICES.fetch.perModelOutput;

const CHARS_PER_TOKEN = 4;

/** The members of an answer that a model had a part in. */
export const MODEL_MEMBERS = {
  summary: z.string().optional().describe('What the page says in a few sentences; empty where the model declined'),
  model: z
    .object({
      outputs: z
        .array(z.enum(['json', 'summary']))
        .readonly()
        .describe('The outputs that it made, each charged'),
      members: z.array(z.string()).readonly().describe('The members of json that come from it and not from the page'),
      input_tokens: z.int(),
      output_tokens: z.int(),
    })
    .optional()
    .describe('What the model had a part in, where it was asked'),
} as const;

/** How much of a page its model may read; null where it will not be asked. */
export function passageFor(mind: Mind | null, wishes: Wishes): number | null {
  if (mind === null || (!wishes.summary && wishes.extract?.schema === undefined)) return null;
  return mind.contextTokens * CHARS_PER_TOKEN;
}

type Wishes = { readonly summary: boolean; readonly extract: Extract | null };

type Page = Wishes & { readonly reading: Reading; readonly url: string; readonly tier: ServedTier };

type Made = {
  readonly members: Readonly<Partial<z.input<z.ZodObject<typeof MODEL_MEMBERS>>>> & {
    readonly json?: Readonly<Record<string, unknown>>;
  };
  readonly warnings: readonly Warning[];
  readonly usage: Usage;
};

type Part = Pick<Made, 'warnings'> & {
  readonly members: Made['members'];
  /** The paths that it filled; null where it made nothing that is charged. */
  readonly made: readonly string[] | null;
  readonly tokens: Tokens;
};

const NO_TOKENS: Tokens = { input: 0, output: 0 };
const REFUSED = 'model_refused' as const;

/** Asks the model for what the page does not give away; each output that it made is charged, nothing else is. */
export async function askModel(mind: Mind | null, page: Page): Promise<Made> {
  const plain = toUsage(PRICES.fetch, page.tier);
  const { passage, metadata } = page.reading;
  if (mind === null || passage === null) return { members: {}, warnings: [], usage: plain };
  const seen = { url: page.url, title: metadata.title };
  const makings: Promise<Part>[] = [];
  const summaries = page.summary ? 1 : 0;
  if (page.extract?.schema !== undefined && passage.missing.length + passage.unmet.length > 0) {
    const total = withModel(plain, PRICES.fetch, summaries + 1).credits;
    makings.push((await mind.afford(total)) ? fill(mind, passage, page) : unaffordable(passage, total));
  }
  if (page.summary) makings.push(sum(mind, { ...seen, text: passage.kept }));
  if (makings.length === 0) return { members: {}, warnings: [], usage: plain };
  const parts = await Promise.all(makings);
  const tokens = parts.reduce((all, part) => addTokens(all, part.tokens), NO_TOKENS);
  const members: Made['members'] = Object.assign({}, ...parts.map((part) => part.members));
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
    usage: withModel(plain, PRICES.fetch, outputs.length),
  };
}

async function sum(mind: Mind, passage: Omit<Parameters<typeof summarise>[1], 'mark'>): Promise<Part> {
  const { text, tokens } = await summarise(mind, { ...passage, mark: mind.newMark() }, mind.signal);
  if (text !== null) return { members: { summary: text }, warnings: [], made: [], tokens };
  const warnings = [{ code: REFUSED, message: 'summary: the model declined to summarise the page' }];
  return { members: { summary: '' }, warnings, made: null, tokens };
}

/** What the page says stays; what the model adds must meet the schema. */
async function fill(mind: Mind, { wide, missing, unmet }: Passage, page: Page): Promise<Part> {
  const schema = page.extract?.schema ?? {};
  const { reading } = page;
  const known = reading.outputs.json ?? {};
  const { answer, tokens } = await fillGap(
    mind,
    {
      text: wide,
      url: page.url,
      title: reading.metadata.title,
      mark: mind.newMark(),
      schema,
      missing: [...new Set([...missing, ...unmet])],
      faultsOf: (given) =>
        fillSchema(schema, known, given).unmet.map((path) => `${path} is null, or not as the schema says`),
    },
    mind.signal,
  );
  const completed = answer === null ? null : fillSchema(schema, known, answer);
  const lacking = completed?.unmet ?? unmet;
  if (lacking.length > 0) throw unmetSchema(lacking);
  const declined = { code: REFUSED, message: `the model gave no object: ${missing.join(', ')}` };
  return {
    members: { json: completed?.json ?? known },
    warnings: completed === null ? [declined] : [],
    made: completed === null || completed.filled.length === 0 ? null : completed.filled,
    tokens,
  };
}

/** What is missing stays missing where the call's own ceiling leaves nothing for the model. */
async function unaffordable({ missing, unmet }: Passage, credits: number): Promise<Part> {
  if (unmet.length > 0) throw unmetSchema(unmet);
  const message = `a model might find ${missing.join(', ')}, for ${credits} credits in all, and max_credits is below`;
  return { members: {}, warnings: [{ code: 'partial_ladder', message }], made: null, tokens: NO_TOKENS };
}
