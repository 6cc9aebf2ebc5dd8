/** A cookie of a request. */
export type Cookie = { readonly name: string; readonly value: string };

export const SAME_SITE_VALUES = ['strict', 'lax', 'none'] as const;

/** A cookie that a site set, with its scope. */
export type StoredCookie = Cookie & {
  /** A host without leading dot; an IPv6 address without brackets. */
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly?: boolean;
  readonly sameSite?: (typeof SAME_SITE_VALUES)[number];
  /** ms since 1970; absent for a session cookie. */
  readonly expires?: number;
};
