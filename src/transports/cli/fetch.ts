import { isJsonObject } from '#kernel/json.ts';
import type { OwnFlags } from './command.ts';

/** The flags of `quern fetch` in addition to its input's members. */
export const FETCH_FLAGS: OwnFlags = {
  fail: {
    hint: null,
    about: 'Print nothing and end with exit code 22 where the target answered with an error or an empty body',
  },
};

/** Whether a fetch answered an error page or an empty body. */
export function isErrorAnswer({ status_code: status, warnings }: Readonly<Record<string, unknown>>): boolean {
  if (typeof status === 'number' && status >= 400) return true;
  return Array.isArray(warnings) && warnings.some((one) => isJsonObject(one) && one['code'] === 'target_error');
}
