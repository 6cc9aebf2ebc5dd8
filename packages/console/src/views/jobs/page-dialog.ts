import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isRecord, numberAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { Foreign, ForeignLink } from '#console/parts/foreign.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { AnswerTabs } from '#console/views/playground/answer-view.ts';

type PageDialogProps = { readonly jobPath: string; readonly page: unknown; readonly onClose: () => void };

/** One page of a crawl: its outputs where it was stored, why not where it was not. */
export function PageDialog({ jobPath, page, onClose }: PageDialogProps): VNode {
  const place = textAt(page, 'place');
  const body = useResource(place === '' ? null : `${jobPath}/page`, { query: { place } });
  return html`<${Dialog} title=${textAt(page, 'title') || 'Page'} onClose=${onClose} isWide>
    <p><${ForeignLink} url=${textAt(page, 'url')} /></p>
    ${
      place === ''
        ? html`<p>
            ${textAt(page, 'state')}${textAt(page, 'code') === '' ? '' : html`: <code>${textAt(page, 'code')}</code>`}
            <br /><${Foreign} text=${textAt(page, 'message')} />
          </p>`
        : html`<${ResourceView} of=${body}>
            ${(output: unknown) => html`<${AnswerTabs} body=${isRecord(output) ? output : {}} />`}
          <//>`
    }
    ${numberAt(page, 'status_code') === null ? null : html`<p class="faint">HTTP ${numberAt(page, 'status_code')}</p>`}
  <//>`;
}
