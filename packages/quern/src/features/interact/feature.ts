import type { z } from 'zod';
import { isErrorPage } from '#access/classify/error-page.ts';
import type { SessionOrder } from '#access/interact/sessions.ts';
import type { Page } from '#access/page.ts';
import type { Feature } from '#engine/call/feature.ts';
import type { Served, WorkCall } from '#engine/call/operation.ts';
import { ofErrorPage, PRICES, toUsage, type Usage } from '#engine/credits/prices.ts';
import { hasActed } from './step-log.ts';
import { ChargedFailure } from '#engine/jobs/lease.ts';
import { buildSecrets } from './secrets.ts';
import type { OpenedSession, Interacting } from './sessions.ts';
import { MAX_STEPS, runScript, warningsOfFields } from './steps.ts';
import type { Extract } from '#extract/grammar.ts';
import type { Output, ReadRequest } from '#extract/reading.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import { keepFiles } from '#features/schema/page-files.ts';
import { interact, type InteractInput, type InteractOutput, surchargeOf } from './operation.ts';
import { promptIn } from './prompt.ts';

/** For each file at the end. */
const FILE_MS = 10_000;

export type InteractParts = {
  readonly interacting: Interacting;
  /** Checks a URL of the caller by the egress guard. */
  readonly readTarget: (url: string) => URL;
  readonly clock: Clock;
};

/** A call with the address that its session begins at, and the clock. */
type InteractContext = WorkCall & { readonly url: URL; readonly clock: Clock };

/** Acts on pages in sessions of a browser. */
export function buildInteract({ interacting, readTarget, clock }: InteractParts): Feature {
  async function run(input: InteractInput, call: WorkCall): Promise<Served<z.input<typeof InteractOutput>>> {
    const url = readTarget(input.url);
    const sessions = interacting.begin({ ...call, tiers: call.admission.tiers });
    try {
      const begun = await sessions.open(toOrder(input, call, url), input.session ?? null).catch(orProxyRequired(input));
      const { prompt } = input;
      const context = { ...call, url, clock };
      const work = prompt === undefined ? actIn(begun, input, context) : promptTo(prompt, begun, { input, context });
      return await work.catch(neverRetryable);
    } finally {
      await sessions.close();
    }
  }

  return { operations: [interact.runs(run)] };
}

/** The start of the session. */
function toOrder(input: InteractInput, { admission: { tiers } }: WorkCall, url: URL): SessionOrder {
  return {
    url,
    headers: input.headers,
    cookies: input.cookies,
    ...(input.country === undefined ? {} : { country: input.country }),
    device: input.device,
    locale: input.locale ?? null,
    allowedDomains: input.allowed_domains ?? null,
    // A script that may use no proxy fails at a challenge at once.
    waitsOutChallenges: input.prompt !== undefined || tiers.includes('proxy_browser'),
  };
}

/** Turns a block without a proxy into `proxy_required`, which names the remedy. */
function orProxyRequired({ actions, proxy }: InteractInput): (error: unknown) => never {
  return (error) => {
    const isBasic = actions !== undefined && proxy === 'basic';
    if (!isBasic || !(error instanceof ServiceError) || error.code !== 'target_blocked') throw error;
    const message = 'the target blocked access without a proxy: use proxy auto or stealth';
    throw new ServiceError('proxy_required', message, { cause: error });
  };
}

/** Actions on a page are never repeated automatically. */
function neverRetryable(error: unknown): never {
  if (!(error instanceof ServiceError) || !error.retryable) throw error;
  throw new ServiceError(error.code, error.message, { cause: error, retryable: false });
}

