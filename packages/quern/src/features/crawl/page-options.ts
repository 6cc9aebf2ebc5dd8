import { computePassageChars, type ModelSession } from '#engine/call/model.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { toTextOptions } from '#features/passages/page-passages.ts';
import { buildRenderRequest, needsBrowser, type PageInput, toReadOptions } from '#features/schema/page-fields.ts';
import { chooseFiles, type FileInput } from '#features/schema/page-files.ts';
import { choosePassages, chooseQuestion, type PassagesOptions } from '#features/schema/passages-fields.ts';
import type { PageOptions } from './crawl-options.ts';

/** The parameters of a page with its outputs. */
export type OutputInput = PageInput &
  FileInput & {
    readonly insecure_tls: boolean;
    readonly passages?: PassagesOptions | undefined;
  };

/** Builds how a page is requested and read from the parameters of a call. */
export function toPageOptions(input: OutputInput, modelSession: ModelSession | null): PageOptions {
  const summary = input.output.includes('summary');
  const passages = choosePassages(input);
  const files = chooseFiles(input);
  return {
    outputs: OUTPUTS.filter((name) => input.output.includes(name)),
    ...toReadOptions(input),
    passageChars: computePassageChars(modelSession, {
      summary,
      extract: input.extract ?? null,
      question: chooseQuestion(passages),
    }),
    ...toTextOptions(input),
    summary,
    passages,
    headers: input.headers,
    cookies: input.cookies,
    visit: { ...buildRenderRequest(input, files), ...(input.insecure_tls ? { insecureTls: true } : {}) },
    needsBrowser: needsBrowser(input, files),
  };
}
