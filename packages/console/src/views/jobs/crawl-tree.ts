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

const MAX_NAME = 120;

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
        ${listAt(body, 'children').map(
          (child, _at, all) =>
            html`<li key=${textAt(child, 'prefix')}>
              <${Twig} id=${id} child=${child} isAlone=${all.length === 1} />
            </li>`,
        )}
        ${isTrueAt(body, 'cut') ? html`<li class="faint">More than are shown here: use the filters of Pages.</li>` : null}
      </ul>`}
  <//>`;
}

type TwigProps = { readonly id: string; readonly child: unknown; readonly isAlone: boolean };

/** A part of the path, open from the start where there is no choice. */
function Twig({ id, child, isAlone }: TwigProps): VNode {
  const [isOpen, setOpen] = useState(isAlone);
  const prefix = textAt(child, 'prefix');
  const name = textAt(child, 'name') || '/';
  const pages = linkTo(`/jobs/${id}`, { tab: 'pages', prefix });
  const counts = html`<${TreeCounts} child=${child} />`;
  if (isTrueAt(child, 'is_leaf')) return html`<a href=${pages}><${Foreign} text=${shorten(name)} /></a>${' '}${counts}`;
  return html`<details open=${isOpen} onToggle=${(event: Event) => setOpen(isDetailsOpen(event))}>
    <summary><${Foreign} text=${shorten(name)} /> ${counts}</summary>
    ${
      isOpen
        ? html`<a class="small" href=${pages} aria-label=${`List the pages below ${name}`}>List the pages</a>
            <${Branch} id=${id} prefix=${prefix} />`
        : null
    }
  </details>`;
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

type TreeCountsProps = { readonly child: unknown };

function TreeCounts({ child }: TreeCountsProps): VNode {
  const parts = ['stored', 'failed', 'skipped', 'waiting'].flatMap((name) => {
    const count = numberAt(child, name) ?? 0;
    return count === 0 ? [] : [`${toCount(count)} ${name}`];
  });
  return html`<span class="faint">${parts.join(', ')}</span>`;
}
