import { z } from 'zod';
import { isErrorPage } from '#access/error-page.ts';
import { buildDomains } from '#access/interact/domains.ts';
import type { SessionOrder } from '#access/interact/sessions.ts';
import type { Page } from '#access/page.ts';
import { defineOperation } from '#engine/operation.ts';
import type { Admission, AdmissionFacts, Served, WorkContext } from '#engine/operation.ts';
import type { Begun } from '#engine/interact/interacting.ts';
import { buildSecrets, namesIn } from '#engine/interact/secrets.ts';
import { Step } from '#engine/interact/step-log.ts';
import { MOST_STEPS, runScript } from '#engine/interact/steps.ts';
import { ofErrorPage, PRICES, SURCHARGES } from '#engine/prices.ts';
import { PAGE_ERRORS } from '#engine/page-errors.ts';
import type { Extract } from '#extract/grammar.ts';
import { OUTPUTS } from '#extract/reading.ts';
import type { Output, ReadRequest } from '#extract/reading.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import { ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import type { Warning } from '#kernel/warnings.ts';
import { FILE_MEMBERS, FILES, keepFiles } from './fetch-files.ts';
import { Actions, everyAction, leastSteps } from './interact-actions.ts';
import { MOST_PROMPTED_STEPS, PROMPT_MEMBERS, promptIn, withoutModel } from './interact-prompt.ts';
import { PAGE_FIELDS } from './page-fields.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from './page-outputs.ts';
import { PROXY_FIELDS, refuseBadProxy, toReach } from './reach.ts';

/** For each file at the end. */
const FILE_MS = 10_000;

const Domain = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i, 'must be a host name, such as example.com')
  .transform((text) => text.toLowerCase());

const { headers, cookies, device, country, locale, extract } = PAGE_FIELDS;

const InteractInput = z
  .strictObject({
    url: z.string().min(1).max(8192).describe('The page to begin with'),
    prompt: z
      .string()
      .min(1)
      .max(8000)
      .optional()
      .describe('What is to be reached, in words; a model chooses the actions'),
    actions: Actions.optional(),
    output: z
      .array(z.enum([...OUTPUTS, ...FILES]))
      .refine((names) => new Set(names).size === names.length, 'must not name a format twice')
      .default([])
      .describe('Formats of the page at the end'),
    extract: extract.describe('What to pull out of the page at the end, for output json'),
    ...PROXY_FIELDS,
    timeout_ms: wholeNumber(1000, 300_000)
      .optional()
      .describe(
        "Wall clock of the whole session in ms; default is the plan's inline limit, above it the call becomes a job",
      ),
    headers,
    cookies,
    device,
    country,
    locale,
    allowed_domains: z
      .array(Domain)
      .min(1)
      .max(50)
      .optional()
      .describe(
        'Where all requests of the session may go, with all below; unless given its pages keep to the site of url',
      ),
    variables: z
      .record(
        z.string().regex(/^[A-Za-z_]\w{0,63}$/, 'must be a name of letters, digits and _'),
        z.string().max(10_000),
      )
      .default({})
      .describe('Values for {{name}} in typed text; never logged'),
    max_steps: wholeNumber(1, MOST_STEPS)
      .optional()
      .describe(`Actions at most; with prompt 20 unless given, and at most ${MOST_PROMPTED_STEPS}`),
  })
  .superRefine((input, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    refuseBadProxy(input, context);
    if ((input.prompt === undefined) === (input.actions === undefined)) {
      refuse('actions', 'send exactly one of prompt and actions');
    }
    if (input.prompt !== undefined) {
      if (input.proxy === 'auto') refuse('proxy', 'auto goes with actions: with prompt use basic or stealth');
      if ((input.max_steps ?? 0) > MOST_PROMPTED_STEPS) {
        refuse('max_steps', `must be at most ${MOST_PROMPTED_STEPS} with prompt`);
      }
    }
    const json = input.output.includes('json');
    if (json && input.extract === undefined) refuse('extract', 'output json needs it');
    if (!json && input.extract !== undefined && input.prompt === undefined) {
      refuse('extract', 'add json to output to use it');
    }
    if (leastSteps(input.actions ?? []) > MOST_STEPS) {
      refuse('actions', `a session does at most ${MOST_STEPS} actions, and these are more`);
    }
    for (const { action } of everyAction(input.actions ?? [])) {
      const unknown =
        action.type === 'type' ? namesIn(action.text).find((name) => !Object.hasOwn(input.variables, name)) : undefined;
      if (unknown !== undefined) refuse('variables', `${unknown} is typed and not given`);
    }
  });

type InteractInput = z.output<typeof InteractInput>;

