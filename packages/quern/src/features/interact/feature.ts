import type { z } from 'zod';
import { isErrorPage } from '#access/classify/error-page.ts';
import type { SessionOrder } from '#access/interact/sessions.ts';
import type { Page } from '#access/page.ts';
import type { Feature } from '#engine/call/feature.ts';
import { bindWork } from '#engine/call/bound-operation.ts';
import type { WorkResult, WorkCall } from '#engine/call/operation.ts';
import { toErrorPageUsage, PRICES, toUsage, type Usage } from '#engine/credits/prices.ts';
import { hasActed } from './step-log.ts';
import { ChargedFailure } from '#engine/jobs/lease.ts';
import { buildSecrets } from './secrets.ts';
import type { OpenedSession, SessionOpener } from './session-opener.ts';
import { MAX_STEPS, runScript, filterFieldWarnings } from './script.ts';
import type { Extract } from '#extract/grammar.ts';
import type { Output, ReadRequest } from '#extract/reading.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import { storeFiles } from '#features/schema/page-files.ts';
import { isOverInlineTimeout } from '#features/schema/parameters.ts';
import { admitInteract, interact, type InteractInput, type InteractOutput, computeSurcharge } from './operation.ts';
import { runPromptCall } from './prompt.ts';

/** Time limit for a screenshot or PDF at the end. */
const FILE_TIMEOUT_MS = 10_000;

export type InteractParts = {
  readonly sessionOpener: SessionOpener;
  /** Parses a URL of the caller and checks it with the egress guard. */
  readonly readTarget: (url: string) => URL;
  readonly clock: Clock;
};

/** A call with the start URL of its session, and the clock. */
type InteractContext = WorkCall & { readonly url: URL; readonly clock: Clock };

/** The interact operation: runs actions or a prompt in a browser session. */
export function buildInteractFeature({ sessionOpener, readTarget, clock }: InteractParts): Feature {
  async function run(input: InteractInput, call: WorkCall): Promise<WorkResult<z.input<typeof InteractOutput>>> {
    const url = readTarget(input.url);
    const sessions = sessionOpener.begin({ ...call, tiers: call.admission.tiers });
    try {
      const opened = await sessions
        .open(toSessionOrder(input, call, url), input.session ?? null)
        .catch(toProxyRequired(input));
      const { prompt } = input;
      const context = { ...call, url, clock };
      const work =
        prompt === undefined
          ? runActionSession(opened, input, context)
          : runPromptSession(prompt, opened, { input, context });
      return await work.catch(rethrowNotRetryable);
    } finally {
      await sessions.close();
    }
  }

  return { operations: [bindWork(interact, { admit: admitInteract, queue: isOverInlineTimeout, run })] };
}

/** The options for opening the session. */
function toSessionOrder(input: InteractInput, { admission: { tiers } }: WorkCall, url: URL): SessionOrder {
  return {
    url,
    headers: input.headers,
    cookies: input.cookies,
    ...(input.country === undefined ? {} : { country: input.country }),
    device: input.device,
    locale: input.locale ?? null,
    allowedDomains: input.allowed_domains ?? null,
    // A script without a proxy fails immediately at a challenge.
    waitsOutChallenges: input.prompt !== undefined || tiers.includes('proxy_browser'),
  };
}

/** Converts a block without a proxy to `proxy_required`, whose message says what to change. */
function toProxyRequired({ actions, proxy }: InteractInput): (error: unknown) => never {
  return (error) => {
    const isBasic = actions !== undefined && proxy === 'basic';
    if (!isBasic || !(error instanceof ServiceError) || error.code !== 'target_blocked') throw error;
    const message = 'the target blocked access without a proxy: set proxy to auto or stealth';
    throw new ServiceError('proxy_required', message, { cause: error });
  };
}

/** Marks errors as not retryable, because actions on a page must not be repeated automatically. */
function rethrowNotRetryable(error: unknown): never {
  if (!(error instanceof ServiceError) || !error.retryable) throw error;
  throw new ServiceError(error.code, error.message, { cause: error, retryable: false });
}

async function runActionSession(
  opened: OpenedSession,
  input: InteractInput,
  context: InteractContext,
): Promise<WorkResult<z.input<typeof InteractOutput>>> {
  const { session, page, tier, leftMs } = opened;
  const secrets = buildSecrets(input.variables);
  const { steps, failedStep, extracted, warnings } = await runScript(input.actions ?? [], {
    session,
    secrets,
    leftMs,
    keep: context.storeArtifact,
    note: context.reportProgress,
    onActed: () => context.commitCharge(toUsage(PRICES.interact, tier)),
    clock: context.clock,
    maxSteps: input.max_steps ?? MAX_STEPS,
    read: async (look, { output, extract: wanted }) =>
      context.read(buildReadRequest(look, { outputs: [output], extract: wanted })),
  });
  const atEnd = await readFinalPage(opened, input, context);
  // An error page on which nothing was done is charged as an error page.
  const isUseless = isErrorPage(page)
    ? steps.every(({ status }) => status !== 'ok') && !hasActed(steps)
    : failedStep !== null && !hasActed(steps);
  return {
    tier,
    ...(isUseless ? { charge: { usage: toErrorPageUsage(tier), paid: 0 } } : {}),
    body: {
      mode: 'actions',
      url: context.url.href,
      final_url: secrets.mask(session.url()),
      completed: failedStep === null,
      ...(failedStep === null ? {} : { failed_step: failedStep }),
      // The steps of a job are already in its result.
      steps: context.reportProgress === null ? steps : [],
      extracted,
      ...atEnd.members,
      warnings: [...listErrorPageWarnings(page), ...warnings, ...atEnd.warnings],
    },
  };
}

