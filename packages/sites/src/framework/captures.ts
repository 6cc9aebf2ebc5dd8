/** Selects responses that scripts of a page load in a browser, for the parser. The first matching rule gets a response. */
export type CaptureRule = {
  /** The name under which the parser finds the responses. */
  readonly name: string;
  /** The exact path of the response's URL, or a pattern for it. */
  readonly path: string | RegExp;
  /** A pattern for the content type; by default any. */
  readonly contentType?: RegExp;
  /** The name of the GraphQL operation in the body or query of the request. */
  readonly operation?: string | RegExp;
  /** Limits on the number of responses and their total size; at most 100 and 20 MB per page. The first responses are kept. */
  readonly max?: number;
  readonly maxBytes?: number;
};

/** A response that scripts of a page loaded, with the name of its rule. */
export type CapturedResponse = {
  readonly name: string;
  readonly url: string;
  readonly status: number;
  readonly text: string;
};
