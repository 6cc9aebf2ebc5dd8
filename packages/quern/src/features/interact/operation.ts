import { z } from 'zod';
import { buildDomains } from '#access/interact/domains.ts';
import { declareWork } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { namesIn } from './secrets.ts';
import { InteractStep } from './step-log.ts';
import { MAX_STEPS } from './steps.ts';
import { PRICES, SURCHARGES } from '#engine/credits/prices.ts';
import { PAGE_ERRORS } from '#engine/call/page-errors.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { FILE_MEMBERS, FILES } from '#features/schema/page-files.ts';
import { Actions, everyAction, leastSteps } from './actions.ts';
import { MAX_PROMPTED_STEPS, PROMPT_MEMBERS, withoutModel } from './prompt.ts';
import { PAGE_FIELDS, SESSION_FIELD } from '#features/schema/page-fields.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from '#features/schema/page-outputs.ts';
import { PROXY_FIELDS, refuseBadProxy, toReach } from '#features/schema/reach.ts';
import { INTERACT_VIEW } from './command-view.ts';
import { INTERACT_TOOL } from './tool-view.ts';

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
    timeout_ms: wholeNumber(1)
      .optional()
      .describe(
        "Wall clock of the whole session in ms; default is the plan's inline limit, above it the call becomes a job",
      ),
    headers,
    cookies,
    ...SESSION_FIELD,
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
    max_steps: wholeNumber(1, MAX_STEPS)
      .optional()
      .describe(`Actions at most; with prompt 20 unless given, and at most ${MAX_PROMPTED_STEPS}`),
  })
  .superRefine((input, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    refuseBadProxy(input, context);
    if ((input.prompt === undefined) === (input.actions === undefined)) {
      refuse('actions', 'send exactly one of prompt and actions');
    }
    if (input.prompt !== undefined) {
      if (input.proxy === 'auto') refuse('proxy', 'auto goes with actions: with prompt use basic or stealth');
      if ((input.max_steps ?? 0) > MAX_PROMPTED_STEPS) {
        refuse('max_steps', `must be at most ${MAX_PROMPTED_STEPS} with prompt`);
      }
    }
    const json = input.output.includes('json');
    if (json && input.extract === undefined) refuse('extract', 'output json needs it');
    if (!json && input.extract !== undefined && input.prompt === undefined) {
      refuse('extract', 'add json to output to use it');
    }
    if (leastSteps(input.actions ?? []) > MAX_STEPS) {
      refuse('actions', `a session does at most ${MAX_STEPS} actions, and these are more`);
    }
    for (const { action } of everyAction(input.actions ?? [])) {
      const unknown =
        action.type === 'type' ? namesIn(action.text).find((name) => !Object.hasOwn(input.variables, name)) : undefined;
      if (unknown !== undefined) refuse('variables', `${unknown} is typed and not given`);
    }
  });

export type InteractInput = z.output<typeof InteractInput>;

export const InteractOutput = z.object({
  mode: z.enum(['actions', 'prompt']),
  url: z.string(),
  final_url: z.string(),
  completed: z.boolean().describe('Whether every action that is not optional was done'),
  failed_step: z.int().optional().describe('Index of the step that ended it'),
  steps: z.array(InteractStep).readonly(),
  extracted: z.record(z.string(), z.unknown()).optional().describe('What named actions brought'),
  ...PAGE_OUTPUTS,
  metadata: Metadata.optional(),
  ...FILE_MEMBERS,
  ...PROMPT_MEMBERS,
  warnings: Warnings,
});

export const interact = declareWork({
  id: 'interact',
  route: 'POST /v1/interact',
  summary: 'Click, type and read in a page, step by step',
  plan: 'free',
  price: PRICES.interact,
  errors: [...PAGE_ERRORS, 'proxy_required', 'extraction_failed'] satisfies readonly ErrorCode[],
  input: InteractInput,
  output: InteractOutput,
  list: 'steps',
  view: INTERACT_VIEW,
  agent: INTERACT_TOOL,
  example: {
    url: 'https://example.com/',
    actions: [
      { type: 'click', target: { role: 'link', name: 'Learn more' } },
      { type: 'content', name: 'page', output: 'markdown' },
    ],
  },
  admit,
  queue: ({ timeout_ms: timeoutMs = 0 }, plan) => timeoutMs > plan.inline_timeout_ms,
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

/** The surcharge of a session: it depends on the request, not on the tier that serves it. */
export function surchargeOf({ prompt, proxy, use_proxy: useProxy }: InteractInput): number {
  return prompt !== undefined && (proxy === 'stealth' || useProxy === true) ? SURCHARGES.proxy_browser : 0;
}

function offDomains(member: string, { hostname }: URL): ServiceError {
  return new ServiceError('invalid_request', `${member}: ${hostname} is none of allowed_domains`);
}
