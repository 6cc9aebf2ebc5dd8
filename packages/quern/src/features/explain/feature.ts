import { isErrorPage } from '#access/classify/error-page.ts';
import type { Page, PageRequest } from '#access/page.ts';
import type { Feature } from '#engine/call/feature.ts';
import { bindWork } from '#engine/call/bound-operation.ts';
import type { WorkCall } from '#engine/call/operation.ts';
import { toErrorPageUsage, PRICES, toUsage } from '#engine/credits/prices.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import { listNewWarnings } from '#kernel/warnings.ts';
import { NO_FILES, buildRenderRequest } from '#features/schema/page-fields.ts';
import { isOverInlineTimeout } from '#features/schema/parameters.ts';
import { admitExplain, explain, type ExplainInput } from './operation.ts';
import { renderExplanation } from './explanation-page.ts';

export type ExplainFeatureParts = {
  /** Parses a URL of the caller and checks that it may be fetched. */
  readonly readTarget: (url: string) => URL;
};

/** The feature that explains how a page is parsed. */
export function buildExplain({ readTarget }: ExplainFeatureParts): Feature {
  return {
    operations: [
      bindWork(explain, {
        admit: admitExplain,
        queue: isOverInlineTimeout,
        run: async (input, call) => run(readTarget(input.url), input, call),
      }),
    ],
  };
}

async function run(url: URL, input: ExplainInput, { visit, read }: WorkCall) {
  const { headers, cookies } = input;
  const request: PageRequest = { url, headers, cookies, ...buildRenderRequest(input, NO_FILES) };
  const { page, tier, ageMs, attempts } = await visit(request, {
    maxAgeMs: input.max_age_ms,
    respectRobots: input.respect_robots,
    session: input.session,
    isSufficient: null,
  });
  if (!/html/i.test(page.contentType)) {
    throw new ServiceError('unsupported_content', `${page.contentType} cannot be explained; only HTML can`);
  }
  const reading = await read(toReadRequest(input, page));
  const { explanation = null, elements = [] } = reading.report ?? {};
  return {
    tier,
    charge: { usage: isErrorPage(page) ? toErrorPageUsage(tier) : toUsage(PRICES.explain, tier), paid: 0 },
    body: {
      url: url.href,
      final_url: page.url,
      status_code: page.status,
      content_type: page.contentType,
      title: reading.metadata.title,
      explanation,
      picture: explanation === null ? null : renderExplanation(explanation, page.url).markup,
      elements,
      fields: buildFields(reading),
      cache: ageMs === null ? { hit: false } : { hit: true, age_ms: ageMs },
      attempts,
      warnings: [...page.warnings, ...listNewWarnings(page.warnings, reading.warnings)],
    },
  };
}

/** Builds the matches of each field's selector together with the field's value. */
function buildFields({ report, outputs }: PageReading) {
  const values = new Map(Object.entries(outputs.json ?? {}));
  const matched = Object.entries(report?.fields ?? {});
  return Object.fromEntries(matched.map(([name, found]) => [name, { ...found, value: values.get(name) ?? null }]));
}

function toReadRequest({ extract }: ExplainInput, { body, contentType, url, fetchedAt }: Page): ReadRequest {
  return {
    body,
    contentType,
    url,
    outputs: extract === undefined ? [] : ['json'],
    onlyMainContent: true,
    includeSelectors: [],
    excludeSelectors: [],
    extract: extract ?? null,
    maxChars: null,
    offsetChars: 0,
    passageChars: null,
    reports: true,
    ...(fetchedAt === undefined ? {} : { fetchedAt }),
  };
}
