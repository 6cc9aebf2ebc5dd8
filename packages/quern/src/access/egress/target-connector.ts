import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { errorCodeOf, toUnreached } from '#access/error-causes.ts';
import { failed, unreachable } from '#access/failure.ts';
import type { IpAddress } from '#access/guard/addresses.ts';
import { type Guard, pinned } from '#access/guard/guard.ts';
import { portOf } from '#access/guard/ports.ts';
import { targetHostOf } from '#access/guard/rules.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { KeptConnection } from './connections.ts';
import { authorityOf, type EgressGrant, type EgressLimits } from './credentials.ts';

/** Addresses that are tried within the connect limit. */
const ATTEMPTS = 4;

/** A URL that the guard let pass, and the addresses that it let pass for it. */
type CheckedTarget = { readonly url: URL; readonly addresses: readonly IpAddress[] };

export type TargetConnectorOptions = {
  readonly guard: Pick<Guard, 'readRedirect' | 'resolve'>;
  readonly limits: EgressLimits;
  readonly clock: Clock;
};

/** Connects to targets that the guard and the credentials allow, and notes for the credentials how that went. */
export class TargetConnector {
  readonly #guard: TargetConnectorOptions['guard'];
  readonly #limits: EgressLimits;
  readonly #clock: Clock;

  constructor({ guard, limits, clock }: TargetConnectorOptions) {
    this.#guard = guard;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** A new connection to the host of a URL. */
  async open(url: URL, grant: EgressGrant): Promise<Socket> {
    return this.#noting(url, grant, async (signal) =>
      this.#reach(await this.#check(url, grant, signal), grant, signal),
    );
  }

  /** Checks the host of a URL, and gives `kept` a new connection to it unless it has one that is free. */
  async prepare(kept: KeptConnection, url: URL, grant: EgressGrant): Promise<void> {
    await this.#noting(url, grant, async (signal) => {
      const target = await this.#check(url, grant, signal);
      // Where a connection through a proxy leads cannot be seen, so that none of them stays.
      const isOpen = kept.leadsTo(grant.lease === null ? target.addresses : []);
      if (!isOpen) kept.add(await this.#reach(target, grant, signal));
    });
  }

  /** Does the work within the connect limit, and notes its failure or success. */
  async #noting<T>(url: URL, { signal, note }: EgressGrant, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
    try {
      const done = await work(this.#clock.deadline(this.#limits.connectMs, signal));
      note(authorityOf(url), null);
      return done;
    } catch (error) {
      const failure = error instanceof ServiceError ? error : toUnreached(errorCodeOf(error), { cause: error });
      note(authorityOf(url), failure);
      throw failure;
    }
  }

  async #check(url: URL, { allows }: EgressGrant, signal: AbortSignal): Promise<CheckedTarget> {
    const checked = this.#guard.readRedirect(url.href, url);
    if (!allows(checked.hostname)) throw unreachable();
    return { url: checked, addresses: await this.#guard.resolve(checked, signal) };
  }

  async #reach({ url, addresses }: CheckedTarget, { lease }: EgressGrant, signal: AbortSignal): Promise<Socket> {
    if (lease === null) return dial(url, { addresses, limits: this.#limits, signal });
    return lease.upstream.open(url, addresses, signal);
  }
}

type Dialling = {
  readonly addresses: Parameters<typeof pinned>[0];
  readonly limits: EgressLimits;
  readonly signal: AbortSignal;
};

async function dial(url: URL, { addresses, limits, signal }: Dialling): Promise<Socket> {
  const socket = connect({
    host: targetHostOf(url),
    port: portOf(url),
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(limits.connectMs / ATTEMPTS),
    noDelay: true,
    allowHalfOpen: true,
  });
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', ignore);
    socket.destroy();
    throw signal.aborted ? failed('timeout', 'the target did not answer in time', { reason: 'connect' }) : error;
  }
}

/** The error of a connection that was given up does not matter. */
function ignore(): void {}
