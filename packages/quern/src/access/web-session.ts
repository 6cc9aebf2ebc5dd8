/** The local storage of origins, each a map of its items. */
export type LocalStorage = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The content of a named session. */
export type SessionState = { readonly cookies: readonly StoredCookie[]; readonly storage: LocalStorage };

/** The changes of a call, by cookie key and by origin and item; null for a deleted one. */
export type SessionChange = {
  readonly cookies: ReadonlyMap<string, StoredCookie | null>;
  readonly storage: ReadonlyMap<string, ReadonlyMap<string, string | null>>;
};

export const EMPTY_STATE: SessionState = { cookies: [], storage: new Map() };

const NO_CHANGE: SessionChange = { cookies: new Map(), storage: new Map() };

/** The identity of a cookie (RFC 6265 section 5.3, step 11). */
export function buildCookieKey({ name, domain, path }: Pick<StoredCookie, 'name' | 'domain' | 'path'>): string {
  return `${name};${domain};${path}`;
}

/** Applies a change to a state, which may differ from the state in which the change was made. */
export function applyChange({ cookies, storage }: SessionState, change: SessionChange): SessionState {
  const cookiesByKey = new Map(cookies.map((cookie) => [buildCookieKey(cookie), cookie]));
  mergeChanges(cookiesByKey, change.cookies);
  const origins = new Map([...storage].map(([origin, items]) => [origin, new Map(items)]));
  for (const [origin, changed] of change.storage) {
    const items = origins.get(origin) ?? new Map<string, string>();
    mergeChanges(items, changed);
    origins.delete(origin);
    if (items.size > 0) origins.set(origin, items);
  }
  return { cookies: [...cookiesByKey.values()], storage: origins };
}

function mergeChanges<T>(target: Map<string, T>, changed: ReadonlyMap<string, T | null>): void {
  for (const [key, value] of changed) {
    // Keeps the order in which values were set.
    target.delete(key);
    if (value !== null) target.set(key, value);
  }
}

/** The cookies and the local storage of a named session, as the visits of one call use and change them. */
export class WebSession {
  #state: SessionState;
  #cookies = new Map<string, StoredCookie | null>();
  #storage = new Map<string, Map<string, string | null>>();

  constructor(state: SessionState) {
    this.#state = state;
  }

  cookies(): readonly StoredCookie[] {
    return this.#state.cookies;
  }

  storage(): LocalStorage {
    return this.#state.storage;
  }

  setCookie(cookie: StoredCookie): void {
    this.change({ ...NO_CHANGE, cookies: new Map([[buildCookieKey(cookie), cookie]]) });
  }

  dropCookie(cookie: Pick<StoredCookie, 'name' | 'domain' | 'path'>): void {
    this.change({ ...NO_CHANGE, cookies: new Map([[buildCookieKey(cookie), null]]) });
  }

  change(change: SessionChange): void {
    this.#state = applyChange(this.#state, change);
    for (const [key, cookie] of change.cookies) this.#cookies.set(key, cookie);
    for (const [origin, items] of change.storage) {
      this.#storage.set(origin, new Map([...(this.#storage.get(origin) ?? []), ...items]));
    }
  }

  /** The changes since the last call; null if there are none. */
  takeChange(): SessionChange | null {
    const change = { cookies: this.#cookies, storage: this.#storage };
    if (change.cookies.size === 0 && change.storage.size === 0) return null;
    this.#cookies = new Map();
    this.#storage = new Map();
    return change;
  }

  /** Restores changes that could not be stored; newer changes take precedence. */
  putBack(change: SessionChange): void {
    const since = this.takeChange();
    this.change(change);
    if (since !== null) this.change(since);
  }

  /** Replaces the state by the stored one, with the unstored changes on top. */
  rebase(stored: SessionState): void {
    this.#state = applyChange(stored, { cookies: this.#cookies, storage: this.#storage });
  }
}

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
