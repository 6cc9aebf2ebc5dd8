import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Operation } from '#engine/call/operation.ts';
import type { Explained, PageExplanation } from '#extract/explain-page.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Administer } from './administration.ts';
import { readCommand } from './command.ts';
import { EXIT } from './exit.ts';
import { EXPLAIN_FLAGS, toExplainCommand } from './explain-command.ts';
import { toExplanationPage } from './explanation-page.ts';
import type { Said } from './parts.ts';
import { printTable } from './table.ts';

export type ExplainParts = {
  /** The operation that gets one page. */
  readonly fetch: Operation;
  readonly ask: (operation: Operation, raw: unknown) => Promise<Said>;
  /** Null for a page without text, or with too much of it. */
  readonly explain: (html: string, page: Explained) => Promise<PageExplanation | null>;
};

const Fetched = z.looseObject({
  final_url: z.string(),
  content_type: z.string(),
  raw_html: z.string(),
  usage: z.looseObject({ credits: z.number(), tier: z.string() }),
});

/** `quern explain URL [--html FILE]`: which blocks of a page are its main content, and why; from where its facts are. */
export function explainCommand({ fetch, ask, explain }: ExplainParts): Administer {
  const command = toExplainCommand(fetch);
  return async (given, terminal) => {
    const { raw, wholeAnswer, own } = readCommand(command, given, EXPLAIN_FLAGS);
    const { body } = await ask(fetch, { ...z.looseObject({}).parse(raw), output: ['raw_html'] });
    const page = Fetched.safeParse(body).data;
    if (page === undefined) throw new ServiceError('invalid_request', 'timeout_ms: became a job; give it less time');
    if (!/html/i.test(page.content_type)) {
      throw new ServiceError('unsupported_content', `${page.content_type} has no parts to choose from, HTML has`);
    }
    const mediaType = page.content_type.replace(/;.*/s, '').trim();
    const explanation = await explain(page.raw_html, { url: page.final_url, mediaType });
    if (explanation === null) throw new ServiceError('unsupported_content', 'the page has no text, or too much of it');
    if (typeof own['html'] === 'string') write(own['html'], toExplanationPage(explanation, page.final_url).markup);
    if (wholeAnswer) terminal.out(`${JSON.stringify({ url: page.final_url, ...explanation }, null, 2)}\n`);
    else if (own['html'] === undefined) {
      printTable(toFactRows(explanation), { terminal, json: false });
      terminal.out('\n');
      printTable(toRows(explanation), { terminal, json: false });
    }
    terminal.note(`quern: ${toOutcome(explanation)}`);
    terminal.note(`quern: ${page.usage.credits} credits (${page.usage.tier})`);
    return EXIT.ok;
  };
}

function write(path: string, markup: string): void {
  try {
    writeFileSync(path, markup);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ServiceError('invalid_request', `--html: ${path} cannot be written: ${why}`, { cause: error });
  }
}

function toFactRows({ facts }: PageExplanation) {
  return facts.map(({ fact, value, by, place, also }) => ({
    fact,
    told_by: [by, ...also].join(', '),
    place: place?.split(' > ').at(-1) ?? '',
    value: value.slice(0, 80),
  }));
}

function toRows({ blocks }: PageExplanation) {
  return blocks.map(({ verdict, score, words, place, text }) => ({
    verdict,
    score: score.toFixed(2),
    words,
    place: place.split(' > ').at(-1) ?? '',
    text: text.slice(0, 80),
  }));
}

/** A summary of the page in one line. */
function toOutcome({ outcome, blocks, count, threshold, share }: PageExplanation): string {
  if (outcome === 'shell') return 'nothing is kept: what a visitor sees is made by scripts; a browser would see it';
  if (outcome === 'whole') return 'nothing was chosen, so that all of it is kept';
  const kept = blocks.filter(({ verdict }) => verdict === 'kept').length;
  const shown = blocks.length < count ? `; of ${count} blocks the first ${blocks.length} are told` : '';
  const part = share === null ? '' : `, ${Math.round(share * 100)} % of the words outside of navigation`;
  return `${kept} of ${blocks.length} blocks are kept, from ${threshold.toFixed(2)} on${part}${shown}`;
}
