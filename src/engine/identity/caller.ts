import type { Plan } from './plans.ts';

/** Who asks: the tenant of the key and the plan in force. */
export type Caller = { readonly tenant: string; readonly keyId: string; readonly plan: Plan };
