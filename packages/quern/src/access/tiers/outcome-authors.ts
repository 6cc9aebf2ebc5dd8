import type { Outcome } from '#access/page.ts';
import { ERROR_PAGE, HELD_FOR_TENANT, UNMATCHED } from '#access/failure.ts';

/**
 * Who brought an outcome about: the caller by what was asked for, the target by what it answered, or this machine and the
 * proxies of its operator. `unclear` is an outcome that more than one of them can bring about.
 */
export type OutcomeAuthor = 'caller' | 'target' | 'machine' | 'unclear';

type Authorship = {
  readonly author: OutcomeAuthor;
  /** Reasons of the outcome that have another author. */
  readonly except?: Readonly<Record<string, OutcomeAuthor>>;
};

/** The author of each outcome. Only what this machine brings about counts against a tier that all tenants share. */
const AUTHORS: Readonly<Record<Outcome, Authorship>> = {
  ok: { author: 'target' },
  thin: { author: 'target' },
  js_required: { author: 'target' },
  challenge: { author: 'target' },
  blocked: { author: 'target' },
  rate_limited: { author: 'target' },
  auth_required: { author: 'target' },
  geo_or_legal: { author: 'target' },
  not_found: { author: 'target' },
  http_error: { author: 'target' },
  unreachable: { author: 'target' },
  tls_error: { author: 'target' },
  too_large: { author: 'target' },
  unusable: { author: 'target' },
  // A short time of the caller, a silent target and a slow machine look the same.
  timeout: { author: 'unclear', except: { [UNMATCHED]: 'caller' } },
  // Most proxies answer so for targets that they do not reach or do not like.
  proxy_error: {
    author: 'machine',
    except: {
      exit_unreached: 'target',
      proxy_refused: 'unclear',
      proxy_timeout: 'unclear',
      proxy_closed: 'unclear',
      proxy_failed: 'unclear',
      [HELD_FOR_TENANT]: 'unclear',
    },
  },
  render_failed: { author: 'machine', except: { [ERROR_PAGE]: 'target' } },
};

/** The author of an outcome; `reason` is that of the attempt, where it has one. */
export function findAuthor(outcome: Outcome, reason?: string): OutcomeAuthor {
  const { author, except = {} } = AUTHORS[outcome];
  return reason !== undefined && Object.hasOwn(except, reason) ? (except[reason] ?? author) : author;
}