const InteractOutput = z.object({
  mode: z.enum(['actions', 'prompt']),
  url: z.string(),
  final_url: z.string(),
  completed: z.boolean().describe('Whether every action that is not optional was done'),
  failed_step: z.int().optional().describe('Index of the step that ended it'),
  steps: z.array(Step).readonly(),
  extracted: z.record(z.string(), z.unknown()).optional().describe('What named actions brought'),
  ...PAGE_OUTPUTS,
  metadata: Metadata.optional(),
  ...FILE_MEMBERS,
  ...PROMPT_MEMBERS,
  warnings: Warnings,
});

export const interact = defineOperation({
  id: 'interact',
  route: 'POST /v1/interact',
  summary: 'Click, type and read in a page, step by step',
  plan: 'free',
  price: PRICES.interact,
  errors: [...PAGE_ERRORS, 'proxy_required', 'extraction_failed'] satisfies readonly ErrorCode[],
  input: InteractInput,
  output: InteractOutput,
  list: 'steps',
  example: {
    url: 'https://example.com/',
    actions: [
      { type: 'click', target: { role: 'link', name: 'Learn more' } },
      { type: 'content', name: 'page', output: 'markdown' },
    ],
  },
  admit,
  queue: ({ timeout_ms: timeoutMs = 0 }, plan) => timeoutMs > plan.inline_timeout_ms,
  async run(input, context) {
    const begun = await context.interact(toOrder(input, context)).catch(unlessBasic(input));
    const { prompt } = input;
    const work = prompt === undefined ? actIn(begun, input, context) : promptTo(prompt, begun, { input, context });
    return work.catch(notAgain);
  },
});

function admit(input: InteractInput, { plan, readTarget, hasModel }: AdmissionFacts): Admission {
  const url = readTarget(input.url);
  const isPrompt = input.prompt !== undefined;
  if (isPrompt && !hasModel) throw withoutModel();
  const proxy = isPrompt && input.proxy === undefined && input.use_proxy !== true ? 'basic' : input.proxy;
  const domains = buildDomains(url, input.allowed_domains ?? null);
  if (!domains.admits(url.hostname)) throw offDomains('url', url);
  for (const { action, at } of everyAction(input.actions ?? [])) {
    if (action.type !== 'goto') continue;
    const to = readTarget(action.url, `${at}.url`);
    if (!domains.admits(to.hostname)) throw offDomains(`${at}.url`, to);
  }
  const tiers = toReach({ ...input, proxy }, plan, { browser: true, country: input.country !== undefined });
  return {
    timeoutMs: input.timeout_ms ?? plan.inline_timeout_ms,
    tiers,
    cheapest: PRICES.interact.base + surchargeOf(input),
    maxCredits: null,
  };
}

/** A session's price depends on what is asked for, and not on what serves it. */
function surchargeOf({ prompt, proxy, use_proxy: useProxy }: InteractInput): number {
  return prompt !== undefined && (proxy === 'stealth' || useProxy === true) ? SURCHARGES.proxy_browser : 0;
}

function offDomains(member: string, { hostname }: URL): ServiceError {
  return new ServiceError('invalid_request', `${member}: ${hostname} is none of allowed_domains`);
}

/** How the session is to begin. */
function toOrder(input: InteractInput, { tiers, readTarget }: Pick<WorkContext, 'tiers' | 'readTarget'>): SessionOrder {
  return {
    url: readTarget(input.url),
    headers: input.headers,
    cookies: input.cookies,
    ...(input.country === undefined ? {} : { country: input.country }),
    device: input.device,
    locale: input.locale ?? null,
    allowedDomains: input.allowed_domains ?? null,
    // A script that may use no proxy is told of a challenge at once.
    waitsOutChallenges: input.prompt !== undefined || tiers.includes('proxy_browser'),
  };
}

/** A block without a proxy has the remedy in its name. */
function unlessBasic({ actions, proxy }: InteractInput): (error: unknown) => never {
  return (error) => {
    const isBasic = actions !== undefined && proxy === 'basic';
    if (!isBasic || !(error instanceof ServiceError) || error.code !== 'target_blocked') throw error;
    const message = 'the target blocked access without a proxy: use proxy auto or stealth';
    throw new ServiceError('proxy_required', message, { cause: error });
  };
}

/** What was done to a page cannot be done again by itself. */
function notAgain(error: unknown): never {
  if (!(error instanceof ServiceError) || !error.retryable) throw error;
  throw new ServiceError(error.code, error.message, { cause: error, retryable: false });
}

