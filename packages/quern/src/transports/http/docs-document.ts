import type { Operation } from '#engine/call/operation.ts';
import { SURCHARGES } from '#engine/credits/prices.ts';
import { toCommand } from '#transports/cli/command.ts';
import { OPERATION_COMMANDS } from '#transports/cli/operation-specs.ts';
import { membersOf, toJsonSchema } from '#transports/schema.ts';
import { successesOf } from './openapi-answers.ts';
import { clientNameOf } from './openapi-components.ts';
import { readRoute } from './route.ts';

/** All operations in a few words each, for what chooses among them. */
export function toOperationList(operations: readonly Operation[]) {
  return { data: operations.map(toListed) };
}

/** One operation: what a form for its input needs, and its names on the command line and in the clients. */
export function toOperationDocument(operation: Operation) {
  return {
    ...toListed(operation),
    client_name: clientNameOf(operation),
    command: toCommandWords(operation),
    answers: successesOf(operation).map(({ type }) => type),
    yields: yieldsOf(operation),
    example: operation.example,
    input: toJsonSchema(operation.input, 'input'),
  };
}

/** How the clients give an answer: as one value, record by record over all pages, or event by event. */
function yieldsOf(operation: Operation): 'value' | 'records' | 'events' {
  if (successesOf(operation).some(({ type }) => type === 'text/event-stream')) return 'events';
  if (operation.kind === 'work') return operation.isLongRunning ? 'records' : 'value';
  const members = membersOf(toJsonSchema(operation.output, 'output')).map(([name]) => name);
  return members.includes('data') && members.includes('next_cursor') ? 'records' : 'value';
}

function toListed(operation: Operation) {
  const { id, kind, summary, audience } = operation;
  const { method, path } = readRoute(operation);
  return {
    id,
    summary,
    method,
    path,
    kind,
    site: operation.kind === 'work' ? (operation.site?.name ?? null) : null,
    verified: !isUnverified(operation),
    audience: audience ?? 'everyone',
    plan: planOf(operation),
    credits: creditsOf(operation),
  };
}

function toCommandWords(operation: Operation) {
  const spec = OPERATION_COMMANDS.find(({ operation: asked, adds }) => asked === operation.id && adds.length === 0);
  return spec === undefined ? null : { words: spec.words, positional: toCommand(operation).positional };
}

/** Whether an endpoint of a site was never read from a page that the site sent. */
export function isUnverified(operation: Operation): boolean {
  return operation.kind === 'work' && operation.site?.verified === false;
}

/** The plans that an operation is open to, in words. */
export function planOf(operation: Operation): string {
  return operation.kind === 'work' && operation.plan === 'starter' ? 'Starter or higher' : 'every plan';
}

/** What an operation costs, in words. */
export function creditsOf(operation: Operation): string {
  if (operation.kind === 'control') return 'free';
  const { base, cacheHit, perTier, per, perModelOutput, errorPage } = operation.price;
  const extra = Object.entries(SURCHARGES).filter(([, credits]) => perTier && credits > 0);
  const surcharges = extra.map(([tier, credits]) => `, +${credits} by ${tier}`).join('');
  const parts = [
    `${base}${per === undefined ? '' : ` a ${per}`}`,
    cacheHit === base ? '' : `, ${cacheHit} from the cache`,
    surcharges,
    perModelOutput === undefined ? '' : `, +${perModelOutput} for each output of a model`,
    errorPage === undefined ? '' : `, ${errorPage} for an error page`,
  ];
  return parts.join('');
}
