/** One call of the tour, what it must answer and what of it is worth showing. */
export type Step = {
  readonly title: string;
  readonly method: 'GET' | 'POST';
  /**
   * `{first}` stands for the request id of the first call, `{last}` for that of the one before, `{made}` for the id of what
   * was made last. A whole address is not the service's but another one's.
   */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The bearer; the demo's own key when not said. */
  readonly key?: 'none' | 'wrong';
  /** Whether it is asked again for a while until it answers as expected, since what it shows is under way. */
  readonly patience?: 'waits';
  /** What an instance must have for it; nothing special when not said. */
  readonly needs?: readonly Need[];
  readonly expect: Expectation;
  /** Members to show, as dotted paths; the whole body when empty. */
  readonly show: readonly string[];
};

export type Need = 'browser' | 'proxies';

/** The status, and members that must have these values (dotted paths). */
export type Expectation = { readonly status: number; readonly members?: Readonly<Record<string, unknown>> };

/** A fetch that answers 200, and the members of its answer to show. */
export function fetchStep(title: string, body: Readonly<Record<string, unknown>>, show: readonly string[]): Step {
  return { title, method: 'POST', path: '/v1/fetch', body, expect: { status: 200 }, show };
}

/** A fetch that is refused or fails with this status and code. */
export function errorStep(
  title: string,
  body: Readonly<Record<string, unknown>>,
  [status, code]: readonly [number, string],
): Step {
  return { ...fetchStep(title, body, ['error', 'diagnostics']), expect: { status, members: { 'error.code': code } } };
}

/** A look at something that answers 200. */
export function getStep(title: string, path: string, show: readonly string[]): Step {
  return { title, method: 'GET', path, expect: { status: 200 }, show };
}