async function actIn(
  begun: Begun,
  input: InteractInput,
  context: WorkContext,
): Promise<Served<z.input<typeof InteractOutput>>> {
  const { session, page, tier, leftMs } = begun;
  const secrets = buildSecrets(input.variables);
  const { steps, failedStep, extracted } = await runScript(input.actions ?? [], {
    session,
    secrets,
    leftMs,
    keep: context.keep,
    note: context.note,
    mostSteps: input.max_steps ?? MOST_STEPS,
    read: async (look, { output, extract: wanted }) =>
      context.read(toReadRequest(look, { outputs: [output], extract: wanted })),
  });
  // Whoever found an error page in place of the one to act in, and did nothing there, got nothing.
  const isVain = isErrorPage(page) && steps.every(({ status }) => status !== 'ok');
  return {
    tier,
    ...(isVain ? { charge: { usage: ofErrorPage(tier), paid: 0 } } : {}),
    body: {
      mode: 'actions',
      url: context.readTarget(input.url).href,
      final_url: secrets.mask(session.url()),
      completed: failedStep === null,
      ...(failedStep === null ? {} : { failed_step: failedStep }),
      // What a job was told of is in its result already.
      steps: context.note === null ? steps : [],
      extracted,
      ...(await readAtEnd(begun, input, context)),
      warnings: remarksOn(page),
    },
  };
}

async function promptTo(
  prompt: string,
  begun: Begun,
  { input, context }: { readonly input: InteractInput; readonly context: WorkContext },
): Promise<Served<z.input<typeof InteractOutput>>> {
  const { session, page, tier } = begun;
  const secrets = buildSecrets(input.variables);
  const asked = input.extract ?? null;
  const end = await promptIn(
    begun,
    {
      prompt,
      extract: asked,
      variables: input.variables,
      maxSteps: input.max_steps,
      secrets,
      async readPage() {
        const look = await session.look(begun.leftMs());
        const { outputs } = await context.read(toReadRequest(look, { outputs: ['markdown'], extract: null }));
        return outputs.markdown ?? '';
      },
    },
    context,
  );
  const { steps, failedStep, completed, result, data, warnings, tokens } = end;
  const { base } = PRICES.interact;
  const surcharge = surchargeOf(input);
  return {
    tier,
    charge: { usage: { credits: base + surcharge, base, surcharge, tier }, paid: 0 },
    body: {
      mode: 'prompt',
      url: context.readTarget(input.url).href,
      final_url: secrets.mask(session.url()),
      completed,
      ...(failedStep === null ? {} : { failed_step: failedStep }),
      steps: context.note === null ? steps : [],
      result,
      ...(asked === null ? {} : { data }),
      ...(await readAtEnd(begun, input, context)),
      model: { input_tokens: tokens.input, output_tokens: tokens.output },
      warnings: [...remarksOn(page), ...warnings],
    },
  };
}

/** What is to be said of a first page that is an error. */
function remarksOn(page: Page): readonly Warning[] {
  return isErrorPage(page) ? page.warnings : [];
}

/** The formats that are asked for of the page as it is at the end. */
async function readAtEnd({ session, leftMs }: Begun, input: InteractInput, { read, keep }: WorkContext) {
  if (input.output.length === 0) return {};
  const outputs = input.output.filter((name) => name !== 'screenshot' && name !== 'pdf');
  const reading =
    outputs.length === 0
      ? null
      : await read(toReadRequest(await session.look(leftMs()), { outputs, extract: input.extract ?? null }));
  const artifacts: NonNullable<Page['artifacts']>[number][] = [];
  for (const type of ['screenshot', 'pdf'] as const) {
    if (!input.output.includes(type)) continue;
    const action = type === 'pdf' ? { type } : { type, full_page: false };
    const brought = await session.act(action, FILE_MS);
    if (brought.kind === 'file') artifacts.push(brought.file);
  }
  return {
    ...reading?.outputs,
    ...(reading !== null && input.output.includes('metadata') ? { metadata: reading.metadata } : {}),
    ...(await keepFiles({ output: input.output }, { artifacts }, keep)),
  };
}

type Wanted = { readonly outputs: readonly Output[]; readonly extract: Extract | null };

/** All of the page: what a session has brought about is seldom an article. */
function toReadRequest({ url, html }: { readonly url: string; readonly html: string }, wanted: Wanted): ReadRequest {
  return {
    body: new Uint8Array(Buffer.from(html, 'utf8')),
    contentType: 'text/html; charset=utf-8',
    url,
    ...wanted,
    onlyMainContent: false,
    includeSelectors: [],
    excludeSelectors: [],
    maxChars: null,
    offsetChars: 0,
    passageChars: null,
  };
}
