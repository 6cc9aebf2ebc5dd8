import { z } from 'zod';
import { createAllowedDomains } from '#access/interact/domains.ts';
import type { CommandView } from '#engine/call/command-view.ts';
import { declareWork } from '#engine/call/operation.ts';
import { PAGE_ERRORS, PROXY_FIELDS, checkProxy, chooseTiers } from '#features/schema/page-admission.ts';
import { CHANGES, type ToolView } from '#engine/call/tool-view.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { PRICES, SURCHARGES } from '#engine/credits/prices.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { PAGE_FIELDS, SESSION_FIELD } from '#features/schema/page-fields.ts';
import { FILE_FIELDS, FILE_OUTPUTS } from '#features/schema/page-files.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from '#features/schema/page-outputs.ts';
import { addJsonFormat } from '#features/schema/agent-page.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { Actions, countMinSteps, listActions } from './actions.ts';
import { buildNoModelError, MAX_PROMPTED_STEPS, PROMPT_FIELDS } from './prompt.ts';
import { listPlaceholders } from './secrets.ts';
import { InteractStep } from './step-log.ts';
import { MAX_STEPS } from './script.ts';

/** The MCP tool that runs actions in a browser. */
const INTERACT_TOOL: ToolView = {
  tool: {
    name: 'interact',
    title: 'Act in a page',
    task: 'a page that needs clicks or typing',
    about:
      'Use this when a page must be clicked, typed into or scrolled before it shows what you need. Give actions, or a prompt if the service has a model. Call with help: true for all actions and their parameters.',
    hints: CHANGES,
  },
  members: {
    url: 'Start page',
    actions:
      'Actions in order: {type: click|type|press|select|check|hover|scroll|wait|goto|content|extract|screenshot|evaluate|back|repeat|if …, target: a CSS selector or {text|role+name|label|placeholder}}. Such as [{"type": "type", "target": {"label": "Search"}, "text": "mill"}, {"type": "press", "key": "Enter"}, {"type": "content", "name": "page", "output": "markdown"}]',
    prompt: 'The task in words, instead of actions',
    output: 'Formats of the page at the end',
    extract: 'Fields to extract from the page at the end, as for fetch',
    variables: 'Values for {{name}} in typed text, never logged',
    session: 'Name of a saved session that keeps cookies, so that fetch and crawl can use the login',
  },
  asJob: true,
  toInput(args) {
    const { extract, output, prompt } = args;
    return extract === undefined || prompt !== undefined ? args : { ...args, output: addJsonFormat(output, []) };
  },
};

const Step = z.looseObject({
  index: z.number(),
  type: z.string(),
  status: z.string(),
  duration_ms: z.number(),
  url: z.string(),
  error: z.looseObject({ message: z.string() }).optional(),
  downloads: z.array(z.looseObject({ id: z.string(), name: z.string(), bytes: z.number() })).default([]),
});

/** `quern interact` prints each step when it ends, then the response without the steps. */
const INTERACT_VIEW: CommandView = {
  fileMember: 'actions',
  steps: {
    list: 'steps',
    isUndone: ({ completed }) => completed === false,
    toLine(step) {
      const { index, type, status, duration_ms: ms, url, error, downloads } = Step.parse(step);
      const files = downloads.map(({ id, name, bytes }) => `; ${name} (${bytes} bytes): quern artifact ${id}`);
      return `${index} ${type} ${status} ${ms} ms ${error === undefined ? url : error.message}${files.join('')}`;
    },
  },
};

const DomainName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i, 'must be a host name such as example.com')
  .transform((text) => text.toLowerCase());

const { headers, cookies, device, country, locale, extract } = PAGE_FIELDS;

