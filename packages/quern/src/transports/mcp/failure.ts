import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ErrorCode, ServiceError } from '#kernel/errors.ts';

/** What an agent can do about a failure, in terms of tools. */
const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: 'Call the tool with help: true to see all that it takes.',
  plan_upgrade_required: 'The plan of this key does not include it: tell the user, or leave the option out.',
  credits_exhausted: 'No credits are left: the tool usage shows when there are new ones.',
  daily_credit_cap_exceeded: 'The credits of today are used up: the tool usage shows when the day ends.',
  free_plan_proxy_required: 'The page needs a proxy, which the plan of this key does not include: try another source.',
  proxy_required: 'Try again with proxy: "stealth", or another source.',
  target_blocked: 'The site refuses automated visits: try proxy: "stealth" once, else another source.',
  target_rate_limited: 'The site asks for a slower pace: try again later.',
  target_unreachable: 'Check the address, or try another source.',
  unsupported_content: 'This kind of file cannot be read as text: try another address.',
  content_too_large: 'Ask for less: fewer formats, or a smaller limit.',
  not_found: 'Check the id, address or tool: the actions list of job and monitor name those that there are.',
  tenant_suspended:
    'Tell the user: the operator of the service has to resume the tenant. What is there can still be read.',
  job_not_finished: 'Use the tool job with action show and wait_ms: 30000, or its action result with partial: true.',
  job_failed: 'Start it again with other options; the cause stands above.',
  job_cancelled: 'Its action result with partial: true gives what it had.',
  result_expired: 'Results are kept for a while only: do the work again.',
  extraction_failed: 'Ask for markdown instead, or give selectors.',
  timeout: 'Try again with a larger timeout_ms, or submit it with the tool job.',
  queue_full: 'Wait until other jobs have ended: the tool job lists them.',
};

/** A failure as the result of a tool: what went wrong, whether trying again may help, and what else to do. */
export function toToolFailure(error: ServiceError): CallToolResult {
  const { code, message, retryable, retryAfterSeconds: seconds } = error;
  const wait = seconds === null ? 'a little later' : `in ${seconds} s`;
  // What may help against a block is another call, which its own advice names.
  const mayPass = retryable && code !== 'target_blocked';
  const advice = [...(mayPass ? [`The same call may succeed ${wait}.`] : []), ADVICE[code] ?? ''].join(' ').trim();
  const text = advice === '' ? `${code}: ${message}` : `${code}: ${message}\n${advice}`;
  return { isError: true, content: [{ type: 'text', text }] };
}
