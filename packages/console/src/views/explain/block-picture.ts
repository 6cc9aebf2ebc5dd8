import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { listAt, numberAt, textAt } from '#console/app/reading.ts';
import { Empty } from '#console/parts/empty.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { Badge } from '#console/parts/status.ts';
import { toCount } from '#console/parts/time.ts';

const PORTION = 300;
const MAX_TEXT = 600;
const MAX_NAME = 60;

type BlockPictureProps = {
  readonly explanation: unknown;
  /** Makes a field of the element that a block stands in, by its selector and text. */
  readonly onPick: (selector: string, text: string) => void;
};

/** The page as it was read, block under block: what was kept stands out, what was left out says why. */
export function BlockPicture({ explanation, onPick }: BlockPictureProps): VNode {
  const blocks = listAt(explanation, 'blocks');
  const [shown, setShown] = useState(PORTION);
  if (blocks.length === 0)
    return html`<${Empty} title="The page has no blocks of text.">It may be drawn by scripts.<//>`;
  const kept = blocks.filter((block) => textAt(block, 'verdict') === 'kept').length;
  const threshold = numberAt(explanation, 'threshold');
  return html`<div class="view">
    <p>
      ${toCount(kept)} of ${toCount(blocks.length)} blocks were kept. Beside each are its score and what told most of
      it.
      ${threshold === null ? '' : ` Text is content from ${threshold.toFixed(2)} on; headings go with what they stand above.`}
    </p>
    <ol class="block-picture" aria-label="Blocks of the page, kept and left out">
      ${blocks.slice(0, shown).map((block, at) => html`<${DrawnBlock} key=${at} block=${block} onPick=${onPick} />`)}
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

type DrawnBlockProps = { readonly block: unknown; readonly onPick: BlockPictureProps['onPick'] };

function DrawnBlock({ block, onPick }: DrawnBlockProps): VNode {
  const verdict = textAt(block, 'verdict');
  const score = numberAt(block, 'score');
  const told = textAt(block, 'because', 'group').replaceAll('_', ' ');
  const isKept = verdict === 'kept';
  const [selector, text] = [textAt(block, 'selector'), textAt(block, 'text')];
  return html`<li class=${isKept ? 'kept' : 'left-out'}>
    <div class="block-words"><${Foreign} text=${text} most=${MAX_TEXT} /></div>
    <div class="block-verdict">
      <${Badge} word=${verdict.replaceAll('_', ' ')} tone=${isKept ? 'good' : 'calm'} />
      ${score === null ? null : html`<span class="faint">${score.toFixed(2)}</span>`}
      ${told === '' ? null : html`<span class="faint">${told}</span>`}
      ${
        selector === ''
          ? null
          : html`<button
              type="button"
              class="link"
              aria-label=${`Pick ${text.slice(0, MAX_NAME)}`}
              onClick=${() => onPick(selector, text)}
            >
              Pick
            </button>`
      }
    </div>
  </li>`;
}
