import type { CommandView } from '#engine/call/command-view.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';

/** `quern fetch`: the text alone where only one was requested, and `--fail` for error pages. */
export const FETCH_VIEW: CommandView = {
  toText: onlyText,
  refusal: {
    flag: 'fail',
    about: 'Print nothing and end with exit code 22 where the target answered with an error or an empty body',
    refuses: isErrorAnswer,
  },
};

/** The one requested text format; null where anything else was requested. */
function onlyText(body: JsonObject): string | null {
  if (body['screenshot'] !== undefined || body['pdf'] !== undefined) return null;
  const formats = [...OUTPUTS, 'summary' as const].filter((name) => name !== 'metadata' && body[name] !== undefined);
  const [format] = formats;
  const text = format === undefined ? undefined : body[format];
  return formats.length === 1 && typeof text === 'string' ? text : null;
}

/** Whether a fetch answered an error page or an empty body. */
function isErrorAnswer({ status_code: status, warnings }: JsonObject): boolean {
  if (typeof status === 'number' && status >= 400) return true;
  return Array.isArray(warnings) && warnings.some((one) => isJsonObject(one) && one['code'] === 'target_error');
}
