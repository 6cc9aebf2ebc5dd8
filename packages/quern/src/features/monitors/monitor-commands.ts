import { type ControlCall, type Reply, toReply } from '#engine/call/operation.ts';
import type { AdmittedJob, JobGate } from '#engine/call/steps/queue.ts';
import type { Accounts } from '#engine/credits/accounts.ts';
import type { MonitorKind } from './presets/preset.ts';
import type { MonitorDefinition } from './store/definition.ts';
import type { MonitorView, Monitors, TriggeredRun } from './store/monitors.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import {
  buildGenericDefinition,
  type DefinitionFacts,
  mergePatch,
  type MonitorPatchBody,
  type NewMonitorBody,
  OWN_NAMES,
} from './definition-input.ts';
import { buildHotelDefinition } from './hotel-input.ts';
import { buildLaunchDefinition } from './launch-input.ts';

/** How often a change is retried because of a concurrent change. */
const MAX_TRIES = 5;

type MonitorCommandParts = {
  readonly monitors: Monitors;
  readonly queueing: Pick<JobGate, 'admit'>;
  readonly accounts: Pick<Accounts, 'assertCredits'>;
};

/** Creates, updates, deletes and triggers monitors of every kind. */
export type MonitorCommands = ReturnType<typeof buildMonitorCommands>;

export function buildMonitorCommands({ monitors, queueing, accounts }: MonitorCommandParts) {
  const toFacts = ({ caller, now }: ControlCall): DefinitionFacts => ({
    plan: caller.plan,
    now,
    examine: (order): AdmittedJob => queueing.admit(order, caller),
  });
  return {
    /** Creates a monitor. The builder of `kind` makes its definition from the body. */
    async create(
      kind: MonitorKind,
      { webhook, ...body }: NewMonitorBody,
      call: ControlCall,
    ): Promise<Reply<MonitorView>> {
      const monitor = await monitors.create(call.caller, {
        definition: DEFINITION_BUILDERS[kind](body, toFacts(call), null),
        webhook,
        record: async (tx, created) =>
          call.storeAnswer(tx, { status: 201, headers: buildLocation(created.id), body: created }),
      });
      return { ...toReply(201, monitor), headers: buildLocation(monitor.id) };
    },

    /** Merges a change into a monitor. The general route (`isGeneral`) only changes fields that all kinds have. */
    async update(
      { id, webhook, ...change }: MonitorPatchBody,
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
          : DEFINITION_BUILDERS[stored.kind](mergePatch(body, change), toFacts(call), stored);
        const patched = await monitors.patch(caller, id, { version, definition, webhook });
        if (patched !== null) return patched;
      }
      throw new ServiceError('backend_unavailable', `${id} is being changed by another request: try again`);
    },

    async remove(id: string, { caller }: ControlCall): Promise<Reply<never>> {
      await monitors.remove(caller.tenant, id);
      return { status: 204, headers: {}, body: null, stream: null };
    },

    /** Queues a run. `storeAnswer` stores the answer for an idempotency key in the same transaction. */
    async trigger(
      id: string,
      { caller }: ControlCall,
      storeAnswer: (tx: Parameters<ControlCall['storeAnswer']>[0], run: TriggeredRun) => Promise<void>,
    ): Promise<TriggeredRun> {
      const { operation, input } = await monitors.readTarget(caller.tenant, id);
      const { admission } = queueing.admit({ kind: operation, input, named: OWN_NAMES }, caller);
      await accounts.assertCredits(caller.tenant, caller.plan, admission.cheapest);
      return monitors.trigger(caller.tenant, id, storeAnswer);
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

/**
 * Builds a definition from a body. `before` is the definition before a change; null for a new monitor. Throws
 * `invalid_request`.
 */
type DefinitionBuilder = (
  body: JsonObject,
  facts: DefinitionFacts,
  before: MonitorDefinition | null,
) => MonitorDefinition;

const DEFINITION_BUILDERS: Readonly<Record<MonitorKind, DefinitionBuilder>> = {
  generic: buildGenericDefinition,
  hotel: buildHotelDefinition,
  hotel_channels: buildHotelDefinition,
  launch: buildLaunchDefinition,
};

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
