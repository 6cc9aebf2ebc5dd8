import { type Builder, getCurrentTag, popOpen } from './builder.ts';
import { TAG } from './tag-names.ts';
import { getTagFlags, IMPLIED_END, SCOPE, SPECIAL } from './tags.ts';
import { HTML_NAMESPACE, SVG_NAMESPACE } from './tree.ts';

/** Closes elements up to and including the innermost open one with that tag. */
export function popThrough(b: Builder, tag: number): void {
  while (b.depth > 1) {
    const node = popOpen(b);
    if (b.tag[node] === tag && b.namespace[node] === HTML_NAMESPACE) return;
  }
}

/** Which additional elements end a search in scope: none, lists, or buttons. */
export type ElementScope = 'element' | 'list' | 'button';

/** Whether an HTML element with that tag is open between the current element and the boundary of the scope. */
export function isInScope(b: Builder, tag: number, scope: ElementScope): boolean {
  if (b.openCount[tag] === 0) return false;
  for (let at = b.depth - 1; at >= 0; at--) {
    const element = b.stack[at] ?? 0;
    const seen = b.tag[element] ?? 0;
    const foreign = b.namespace[element] !== HTML_NAMESPACE;
    if (seen === tag && !foreign) return true;
    if (foreign ? isForeignScopeEnd(seen, b.namespace[element]) : (getTagFlags(seen) & SCOPE) !== 0) return false;
    if (scope === 'button' && seen === TAG.button) return false;
    if (scope === 'list' && (seen === TAG.ol || seen === TAG.ul)) return false;
  }
  return false;
}

/** Whether an element is "special": end tags of ordinary elements do not reach beyond it. */
export function isSpecial(b: Builder, element: number): boolean {
  const tag = b.tag[element] ?? 0;
  if (b.namespace[element] !== HTML_NAMESPACE) return isForeignScopeEnd(tag, b.namespace[element]);
  return (getTagFlags(tag) & SPECIAL) !== 0;
}

function isForeignScopeEnd(tag: number, namespace: number | undefined): boolean {
  if (namespace === SVG_NAMESPACE) return tag === TAG.foreignobject || tag === TAG.desc || tag === TAG.title;
  return (tag >= TAG.mi && tag <= TAG.mtext) || tag === TAG.annotationXml;
}

/** Whether an element with that tag is open inside the innermost table or template. */
export function isInTableScope(b: Builder, tag: number): boolean {
  if (b.openCount[tag] === 0) return false;
  for (let at = b.depth - 1; at >= 0; at--) {
    const element = b.stack[at] ?? 0;
    const seen = b.tag[element];
    if (b.namespace[element] !== HTML_NAMESPACE) continue;
    if (seen === tag) return true;
    if (seen === TAG.table || seen === TAG.template || seen === TAG.html) return false;
  }
  return false;
}

/** Closes elements whose end tag may be omitted, except `except`. */
export function closeImplied(b: Builder, except: number): void {
  while (b.depth > 1) {
    const tag = getCurrentTag(b);
    if (tag === except || (getTagFlags(tag) & IMPLIED_END) === 0) return;
    popOpen(b);
  }
}

/** Closes an open paragraph, as the start of a block does. */
export function closeParagraph(b: Builder): void {
  if (b.openCount[TAG.p] !== 0 && isInScope(b, TAG.p, 'button')) popThrough(b, TAG.p);
}
