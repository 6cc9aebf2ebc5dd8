import { isErrorPage } from '#access/classify/error-page.ts';
import type { Page, PageRequest, Submission } from '#access/page.ts';
import type { Feature } from '#engine/call/feature.ts';
import {
  type ModelSession,
  askModel,
  type ModelOutputs,
  computePassageChars,
  type ModelRequest,
} from '#engine/call/model.ts';
import { bindWork } from '#engine/call/bound-operation.ts';
import type { WorkCall, WorkResult } from '#engine/call/operation.ts';
import {
  toErrorPageUsage,
  PRICES,
  type ServedTier,
  toUsage,
  type Usage,
  addModelOutputs,
} from '#engine/credits/prices.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { OUTPUTS, type ReadRequest } from '#extract/reading.ts';
import type { PackedReading } from '#engine/reading/packed-outputs.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type Warning, listNewWarnings } from '#kernel/warnings.ts';
import type { Clock } from '#kernel/clock.ts';
import { type FrameConditions, readWithFrames, chooseFrameTiers, buildFrameRequest } from '#engine/reading/frames.ts';
import { isOverInlineTimeout } from '#features/schema/parameters.ts';
import { admitFetch, type FetchInput, fetchPage } from './operation.ts';
import type { PageCopies } from '#features/changes/page-copies.ts';
import { addChanges, chooseTrackedPage } from '#features/changes/track-page.ts';
import { findPassages, toTextOptions } from '#features/passages/page-passages.ts';
import { chooseChanges } from '#features/schema/changes-fields.ts';
import { choosePassages, chooseQuestion } from '#features/schema/passages-fields.ts';
import { storeFiles, chooseFiles } from '#features/schema/page-files.ts';
import { toReadOptions, buildRenderRequest } from '#features/schema/page-fields.ts';
import { buildSubmission, toSpentError } from '#features/schema/submission.ts';

export type FetchParts = {
  /** Parses a URL of the caller and checks that it may be fetched. */
  readonly readTarget: (url: string) => URL;
  /** The copies that pages are compared with. */
  readonly copies: PageCopies;
  /** Reads the plan of a tenant, which limits its copies. */
  readonly readPlan: (tenant: string) => Promise<Plan>;
  readonly clock: Clock;
};

/** The feature that fetches single pages. */
export function buildFetch(parts: FetchParts): Feature {
  return {
    operations: [
      bindWork(fetchPage, {
        admit: admitFetch,
        queue: isOverInlineTimeout,
        run: async (input, call) => runOnce(parts, input, call),
      }),
    ],
    rounds: [{ name: 'page_copies', run: async (signal) => parts.copies.tidy(parts.readPlan, signal) }],
  };
}

/** Runs a call. A failure after a request that must not be sent again says so, and is not retryable. */
async function runOnce(parts: FetchParts, input: FetchInput, call: WorkCall) {
  const submission = buildSubmission(input, call.reportProgress);
  try {
    const result = await run(parts, input, { call, submission });
    call.signal.throwIfAborted();
    if (submission?.once?.isSent() === true) await call.reportProgress?.([], { begun: 1, completed: 1, failed: 0 });
    return result;
  } catch (error) {
    if (submission?.once?.isSent() !== true) throw error;
    throw toSpentError(error, submission.method, call.signal);
  }
}

type SubmittingCall = { readonly call: WorkCall; readonly submission: Submission | null };

async function run(parts: FetchParts, input: FetchInput, { call, submission }: SubmittingCall) {
  const url = parts.readTarget(input.url);
  const { visit, read, readForReply, storeArtifact, modelSession } = call;
  const { headers, cookies } = input;
  const wishes = toModelRequest(input);
  const passageChars = computePassageChars(modelSession, wishes);
  const request: PageRequest = {
    url,
    headers,
    cookies,
    ...(submission === null ? {} : { submission }),
    ...(input.insecure_tls ? { insecureTls: true } : {}),
    ...buildRenderRequest(input, chooseFiles(input)),
  };
  const early: PackedReading[] = [];
  const visited = await visit(request, {
    maxAgeMs: input.max_age_ms,
    respectRobots: input.respect_robots,
    session: input.session,
    isSufficient:
      wantsOnlyFields(input) && !input.frames
        ? async (shell) => {
            const reading = await read(toReadRequest(input, shell, passageChars)).catch(ignoreUnmet);
            if (reading === null || !hasAllFields(reading.outputs.json)) return false;
            early.push(reading);
            return true;
          }
        : null,
  });
  const { page, tier, ageMs, attempts } = visited;
  const reading =
    early[0] ??
    (await readWithFrames(toReadRequest(input, page, passageChars), {
      ...buildFrameParts(parts, input, { call, request, tier }),
      read: readForReply,
    }));
  // Redundant if the status already shows an error.
  const ofReading = reading.warnings.filter(({ code }) => code !== 'refusal_page' || page.status < 400);
  const found = await findPassages(reading.plainText ?? '', choosePassages(input), modelSession !== null);
  const made = await makeModelOutputs(modelSession, {
    ...wishes,
    reading,
    passages: found.list,
    url: page.url,
    tier,
    isError: isErrorPage(page),
  });
  const result = {
    tier,
    charge: { usage: made.usage, paid: 0 },
    body: {
      url: request.url.href,
      final_url: page.url,
      status_code: page.status,
      content_type: page.contentType,
      ...reading.outputs,
      ...found.members,
      ...made.members,
      ...(await storeFiles(input, page, storeArtifact)),
      metadata: reading.metadata,
      truncated: reading.truncated,
      ...(reading.nextOffset === null ? {} : { next_offset: reading.nextOffset }),
      cache: ageMs === null ? { hit: false } : { hit: true, age_ms: ageMs },
      attempts,
      warnings: [
        ...page.warnings,
        ...listNewWarnings(page.warnings, [...ofReading, ...found.warnings, ...made.warnings]),
      ],
    },
  };
  return addFetchChanges(parts, input, { call, submission, page, reading, result });
}

