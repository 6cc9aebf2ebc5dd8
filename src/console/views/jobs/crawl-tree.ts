import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isTrueAt, listAt, numberAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo } from '#console/app/router.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { isDetailsOpen } from '#console/parts/json-tree.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { toCount } from '#console/parts/time.ts';

type CrawlTreeProps = { readonly job: unknown };

/** A crawled site by its paths, each with the pages below it; a branch is read when it is opened. */
export function SiteTree({ job }: CrawlTreeProps): VNode {
  return html`<div class="site-tree"><${Branch} id=${textAt(job, 'id')} prefix="" /></div>`;
}

type BranchProps = { readonly id: string; readonly prefix: string };

function Branch({ id, prefix }: BranchProps): VNode {
  const read = useResource(`/v1/jobs/${encodeURIComponent(id)}/tree`, { query: { prefix } });
  return html`<${ResourceView} of=${read}>
    ${(body: unknown) =>
      html`<ul>
        ${listAt(body, 'children').map((child) => html`<li key=${textAt(child, 'prefix')}><${Twig} id=${id} child=${child} /></li>`)}
        ${isTrueAt(body, 'cut') ? html`<li class="faint">More than are shown here: use the filters of Pages.</li>` : null}
      </ul>`}
  <//>`;
}

type TwigProps = { readonly id: string; readonly child: unknown };

function Twig({ id, child }: TwigProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const prefix = textAt(child, 'prefix');
  const counts = html`<${TreeCounts} child=${child} />`;
  const link = html`<a
    class="small"
    href=${linkTo(`/jobs/${id}`, { tab: 'pages', prefix })}
    aria-label=${`Pages below ${textAt(child, 'name')}`}
    >pages</a
  >`;
  if (isTrueAt(child, 'is_leaf')) {
    return html`<span><${Foreign} text=${textAt(child, 'name') || '/'} most=${120} /> ${counts}</span>`;
  }
  return html`<details open=${isOpen} onToggle=${(event: Event) => setOpen(isDetailsOpen(event))}>
    <summary><${Foreign} text=${textAt(child, 'name') || '/'} most=${120} /> ${counts}</summary>
    ${link} ${isOpen ? html`<${Branch} id=${id} prefix=${prefix} />` : null}
  </details>`;
}

type TreeCountsProps = { readonly child: unknown };

function TreeCounts({ child }: TreeCountsProps): VNode {
  const parts = ['stored', 'failed', 'skipped', 'waiting'].flatMap((name) => {
    const count = numberAt(child, name) ?? 0;
    return count === 0 ? [] : [`${toCount(count)} ${name}`];
  });
  return html`<span class="faint">${parts.join(', ')}</span>`;
}
