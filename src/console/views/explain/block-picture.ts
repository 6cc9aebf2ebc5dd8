import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { listAt, numberAt, textAt } from '#console/app/reading.ts';
import { Empty } from '#console/parts/empty.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { Badge } from '#console/parts/status.ts';
import { toCount } from '#console/parts/time.ts';

const PORTION = 300;
const MOST_TEXT = 600;

type BlockPictureProps = { readonly explanation: unknown };

/** The page as it was read, block under block: what was kept stands out, what was left out says why. */
export function BlockPicture({ explanation }: BlockPictureProps): VNode {
  const blocks = listAt(explanation, 'blocks');
  const [shown, setShown] = useState(PORTION);
  if (blocks.length === 0)
    return html`<${Empty} title="The page has no blocks of text.">It may be drawn by scripts.<//>`;
  const kept = blocks.filter((block) => textAt(block, 'verdict') === 'kept').length;
  const threshold = numberAt(explanation, 'threshold');
  return html`<div class="view">
    <p>
      ${toCount(kept)} of ${toCount(blocks.length)} blocks were
      kept${threshold === null ? '' : `, at a threshold of ${threshold.toFixed(2)}`}.
    </p>
    <ol class="block-picture" aria-label="Blocks of the page, kept and left out">
      ${blocks.slice(0, shown).map((block, at) => html`<${DrawnBlock} key=${at} block=${block} />`)}
    </ol>
    ${
      blocks.length > shown
        ? html`<button type="button" onClick=${() => setShown(shown + PORTION)}>
            ${toCount(blocks.length - shown)} more blocks
          </button>`
        : null
    }
  </div>`;
}

type DrawnBlockProps = { readonly block: unknown };

function DrawnBlock({ block }: DrawnBlockProps): VNode {
  const verdict = textAt(block, 'verdict');
  const score = numberAt(block, 'score');
  const told = textAt(block, 'because', 'group').replaceAll('_', ' ');
  const isKept = verdict === 'kept';
  return html`<li class=${isKept ? 'kept' : 'left-out'}>
    <div class="block-words"><${Foreign} text=${textAt(block, 'text')} most=${MOST_TEXT} /></div>
    <div class="block-verdict">
      <${Badge} word=${verdict.replaceAll('_', ' ')} tone=${isKept ? 'good' : 'calm'} />
      ${score === null ? null : html`<span class="faint">${score.toFixed(2)}</span>`}
      ${told === '' ? null : html`<span class="faint">${told}</span>`}
    </div>
  </li>`;
}
