import { type ControlCall, type Reply, toReply } from '#engine/call/operation.ts';
import type { AdmittedJob, JobGate } from '#engine/call/steps/queue.ts';
import type { Accounts } from '#engine/credits/accounts.ts';
import type { MonitorKind } from './presets/preset.ts';
import type { MonitorDefinition } from './store/definition.ts';
import type { MonitorView, Monitors, TriggeredRun } from './store/monitors.ts';
import type { WebhookInput } from '#features/webhooks/schema.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { type DefinitionFacts, OWN_NAMES, buildMergedDefinition, mergePatch } from './definition-input.ts';
import { buildHotelDefinition } from './hotel-input.ts';
import { buildLaunchDefinition } from './launch-input.ts';

/** How often a change is retried because of a concurrent change. */
const MAX_TRIES = 5;

type MonitorCommandParts = {
  readonly monitors: Monitors;
  readonly queueing: Pick<JobGate, 'admit'>;
  readonly accounts: Pick<Accounts, 'assertCredits'>;
};

type NewMonitor = JsonObject & { readonly webhook: WebhookInput | null };
type MonitorChange = JsonObject & { readonly id: string; readonly webhook?: WebhookInput | null | undefined };

/** Creates, updates, deletes and triggers monitors of every kind. */
export type MonitorCommands = ReturnType<typeof buildMonitorCommands>;

export function buildMonitorCommands({ monitors, queueing, accounts }: MonitorCommandParts) {
  const toFacts = ({ caller, now }: ControlCall): DefinitionFacts => ({
    plan: caller.plan,
    now,
    examine: (order): AdmittedJob => queueing.admit(order, caller),
  });
  return {
    /** Creates a monitor from a body, which `toDefinition` validates. */
    async create<B extends NewMonitor>(
      { webhook, ...body }: B,
      call: ControlCall,
      toDefinition: (body: Omit<B, 'webhook'>, facts: DefinitionFacts) => MonitorDefinition,
    ): Promise<Reply<MonitorView>> {
      const made = await monitors.create(call.caller, {
        definition: toDefinition(body, toFacts(call)),
        webhook,
        record: async (tx, monitor) =>
          call.storeAnswer(tx, { status: 201, headers: buildLocation(monitor.id), body: monitor }),
      });
      return { ...toReply(201, made), headers: buildLocation(made.id) };
    },

    /** Merges a change into a monitor. The general route (`isGeneral`) only changes fields that all kinds have. */
    async update(
      { id, webhook, ...change }: MonitorChange,
      call: ControlCall,
      { isGeneral }: { readonly isGeneral: boolean },
    ): Promise<MonitorView> {
      const { caller } = call;
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const { version, body, definition: stored } = await monitors.read(caller.tenant, id);
        if (isGeneral) assertCommonMembers(change, stored);
        // A monitor that the plan no longer allows can still be switched off.
        const definition = isSwitchOff(change)
          ? { ...stored, active: false }
          : buildChangedDefinition(mergePatch(body, change), toFacts(call), stored);
        const patched = await monitors.patch(caller, id, { version, definition, webhook });
        if (patched !== null) return patched;
      }
      throw new ServiceError('backend_unavailable', `${id} is being changed by another request: try again`);
    },

    async remove(id: string, { caller }: ControlCall): Promise<Reply<never>> {
      await monitors.remove(caller.tenant, id);
      return { status: 204, headers: {}, body: null, stream: null };
    },

    /** Queues a run. `keep` stores the answer for an idempotency key in the same transaction. */
    async trigger(
      id: string,
      { caller }: ControlCall,
      keep: (tx: Parameters<ControlCall['storeAnswer']>[0], run: TriggeredRun) => Promise<void>,
    ): Promise<TriggeredRun> {
      const { operation, input } = await monitors.readTarget(caller.tenant, id);
      const { admission } = queueing.admit({ kind: operation, input, named: OWN_NAMES }, caller);
      await accounts.assertCredits(caller.tenant, caller.plan, admission.cheapest);
      return monitors.trigger(caller.tenant, id, keep);
    },
  };
}

/** Location header of the latest run of a monitor. */
export function buildRunLocation(id: string): Readonly<Record<string, string>> {
  return { location: `/v1/monitors/${id}/runs/latest` };
}

function isSwitchOff({ active, ...others }: JsonObject): boolean {
  return active === false && Object.values(others).every((value) => value === undefined);
}

function buildLocation(id: string): Readonly<Record<string, string>> {
  return { location: `/v1/monitors/${id}` };
}

type DefinitionBuilder = (merged: JsonObject, facts: DefinitionFacts, before: MonitorDefinition) => MonitorDefinition;

/** Builds the definition of a changed body, by kind. */
const DEFINITION_BUILDERS: Readonly<Record<MonitorKind, DefinitionBuilder>> = {
  generic: buildMergedDefinition,
  hotel: buildHotelDefinition,
  hotel_channels: buildHotelDefinition,
  launch: buildLaunchDefinition,
};

/** Builds the definition of a changed body. Throws `invalid_request`. */
function buildChangedDefinition(
  merged: JsonObject,
  facts: DefinitionFacts,
  before: MonitorDefinition,
): MonitorDefinition {
  return DEFINITION_BUILDERS[before.kind](merged, facts, before);
}

/** The fields that the general route can change in every kind of monitor. */
const COMMON_MEMBERS: ReadonlySet<string> = new Set(['active', 'name', 'cron', 'timezone', 'watch']);

/**
 * Throws `invalid_request` if the general route changes a field of a preset monitor that only generic monitors have.
 */
function assertCommonMembers(change: JsonObject, { kind }: MonitorDefinition): void {
  if (kind === 'generic') return;
  const other = Object.keys(change).find((name) => change[name] !== undefined && !COMMON_MEMBERS.has(name));
  if (other === undefined) return;
  throw new ServiceError('invalid_request', `${other}: cannot be changed in a monitor of kind ${kind}`);
}
