import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { StoreKind } from '#store/db.ts';
import type { PlanName } from '#engine/identity/plans.ts';
import { withFleet } from '../fleet.ts';
import { openScriptedModel } from '../model.ts';
import { KEY, type RunningService, type Settings } from '../quern.ts';
import { openEngine, openOrigin } from './origin.ts';
import type { Tenant } from './victims.ts';

/** The plan of a victim: `pro` without a rate limit. */
const VICTIM = {
  like: 'pro',
  requests_per_minute: null,
  credits_per_month: null,
  daily_cap: null,
  queued_jobs: null,
  kept_jobs: null,
};
/** With limited credits an attacker would only attack for a shorter time. */
const RICH = { credits_per_month: null, daily_cap: null };
const MODEL_MS = 150;

const Made = z.looseObject({ id: z.string() });
const MadeKey = z.looseObject({ key: z.string() });

/** A service in its own process, with shared backends, and the sites that tenants visit. */
export type Stage = {
  readonly service: RunningService;
  readonly sites: { readonly own: string; readonly attacker: string; readonly shared: string };
  readonly addTenant: (plan: PlanName | 'victim') => Promise<Tenant & { readonly id: string }>;
  /** Cancels the remaining work of a tenant. */
  readonly suspend: (tenant: { readonly id: string }) => Promise<void>;
};

/** Opens a stage on a store; it is removed after the work. */
export async function withStage<T>(
  kind: StoreKind,
  settings: Settings,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  await using closing = new AsyncDisposableStack();
  const open = async () => closing.use(await openOrigin());
  // Backends of the service are not targets of tenants.
  const [own, attacker, shared] = [await open(), await open(), await open()];
  const engine = closing.use(await openEngine(own.origin));
  const model = closing.use(
    await openScriptedModel(async () => {
      await new Promise((resolve) => setTimeout(resolve, MODEL_MS));
      return { text: '{"answer": "Rye and wheat [1].", "sources": [1], "x": "oats"}' };
    }),
  );
  return await withFleet({ kind, time: 'real' }, async (fleet) => {
    const [plans, search] = [join(fleet.folder, 'plans.json'), join(fleet.folder, 'search.json')];
    await writeFile(plans, JSON.stringify({ free: RICH, starter: RICH, pro: RICH, scale: RICH, victim: VICTIM }));
    const backends = { mine: { driver: 'searxng', url: engine.origin } };
    await writeFile(search, JSON.stringify({ backends, answerengine: { driver: 'rag' } }));
    const service = await fleet.serve('attacked', {
      QUERN_PLANS_FILE: plans,
      QUERN_SEARCH_FILE: search,
      QUERN_SEARCH_INDEX: 'on',
      QUERN_MODEL_URL: model.url,
      QUERN_MODEL: 'miller-1',
      QUERN_ALLOW_TARGETS: [own, attacker, shared].map(({ port }) => `127.0.0.1:${port}`).join(','),
      ...settings,
    });
    return work({
      service,
      sites: { own: own.origin, attacker: attacker.origin, shared: shared.origin },
      async addTenant(plan) {
        const { id } = Made.parse((await service.call('/v1/admin/tenants', { name: plan, plan })).body);
        const { key } = MadeKey.parse((await service.call(`/v1/admin/tenants/${id}/keys`, { name: plan })).body);
        return { service, key, id };
      },
      async suspend({ id }) {
        const { ok } = await fetch(`${service.origin}/v1/admin/tenants/${id}`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify({ suspended: true }),
        });
        if (!ok) throw new Error('the tenant was not suspended');
      },
    });
  });
}
