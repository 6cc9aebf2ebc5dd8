import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { CommandFlags } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { RunAdministration } from './administration.ts';
import { readCommand, buildOperationCommand } from './command.ts';
import { EXIT } from './exit.ts';
import type { OperationAnswer } from './context.ts';
import { printTable } from './table.ts';

/** Flags of `quern explain` that are not parameters of its operation. */
export const EXPLAIN_FLAGS: CommandFlags = {
  html: {
    hint: 'FILE',
    about: 'Write an HTML picture of the page that marks extracted blocks and explains the others',
  },
};

/** What `quern explain` needs. */
export type ExplainParts = {
  /** The operation that explains one page. */
  readonly operation: Operation;
  readonly ask: (operation: Operation, raw: unknown) => Promise<OperationAnswer>;
};

const ExplainResponse = z.looseObject({
  final_url: z.string(),
  explanation: z
    .looseObject({
      outcome: z.string(),
      count: z.number(),
      threshold: z.number(),
      share: z.number().nullable(),
      blocks: z.array(
        z.looseObject({
          verdict: z.string(),
          score: z.number(),
          words: z.number(),
          place: z.string(),
          text: z.string(),
        }),
      ),
      facts: z.array(
        z.looseObject({
          fact: z.string(),
          value: z.string(),
          by: z.string(),
          place: z.string().nullable(),
          also: z.array(z.string()),
        }),
      ),
    })
    .nullable(),
  picture: z.string().nullable(),
  usage: z.looseObject({ credits: z.number(), tier: z.string() }),
});

type PageExplanation = NonNullable<z.output<typeof ExplainResponse>['explanation']>;

/** `quern explain URL [--html FILE]`: prints which blocks of a page are main content and why, and the sources of its facts. */
export function createExplainCommand({ operation, ask }: ExplainParts): RunAdministration {
  const command = buildOperationCommand(operation);
  return async (args, terminal) => {
    const { raw, wholeAnswer, ownFlags: own } = readCommand(command, args, EXPLAIN_FLAGS);
    const { body } = await ask(operation, raw);
    const page = ExplainResponse.safeParse(body).data;
    if (page === undefined)
      throw new ServiceError('invalid_request', 'timeout_ms: the call became a job; use a smaller timeout_ms');
    const { explanation, picture, usage } = page;
    if (explanation === null || picture === null) {
      throw new ServiceError('unsupported_content', 'the page has no text, or too much of it');
    }
    if (typeof own['html'] === 'string') writeMarkup(own['html'], picture);
    if (wholeAnswer) terminal.out(`${JSON.stringify({ url: page.final_url, ...explanation }, null, 2)}\n`);
    else if (own['html'] === undefined) {
      printTable(buildFactRows(explanation), { terminal, json: false });
      terminal.out('\n');
      printTable(buildBlockRows(explanation), { terminal, json: false });
    }
    terminal.note(`quern: ${describeOutcome(explanation)}`);
    terminal.note(`quern: ${usage.credits} credits (${usage.tier})`);
    return EXIT.ok;
  };
}

function writeMarkup(path: string, markup: string): void {
  try {
    writeFileSync(path, markup);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError('invalid_request', `--html: ${path} cannot be written: ${reason}`, { cause: error });
  }
}

function buildFactRows({ facts }: PageExplanation) {
  return facts.map(({ fact, value, by, place, also }) => ({
    fact,
    told_by: [by, ...also].join(', '),
    place: place?.split(' > ').at(-1) ?? '',
    value: value.slice(0, 80),
  }));
}

function buildBlockRows({ blocks }: PageExplanation) {
  return blocks.map(({ verdict, score, words, place, text }) => ({
    verdict,
    score: score.toFixed(2),
    words,
    place: place.split(' > ').at(-1) ?? '',
    text: text.slice(0, 80),
  }));
}

/** Describes the outcome in one line. */
function describeOutcome({ outcome, blocks, count, threshold, share }: PageExplanation): string {
  if (outcome === 'shell') return 'nothing was extracted: scripts render the content; use a browser tier';
  if (outcome === 'whole') return 'no main content was found, so the whole page is kept';
  const keptCount = blocks.filter(({ verdict }) => verdict === 'kept').length;
  const shown = blocks.length < count ? `; of ${count} blocks, the first ${blocks.length} are listed` : '';
  const part = share === null ? '' : `, about ${Math.round(share * 100)} % of what is likely to be main text`;
  return `${keptCount} of ${blocks.length} blocks are kept, from ${threshold.toFixed(2)} on${part}${shown}`;
}
