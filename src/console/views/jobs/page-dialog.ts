import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { numberAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { CodeBlock } from '#console/parts/copy.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { Foreign, ForeignLink } from '#console/parts/foreign.ts';
import { HtmlFrame } from '#console/parts/frame.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { Markdown } from '#console/parts/markdown.ts';
import { Tabs } from '#console/parts/tabs.ts';
import type { TabSpec } from '#console/parts/tabs.ts';

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
            ${(output: unknown) => html`<${Tabs} label="Outputs" tabs=${tabsOf(output)} />`}
          <//>`
    }
    ${numberAt(page, 'status_code') === null ? null : html`<p class="faint">HTTP ${numberAt(page, 'status_code')}</p>`}
  <//>`;
}

function tabsOf(output: unknown): readonly TabSpec[] {
  const [markdown, text, markup] = [textAt(output, 'markdown'), textAt(output, 'text'), textAt(output, 'html')];
  const tabs: TabSpec[] = [];
  if (markdown !== '') {
    tabs.push({ name: 'markdown', title: 'Markdown', show: () => html`<${Markdown} text=${markdown} />` });
    tabs.push({
      name: 'source',
      title: 'Source',
      show: () => html`<${CodeBlock} text=${markdown} label="Markdown" isWrapped />`,
    });
  }
  if (text !== '')
    tabs.push({ name: 'text', title: 'Text', show: () => html`<${CodeBlock} text=${text} label="Text" isWrapped />` });
  if (markup !== '')
    tabs.push({
      name: 'html',
      title: 'HTML',
      show: () => html`<${HtmlFrame} markup=${markup} label="The page without scripts" />`,
    });
  tabs.push({ name: 'json', title: 'All', show: () => html`<${JsonTree} label="Answer" value=${output} />` });
  return tabs;
}
