import { escapeAttribute, escapeText } from 'entities';
import { toTableHtml } from './document.ts';
import { continuesAcross, joinRuns, type PdfBlock } from './pdf-blocks.ts';
import { type TextRun, getRunsText } from './pdf-lines.ts';

/** The leader between a title and its page number in a table of contents. */
const LEADERS = /(?:\s?[.\u2026\u00b7_]){5,}\s*/g;

/** Pages of blocks as HTML, each a section with the number of its page; a paragraph stands whole where it begins. */
export function renderPdfHtml(pages: readonly (readonly PdfBlock[])[]): string {
  return joinPages(pages)
    .map((blocks, at) => `<section id="page-${at + 1}" data-page="${at + 1}">${renderBlocks(blocks)}</section>`)
    .join('');
}

function joinPages(pages: readonly (readonly PdfBlock[])[]): readonly (readonly PdfBlock[])[] {
  const joined = pages.map((page) => [...page]);
  /** The page that the last text so far is on. */
  let open: PdfBlock[] | null = null;
  for (const page of joined) {
    const [first] = page;
    const last = open?.at(-1);
    if (open !== null && last?.kind === 'paragraph' && first?.kind === 'paragraph') {
      const [before, after] = [last, first].map(({ runs }) => getRunsText(runs).trim());
      if (continuesAcross({ text: before ?? '' }, { text: after ?? '' })) {
        open[open.length - 1] = { ...last, runs: joinRuns(last.runs, first.runs, ' ') };
        page.shift();
      }
    }
    if (page.length > 0) open = page;
  }
  return joined;
}

function renderBlocks(blocks: readonly PdfBlock[]): string {
  const parts: string[] = [];
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at];
    if (block === undefined) break;
    if (block.kind === 'item') {
      const end = findListEnd(blocks, at);
      parts.push(renderList(blocks.slice(at, end)));
      at = end - 1;
    } else parts.push(renderBlock(block));
  }
  return parts.join('');
}

function renderBlock(block: Exclude<PdfBlock, { readonly kind: 'item' }>): string {
  if (block.kind === 'heading') return `<h${block.level}>${renderRuns(block.runs)}</h${block.level}>`;
  if (block.kind === 'paragraph') return `<p>${renderRuns(block.runs)}</p>`;
  if (block.kind === 'code') return `<pre><code>${escapeText(block.text)}</code></pre>`;
  return toTableHtml(block.rows.map((row) => row.map(renderRuns)));
}

function findListEnd(blocks: readonly PdfBlock[], start: number): number {
  let end = start;
  while (blocks[end]?.kind === 'item') end++;
  return end;
}

type ListLevel = { readonly left: number; readonly tag: 'ol' | 'ul' };

/** Items further to the right than the one before them are a list inside it. */
function renderList(items: readonly PdfBlock[]): string {
  const parts: string[] = [];
  const levels: ListLevel[] = [];
  for (const item of items) {
    if (item.kind !== 'item') continue;
    const tag = item.ordered === null ? 'ul' : 'ol';
    while (levels.length > 1 && item.left < (levels.at(-1)?.left ?? 0) - 4) parts.push(`</li></${levels.pop()?.tag}>`);
    const level = levels.at(-1);
    if (level === undefined || (item.left > level.left + 4 && levels.length < 6)) {
      levels.push({ left: item.left, tag });
      parts.push(renderListStart(tag, item.ordered));
    } else if (level.tag === tag) parts.push('</li>');
    else {
      parts.push(`</li></${level.tag}>`, renderListStart(tag, item.ordered));
      levels[levels.length - 1] = { left: item.left, tag };
    }
    parts.push('<li>', renderRuns(item.runs));
  }
  while (levels.length > 0) parts.push(`</li></${levels.pop()?.tag}>`);
  return parts.join('');
}

function renderListStart(tag: 'ol' | 'ul', ordered: number | null): string {
  return ordered === null || ordered === 1 ? `<${tag}>` : `<${tag} start="${ordered}">`;
}

/** Neighbours with one target are one link. */
function renderRuns(runs: readonly TextRun[]): string {
  const parts: string[] = [];
  let at = 0;
  while (at < runs.length) {
    const url = runs[at]?.url ?? null;
    let text = '';
    let end = at;
    while (end < runs.length && isPartOfLink(runs, end, url)) text += runs[end++]?.text ?? '';
    const html = escapeText(text.replaceAll(LEADERS, ' \u2026 ').replaceAll(/[^\S\n]+/g, ' ')).replaceAll('\n', '<br>');
    parts.push(url === null ? html : `<a href="${escapeAttribute(url)}">${html}</a>`);
    at = end;
  }
  return parts.join('').trim();
}

/** Whether a run has that target, or is the space between two that have. */
function isPartOfLink(runs: readonly TextRun[], at: number, url: string | null): boolean {
  const run = runs[at];
  if (run?.url === url) return true;
  return url !== null && run?.text.trim() === '' && runs[at + 1]?.url === url;
}
