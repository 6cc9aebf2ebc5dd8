import type { ExplainedBlock } from '#extract/content/explain.ts';
import type { ExplainedFact, PageExplanation } from '#extract/explained.ts';
import { type Html, toHtml } from '#kernel/html.ts';

/** The meaning of each verdict about a block. */
const MEANINGS: Readonly<Record<ExplainedBlock['verdict'], string>> = {
  kept: 'is kept',
  low_score: 'does not look like content',
  comment: 'is a reader comment, and the page is not a forum',
  consent: 'asks for cookies',
  hidden: 'is hidden',
  related: 'links to other pages',
  repeated: 'repeats an earlier block',
  island: 'is far below the article',
  shell: 'is part of a page that is filled by scripts',
  chrome: 'is navigation of the page or site',
};

const OUTCOMES: Readonly<Record<PageExplanation['outcome'], string>> = {
  chosen: 'The blocks with a green edge are the main content.',
  shell: 'Nothing is kept, because the page is filled by scripts.',
  whole: 'No main content was found, so everything is kept.',
};

const STYLE = `
  :root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.2rem; overflow-wrap: anywhere; }
  ul, ol { list-style: none; padding: 0; }
  .facts { border-collapse: collapse; width: 100%; }
  .facts td, .facts th { padding: .15rem .6rem .15rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
  .facts td:first-child { white-space: nowrap; }
  .facts small { color: GrayText; }
  .counts li { display: inline-block; margin: 0 1.2rem .3rem 0; }
  .block { display: grid; grid-template-columns: 7.5rem 1fr; gap: 0 1rem; margin: .15rem 0; padding: .1rem .6rem;
    border-left: .4rem solid #b0413e; opacity: .75; }
  .block.kept, .whole .block { border-color: #2f8f4e; opacity: 1; }
  .block div { grid-row: span 2; }
  .block p { margin: 0; overflow-wrap: anywhere; }
  .block small { grid-column: 2; color: GrayText; overflow-wrap: anywhere; }
  meter { width: 100%; }
`;

/** Renders an HTML page that shows how the main content was chosen, without scripts or external resources. */
export function renderExplanation(explanation: PageExplanation, url: string): Html {
  const { outcome, blocks, count, threshold, kinds, facts, share } = explanation;
  const part = share === null ? '' : ` They hold about ${Math.round(share * 100)} % of what is likely to be main text.`;
  const ranked = Object.entries(kinds).toSorted(([, one], [, other]) => other - one);
  const [kind, score] = ranked[0] ?? ['page', 0];
  return toHtml`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Why these parts: ${url}</title>
        <style>
          ${{ markup: STYLE }}
        </style>
      </head>
      <body>
        <h1>${url}</h1>
        <p>
          ${OUTCOMES[outcome]}${part} Most likely kind: ${kind} (${score.toFixed(2)}). Blocks are kept from
          ${threshold.toFixed(2)} on, after the rules. ${blocks.length} of ${count} blocks are shown.
        </p>
        <table class="facts">
          <tr>
            <th>fact</th>
            <th>value</th>
            <th>source</th>
          </tr>
          ${facts.map(renderFactRow)}
        </table>
        <ul class="counts">
          ${renderCounts(blocks)}
        </ul>
        <ol class="${outcome}">
          ${blocks.map((block) => renderItem(block, threshold))}
        </ol>
      </body>
    </html> `;
}

function renderFactRow({ fact, value, by, place, also }: ExplainedFact): Html {
  return toHtml`<tr class="fact">
    <td>${fact}</td>
    <td>${value}</td>
    <td>${[by, ...also].join(', ')} <small>${place ?? ''}</small></td>
  </tr> `;
}

function renderCounts(blocks: readonly ExplainedBlock[]): readonly Html[] {
  const counts = Object.entries(Object.groupBy(blocks, ({ verdict }) => verdict));
  return counts.map(([verdict, some]) => toHtml`<li><b>${verdict}</b> ${some.length}</li>`);
}

function renderItem({ text, words, place, verdict, score, because }: ExplainedBlock, threshold: number): Html {
  const meaning =
    verdict === 'kept' && score < threshold ? 'is kept because of the blocks around it' : MEANINGS[verdict];
  const why = because === null ? '' : `; most by ${because.group} (else ${because.otherwise.toFixed(2)})`;
  return toHtml`<li class="block ${verdict}">
    <div><b>${verdict}</b><meter value="${score.toFixed(3)}"></meter></div>
    <p>${text}</p>
    <small
      >${place} · ${words === 1 ? '1 word' : `${words} words`} · ${meaning} · score ${score.toFixed(2)}${why}</small
    >
  </li> `;
}
