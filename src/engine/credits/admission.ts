import type { Tier } from '#access/page.ts';
import type { Plan } from '#engine/identity/plans.ts';

/** The time, tiers and credits of a piece of work, settled before it runs. */
export type Admission = {
  /** Wall clock from receipt, ms. */
  readonly timeoutMs: number;
  /** The same for a job, from its first claim; `timeoutMs` unless given. */
  readonly jobTimeoutMs?: number;
  /** The access tiers that the plan and the options allow, cheapest first. */
  readonly tiers: readonly Tier[];
  /** Credits of the cheapest outcome that the request can have. */
  readonly cheapest: number;
  /** Of these, what is due whichever tier serves; none unless given. */
  readonly besides?: number;
  /** The caller's ceiling for this call, null for none. */
  readonly maxCredits: number | null;
};

/** The facts that the option gate decides by. */
export type AdmissionFacts = {
  readonly plan: Plan;
  /** The egress guard's word on a URL of the caller: parsed, or a 400 that says what is wrong. */
  readonly readTarget: (url: string, member?: string) => URL;
  /** Whether the operator opened the host, as a site of his own. */
  readonly isOpened: (url: URL) => boolean;
  /** Whether the operator configured a model. */
  readonly hasModel: boolean;
};
