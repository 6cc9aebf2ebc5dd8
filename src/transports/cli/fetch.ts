import { isSchema } from '#transports/schema.ts';
import type { OwnFlags } from './command.ts';

/** The flags of `quern fetch` beside the members of its input. */
export const FETCH_FLAGS: OwnFlags = {
  fail: {
    hint: null,
    about: 'Print nothing and end with exit code 22 where the target answered with an error or an empty body',
  },
};

/** Whether the answer of a fetch is an error page, or that of a target which said nothing. */
export function isErrorAnswer({ status_code: status, warnings }: Readonly<Record<string, unknown>>): boolean {
  if (typeof status === 'number' && status >= 400) return true;
  return Array.isArray(warnings) && warnings.some((one) => isSchema(one) && one['code'] === 'target_error');
}