const InteractInput = z
  .strictObject({
    url: z.string().min(1).max(8192).describe('Start page'),
    prompt: z.string().min(1).max(8000).optional().describe('The task in words; a model chooses the actions'),
    actions: Actions.optional(),
    output: z
      .array(z.enum([...OUTPUTS, ...FILE_OUTPUTS]).exclude(['attributes']))
      .refine((names) => new Set(names).size === names.length, 'must not contain a format twice')
      .default([])
      .describe('Formats of the page at the end'),
    extract: extract.describe('What to extract from the page at the end, for output json'),
    ...PROXY_FIELDS,
    timeout_ms: wholeNumber(1)
      .optional()
      .describe(
        "Total time limit of the session in ms; default is the plan's inline limit; with a higher value the call becomes a job",
      ),
    headers,
    cookies,
    ...SESSION_FIELD,
    device,
    country,
    locale,
    allowed_domains: z
      .array(DomainName)
      .min(1)
      .max(50)
      .optional()
      .describe(
        'Hosts, including subdomains, to which the session may send requests; default: its pages stay on the site of url',
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
      .describe(`Maximum number of actions; with prompt the default is 20 and the limit ${MAX_PROMPTED_STEPS}`),
  })
  .superRefine((input, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    checkProxy(input, context);
    if ((input.prompt === undefined) === (input.actions === undefined)) {
      refuse('actions', 'send exactly one of prompt and actions');
    }
    if (input.prompt !== undefined) {
      if (input.proxy === 'auto')
        refuse('proxy', 'auto is only allowed with actions: with prompt use basic or stealth');
      if ((input.max_steps ?? 0) > MAX_PROMPTED_STEPS) {
        refuse('max_steps', `must be at most ${MAX_PROMPTED_STEPS} with prompt`);
      }
    }
    const json = input.output.includes('json');
    if (json && input.extract === undefined) refuse('extract', 'is required for output json');
    if (!json && input.extract !== undefined && input.prompt === undefined) {
      refuse('extract', 'needs json in output');
    }
    if (countMinSteps(input.actions ?? []) > MAX_STEPS) {
      refuse('actions', `must contain at most ${MAX_STEPS} actions, counting repetitions`);
    }
    for (const { action } of listActions(input.actions ?? [])) {
      const unknown =
        action.type === 'type'
          ? listPlaceholders(action.text).find((name) => !Object.hasOwn(input.variables, name))
          : undefined;
      if (unknown !== undefined) refuse('variables', `${unknown} is used in typed text but not defined`);
    }
  });

export type InteractInput = z.output<typeof InteractInput>;

export const InteractOutput = z.object({
  mode: z.enum(['actions', 'prompt']),
  url: z.string(),
  final_url: z.string(),
  completed: z.boolean().describe('True if every action that is not optional succeeded'),
  failed_step: z.int().optional().describe('Index of the step that ended the session'),
  steps: z.array(InteractStep).readonly(),
  extracted: z.record(z.string(), z.unknown()).optional().describe('Values of named actions'),
  ...PAGE_OUTPUTS,
  metadata: Metadata.optional(),
  ...FILE_FIELDS,
  ...PROMPT_FIELDS,
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
  canQueue: true,
});

/** Admits a session. Throws `ServiceError`. */
export function admitInteract(input: InteractInput, { plan, readTarget, hasModel }: AdmissionFacts): Admission {
  const url = readTarget(input.url);
  const isPrompt = input.prompt !== undefined;
  if (isPrompt && !hasModel) throw buildNoModelError();
  const proxy = isPrompt && input.proxy === undefined && input.use_proxy !== true ? 'basic' : input.proxy;
  const domains = createAllowedDomains(url, input.allowed_domains ?? null);
  if (!domains.admits(url.hostname)) throw buildDomainError('url', url);
  for (const { action, at } of listActions(input.actions ?? [])) {
    if (action.type !== 'goto') continue;
    const to = readTarget(action.url, `${at}.url`);
    if (!domains.admits(to.hostname)) throw buildDomainError(`${at}.url`, to);
  }
  const tiers = chooseTiers({ ...input, proxy }, plan, { browser: true, country: input.country !== undefined });
  return {
    timeoutMs: input.timeout_ms ?? plan.inline_timeout_ms,
    tiers,
    cheapest: PRICES.interact.base + computeSurcharge(input),
    maxCredits: null,
  };
}

/** The surcharge of a session: it depends on the request, not on the tier that serves it. */
export function computeSurcharge({ prompt, proxy, use_proxy: useProxy }: InteractInput): number {
  return prompt !== undefined && (proxy === 'stealth' || useProxy === true) ? SURCHARGES.proxy_browser : 0;
}

function buildDomainError(member: string, { hostname }: URL): ServiceError {
  return new ServiceError('invalid_request', `${member}: ${hostname} is not in allowed_domains`);
}
