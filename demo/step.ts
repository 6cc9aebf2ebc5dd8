/** One call of the tour, the expected response, and the fields to show. */
export type Step = {
  readonly title: string;
  readonly method: 'GET' | 'POST';
  /**
   * `{first}` is replaced by the request id of the first call, `{last}` by that of the previous call, `{made}` by the id of the
   * resource that was created last. An absolute URL is called instead of the service.
   */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Which API key to send; default: the key of the demo. */
  readonly key?: 'none' | 'wrong';
  /** Whether to retry until the response is as expected, because the service is still working. */
  readonly patience?: 'waits';
  /** Requirements; the step is skipped if they are not met. */
  readonly needs?: readonly StepRequirement[];
  readonly expect: ExpectedResponse;
  /** Fields to show, as dotted paths; empty for the whole body. */
  readonly show: readonly string[];
};

export type StepRequirement = 'browser' | 'proxies';

/** Expected status, and expected values by dotted path. */
export type ExpectedResponse = { readonly status: number; readonly members?: Readonly<Record<string, unknown>> };

/** A fetch that must return 200. */
export function buildFetchStep(title: string, body: Readonly<Record<string, unknown>>, show: readonly string[]): Step {
  return { title, method: 'POST', path: '/v1/fetch', body, expect: { status: 200 }, show };
}

/** A fetch that must fail with this status and error code. */
export function buildErrorStep(
  title: string,
  body: Readonly<Record<string, unknown>>,
  [status, code]: readonly [number, string],
): Step {
  return {
    ...buildFetchStep(title, body, ['error', 'diagnostics']),
    expect: { status, members: { 'error.code': code } },
  };
}

/** A GET request that must return 200. */
export function buildGetStep(title: string, path: string, show: readonly string[]): Step {
  return { title, method: 'GET', path, expect: { status: 200 }, show };
}
