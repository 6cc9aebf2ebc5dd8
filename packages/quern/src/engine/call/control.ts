import type { Clock } from '#kernel/clock.ts';
import type { InTurn } from '#store/group-commit.ts';
import { type Answer, type Ask, toServiceError } from './ask.ts';
import type { DeferredReleases } from './deferred-releases.ts';
import type { Keyed, IdempotentAnswers } from './idempotency.ts';
import type { ControlCall, Reply, RunnableControl } from './operation.ts';
import { gatePlan } from './steps/order.ts';

export type ControlParts = {
  readonly deferredReleases: DeferredReleases;
  readonly idempotentAnswers: IdempotentAnswers;
  readonly inTurn: InTurn;
  readonly clock: Clock;
};

type Asked = { readonly raw: unknown; readonly ask: Ask };

/** Runs a control operation; `keyed` where its answer is to be kept. */
export async function performControl(
  { deferredReleases, idempotentAnswers, inTurn, clock }: ControlParts,
  operation: RunnableControl,
  { raw, ask, keyed }: Asked & { readonly keyed: Keyed | null },
): Promise<Omit<Answer, 'remaining'>> {
  const { caller, requestId, signal, lastEventId } = ask;
  const keep: ControlCall['keep'] = async (tx, reply) => {
    if (keyed !== null) await idempotentAnswers.demandKept(tx, keyed, toAnswer(reply, requestId));
  };
  try {
    gatePlan(operation, caller);
    const { run } = operation.accept(raw);
    const call = { caller, requestId, now: clock.now(), keep, signal, lastEventId };
    const answer = toAnswer(await run(call), requestId);
    // Of an operation that kept its answer with its effect, this changes nothing.
    if (keyed !== null)
      await inTurn({ tenant: caller.tenant }, async (tx) => idempotentAnswers.keep(tx, keyed, answer));
    return answer;
  } catch (error) {
    const failure = toServiceError(error, ask);
    if (keyed !== null)
      await deferredReleases.run(async () =>
        inTurn({ tenant: caller.tenant }, async (tx) => idempotentAnswers.keepFailure(tx, keyed, failure)),
      );
    throw failure;
  }
}

/** The reply of a control operation, as its caller gets it and an idempotency key keeps it. */
function toAnswer<R extends Pick<Reply, 'body'>>(reply: R, requestId: string) {
  const body = reply.body === null ? {} : { request_id: requestId, ...reply.body };
  return { ...reply, body, usage: null, deprecated: [] };
}