async function runPromptSession(
  prompt: string,
  opened: OpenedSession,
  { input, context }: { readonly input: InteractInput; readonly context: InteractContext },
): Promise<WorkResult<z.input<typeof InteractOutput>>> {
  const { session, page, tier } = opened;
  const secrets = buildSecrets(input.variables);
  const extract = input.extract ?? null;
  const { base } = PRICES.interact;
  const surcharge = computeSurcharge(input);
  const full = { credits: base + surcharge, base, surcharge, tier };
  const end = await runPromptCall(
    opened,
    {
      prompt,
      extract,
      variables: input.variables,
      maxSteps: input.max_steps,
      secrets,
      onActed({ type }) {
        if (type !== 'content') context.commitCharge(full);
      },
      async readPage() {
        const look = await session.look(opened.leftMs());
        const { outputs } = await context.read(buildReadRequest(look, { outputs: ['markdown'], extract: null }));
        return outputs.markdown ?? '';
      },
    },
    context,
  );
  const { steps, failedStep, completed, result, data, unmet, warnings, tokens } = end;
  // Pages that only the model read do not count as results for the caller.
  const isUseless = !completed && !hasActed(steps.filter(({ type }) => type !== 'content'));
  if (unmet.length > 0) throw buildSchemaError(unmet, isUseless ? null : full);
  const atEnd = await readFinalPage(opened, input, context);
  return {
    tier,
    charge: { usage: isUseless ? toErrorPageUsage(tier) : full, paid: 0 },
    body: {
      mode: 'prompt',
      url: context.url.href,
      final_url: secrets.mask(session.url()),
      completed,
      ...(failedStep === null ? {} : { failed_step: failedStep }),
      steps: context.reportProgress === null ? steps : [],
      result,
      ...(extract === null ? {} : { data }),
      ...atEnd.members,
      model: { input_tokens: tokens.input, output_tokens: tokens.output },
      warnings: [...listErrorPageWarnings(page), ...warnings, ...atEnd.warnings],
    },
  };
}

/** The error of data that does not match the schema. `usage` is the charge of the session; null if it is free. */
function buildSchemaError(unmet: readonly string[], usage: Usage | null): ServiceError {
  const names = unmet.slice(0, 20).join(', ');
  return new ServiceError('extraction_failed', `extract: the data from the model does not match the schema: ${names}`, {
    retryable: false,
    ...(usage === null ? {} : { cause: new ChargedFailure(usage) }),
  });
}

/** The warnings of the first page if it is an error page, otherwise an empty list. */
function listErrorPageWarnings(page: Page): readonly Warning[] {
  return isErrorPage(page) ? page.warnings : [];
}

/** Reads the requested output formats from the final page. */
async function readFinalPage(
  { session, leftMs }: OpenedSession,
  input: InteractInput,
  { read, storeArtifact }: WorkCall,
) {
  if (input.output.length === 0) return { members: {}, warnings: [] };
  const outputs = input.output.filter((name) => name !== 'screenshot' && name !== 'pdf');
  const reading =
    outputs.length === 0
      ? null
      : await read(buildReadRequest(await session.look(leftMs()), { outputs, extract: input.extract ?? null }));
  const artifacts: NonNullable<Page['artifacts']>[number][] = [];
  for (const type of ['screenshot', 'pdf'] as const) {
    if (!input.output.includes(type)) continue;
    const action = type === 'pdf' ? { type } : { type, full_page: false };
    const result = await session.act(action, FILE_TIMEOUT_MS);
    if (result.kind === 'file') artifacts.push(result.file);
  }
  return {
    members: {
      ...reading?.outputs,
      ...(reading !== null && input.output.includes('metadata') ? { metadata: reading.metadata } : {}),
      ...(await storeFiles({ output: input.output }, { artifacts }, storeArtifact)),
    },
    warnings: filterFieldWarnings(reading?.warnings ?? []),
  };
}

type ReadingOptions = { readonly outputs: readonly Output[]; readonly extract: Extract | null };

/** A request to read the whole page: after actions it is rarely an article. */
function buildReadRequest(
  { url, html }: { readonly url: string; readonly html: string },
  wanted: ReadingOptions,
): ReadRequest {
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
