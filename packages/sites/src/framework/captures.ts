/** A rule for responses that scripts of a page load in a browser and a parser reads. The first rule that fits a response has it. */
export type CaptureRule = {
  /** The name by which parsers find them. */
  readonly name: string;
  /** The path of the URL that answered, or what matches it. */
  readonly path: string | RegExp;
  /** What matches the content type; any unless given. */
  readonly type?: RegExp;
  /** The name of the GraphQL operation that was asked for, in the body or the query of the request. */
  readonly operation?: string | RegExp;
  /** The most answers and the most bytes of them that are included, at most 100 and 20 MB of a page; the first ones count. */
  readonly most?: number;
  readonly mostBytes?: number;
};

/** An answer that scripts of a page loaded, under the name of its rule. */
export type CapturedResponse = {
  readonly name: string;
  readonly url: string;
  readonly status: number;
  readonly text: string;
};
