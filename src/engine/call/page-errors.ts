import type { ErrorCode } from '#kernel/errors.ts';

/** What getting a page can fail with beyond what every call can. */
export const PAGE_ERRORS: readonly ErrorCode[] = [
  'free_plan_proxy_required',
  'target_blocked',
  'target_unreachable',
  'unusable_response',
  'content_too_large',
  'unsupported_content',
  'backend_unavailable',
  'timeout',
];
