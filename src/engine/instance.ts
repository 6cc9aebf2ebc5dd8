/** What this instance is and can do, for `/v1/capabilities`. */
export type Instance = Record<never, never>;
