import type { ErrorCode } from '#kernel/errors.ts';

/** Error codes of operations that fetch pages, in addition to those of every call. */
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