async function actIn(
  begun: OpenedSession,
  input: InteractInput,
  context: InteractContext,
): Promise<Served<z.input<typeof InteractOutput>>> {
  const { session, page, tier, leftMs } = begun;
  const secrets = buildSecrets(input.variables);
  const { steps, failedStep, extracted, warnings } = await runScript(input.actions ?? [], {
    session,
    secrets,
    leftMs,
    keep: context.keep,
    note: context.note,
    onActed: () => context.owe(toUsage(PRICES.interact, tier)),
    clock: context.clock,
    mostSteps: input.max_steps ?? MAX_STEPS,
    read: async (look, { output, extract: wanted }) =>
      context.read(toReadRequest(look, { outputs: [output], extract: wanted })),
  });
  const atEnd = await readAtEnd(begun, input, context);
  // An error page where nothing was done is charged as an error page.
  const isVain = isErrorPage(page)
    ? steps.every(({ status }) => status !== 'ok') && !hasActed(steps)
    : failedStep !== null && !hasActed(steps);
  return {
    tier,
    ...(isVain ? { charge: { usage: ofErrorPage(tier), paid: 0 } } : {}),
    body: {
      mode: 'actions',
      url: context.url.href,
      final_url: secrets.mask(session.url()),
      completed: failedStep === null,
      ...(failedStep === null ? {} : { failed_step: failedStep }),
      // The steps of a job are in its result already.
      steps: context.note === null ? steps : [],
      extracted,
      ...atEnd.members,
      warnings: [...warningsOfErrorPage(page), ...warnings, ...atEnd.warnings],
    },
  };
}

async function promptTo(
  prompt: string,
  begun: OpenedSession,
  { input, context }: { readonly input: InteractInput; readonly context: InteractContext },
): Promise<Served<z.input<typeof InteractOutput>>> {
  const { session, page, tier } = begun;
  const secrets = buildSecrets(input.variables);
  const asked = input.extract ?? null;
  const { base } = PRICES.interact;
  const surcharge = surchargeOf(input);
  const full = { credits: base + surcharge, base, surcharge, tier };
  const end = await promptIn(
    begun,
    {
      prompt,
      extract: asked,
      variables: input.variables,
      maxSteps: input.max_steps,
      secrets,
      onActed({ type }) {
        if (type !== 'content') context.owe(full);
      },
      async readPage() {
        const look = await session.look(begun.leftMs());
        const { outputs } = await context.read(toReadRequest(look, { outputs: ['markdown'], extract: null }));
        return outputs.markdown ?? '';
      },
    },
    context,
  );
  const { steps, failedStep, completed, result, data, unmet, warnings, tokens } = end;
  // What the model read for itself the caller does not get.
  const isVain = !completed && !hasActed(steps.filter(({ type }) => type !== 'content'));
  if (unmet.length > 0) throw misfit(unmet, isVain ? null : full);
  const atEnd = await readAtEnd(begun, input, context);
  return {
    tier,
    charge: { usage: isVain ? ofErrorPage(tier) : full, paid: 0 },
    body: {
      mode: 'prompt',
      url: context.url.href,
      final_url: secrets.mask(session.url()),
      completed,
      ...(failedStep === null ? {} : { failed_step: failedStep }),
      steps: context.note === null ? steps : [],
      result,
      ...(asked === null ? {} : { data }),
      ...atEnd.members,
      model: { input_tokens: tokens.input, output_tokens: tokens.output },
      warnings: [...warningsOfErrorPage(page), ...warnings, ...atEnd.warnings],
    },
  };
}

/** The error of data that never fitted its form, with the charge of the session, null where that is free. */
function misfit(unmet: readonly string[], usage: Usage | null): ServiceError {
  const names = unmet.slice(0, 20).join(', ');
  return new ServiceError('extraction_failed', `extract: the data of the model does not fit the schema: ${names}`, {
    retryable: false,
    ...(usage === null ? {} : { cause: new ChargedFailure(usage) }),
  });
}

/** The warnings of a first page that is an error. */
function warningsOfErrorPage(page: Page): readonly Warning[] {
  return isErrorPage(page) ? page.warnings : [];
}

/** The formats that are asked for of the page as it is at the end. */
async function readAtEnd({ session, leftMs }: OpenedSession, input: InteractInput, { read, keep }: WorkCall) {
  if (input.output.length === 0) return { members: {}, warnings: [] };
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
    members: {
      ...reading?.outputs,
      ...(reading !== null && input.output.includes('metadata') ? { metadata: reading.metadata } : {}),
      ...(await keepFiles({ output: input.output }, { artifacts }, keep)),
    },
    warnings: warningsOfFields(reading?.warnings ?? []),
  };
}

type WantedReading = { readonly outputs: readonly Output[]; readonly extract: Extract | null };

/** The whole page: the result of actions is seldom an article. */
function toReadRequest(
  { url, html }: { readonly url: string; readonly html: string },
  wanted: WantedReading,
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