function toModelRequest(input: FetchInput): ModelRequest {
  return {
    summary: input.output.includes('summary'),
    extract: input.extract ?? null,
    question: chooseQuestion(choosePassages(input)),
  };
}

type FetchResult<B> = SubmittingCall & {
  readonly page: Page;
  readonly reading: PackedReading;
  readonly result: WorkResult<B>;
};

/** Adds output `changes`, if it is requested. */
async function addFetchChanges<B extends { readonly json?: JsonObject; readonly warnings: readonly Warning[] }>(
  { copies, readTarget, clock }: FetchParts,
  input: FetchInput,
  { call, submission, page, reading, result }: FetchResult<B>,
) {
  const options = chooseChanges(input);
  const { body } = result;
  if (options === null) return result;
  const tracked = chooseTrackedPage({
    url: readTarget(input.url).href,
    submission,
    fetchedAt: clock.now(),
    page,
    warnings: body.warnings,
    content: { markdown: reading.wholeMarkdown ?? '', fields: body.json ?? null },
  });
  return addChanges(result, { copies, tenant: call.account.tenant, options, page: tracked });
}

type PageCall = { readonly call: WorkCall; readonly request: PageRequest; readonly tier: ServedTier };

/** Frames are requested like their page. Headers and cookies of the caller are only sent to the page's own origin. */
function buildFrameParts({ readTarget, clock }: FetchParts, input: FetchInput, { call, request, tier }: PageCall) {
  const { deadline, signal, visit, admission } = call;
  const tiers = chooseFrameTiers(admission.tiers, tier);
  return {
    async load(address: string, { withinMs, signal: ending }: FrameConditions): Promise<Page> {
      const url = readTarget(address);
      const isOwn = url.origin === request.url.origin;
      const sent = { headers: isOwn ? request.headers : {}, cookies: isOwn ? request.cookies : [] };
      const { page } = await visit(
        { ...buildFrameRequest(request, url), ...sent, ...(input.insecure_tls ? { insecureTls: true } : {}) },
        {
          maxAgeMs: input.max_age_ms,
          respectRobots: input.respect_robots,
          session: input.session,
          isSufficient: null,
          signal: ending,
          frame: { tiers, withinMs },
        },
      );
      return page;
    },
    leftMs: deadline.startedAt + deadline.timeoutMs - clock.monotonic(),
    signal,
    clock,
  };
}

type FetchedPage = ModelRequest & {
  readonly reading: PackedReading;
  readonly passages: readonly string[];
  readonly url: string;
  readonly tier: ServedTier;
  /** Whether it is an error page. It is free, and no model is used for it. */
  readonly isError: boolean;
};

/** Makes the outputs of the model, and computes the charge. */
async function makeModelOutputs(
  modelSession: ModelSession | null,
  page: FetchedPage,
): Promise<Omit<ModelOutputs, 'count'> & { readonly usage: Usage }> {
  const { reading, passages, url, tier, summary, extract, question, isError } = page;
  const plain = isError ? toErrorPageUsage(tier) : toUsage(PRICES.fetch, tier);
  const { passage, metadata } = reading;
  if (modelSession === null || passage === null) return { members: {}, warnings: [], usage: plain };
  const outputs = [true, summary, question !== null].filter(Boolean).length;
  const { credits } = addModelOutputs(plain, PRICES.fetch, outputs);
  const { title } = metadata;
  const { count, ...made } = await askModel(
    modelSession,
    {
      summary: summary && !isError,
      extract,
      question: isError ? null : question,
      url,
      title,
      passage,
      passages,
      json: reading.outputs.json ?? {},
      async tryReserve() {
        if (isError) return 'but is not used for an error page';
        return (await modelSession.tryReserve(credits))
          ? null
          : `for ${credits} credits in total, but max_credits is lower`;
      },
    },
    modelSession.signal,
  );
  if (!isError) return { ...made, usage: addModelOutputs(plain, PRICES.fetch, count) };
  const unused = [...(summary ? ['summary'] : []), ...(question === null ? [] : ['answer'])];
  const members = { ...made.members, ...(summary ? { summary: '' } : {}) };
  return { members, warnings: [...made.warnings, ...unused.map(warnUnused)], usage: plain };
}

function warnUnused(output: string): Warning {
  return { code: 'model_refused', message: `${output}: the model is not used for an error page` };
}

function toReadRequest(input: FetchInput, page: Page, passageChars: number | null): ReadRequest {
  const { body, contentType, url, fetchedAt } = page;
  return {
    body,
    contentType,
    url,
    outputs: OUTPUTS.filter((name) => input.output.includes(name)),
    ...toReadOptions(input),
    passageChars,
    wholeMarkdown: chooseChanges(input) !== null,
    ...toTextOptions(input),
    ...(fetchedAt === undefined ? {} : { fetchedAt }),
  };
}

/** Whether only fields are requested, which data embedded in the page may already contain. */
function wantsOnlyFields({ output }: FetchInput): boolean {
  return output.includes('json') && output.every((name) => name === 'json' || name === 'metadata');
}

function ignoreUnmet(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'extraction_failed') return null;
  throw error;
}

/** Whether all requested fields have a value. */
function hasAllFields(json: Readonly<Record<string, unknown>> = {}): boolean {
  const members = Object.values(json);
  return members.length > 0 && members.every((one) => one !== null && !(Array.isArray(one) && one.length === 0));
}
