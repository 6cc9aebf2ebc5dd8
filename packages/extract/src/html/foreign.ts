import { AGAIN, type Builder, current, DONE, insertElement, type Next, pop, popTo } from './builder.ts';
import { ATTRIBUTE, TAG } from './tag-names.ts';
import { BREAKOUT, flagsOf } from './tags.ts';
import { HTML_NAMESPACE, MATHML_NAMESPACE, SVG_NAMESPACE } from './tree.ts';

/** Whether a start tag inside SVG or MathML follows the rules of foreign content. */
export function isForeign(b: Builder, tag: number): boolean {
  const node = current(b);
  if (isHtmlIntegrationPoint(b, node)) return false;
  if (isMathTextPoint(b, node)) return tag === TAG.mglyph || tag === TAG.malignmark;
  return !(b.tag[node] === TAG.annotationXml && b.namespace[node] === MATHML_NAMESPACE && tag === TAG.svg);
}

/** A start tag in foreign content: an element of the same namespace, or HTML that ends the foreign content. */
export function startForeign(b: Builder): Next {
  if (breaksOut(b)) {
    leaveForeign(b);
    return AGAIN;
  }
  const namespace = b.namespace[current(b)] ?? HTML_NAMESPACE;
  const node = insertElement(b);
  b.namespace[node] = namespace;
  if (b.selfClosing) pop(b);
  return DONE;
}

/** An end tag in foreign content; `AGAIN` hands it to the rules of HTML. */
export function endForeign(b: Builder, tag: number): Next {
  if (tag === TAG.br || tag === TAG.p) {
    leaveForeign(b);
    return AGAIN;
  }
  for (let at = b.depth - 1; at > 0; at--) {
    const node = b.stack[at] ?? 0;
    if (b.namespace[node] === HTML_NAMESPACE) return AGAIN;
    if (b.tag[node] === tag) {
      popTo(b, at);
      return DONE;
    }
  }
  return DONE;
}

/** Whether the content of a foreign element is read as HTML. */
export function holdsHtml(b: Builder, node: number): boolean {
  return isMathTextPoint(b, node) || isHtmlIntegrationPoint(b, node);
}

function leaveForeign(b: Builder): void {
  while (b.depth > 1) {
    const node = current(b);
    if (b.namespace[node] === HTML_NAMESPACE || holdsHtml(b, node)) return;
    pop(b);
  }
}

function breaksOut(b: Builder): boolean {
  if ((flagsOf(b.tokenTag) & BREAKOUT) !== 0) return true;
  if (b.tokenTag !== TAG.font) return false;
  for (let at = b.tokenAttributes; at < b.attributes; at++) {
    const id = b.attributeId[at];
    if (id === ATTRIBUTE.color || id === ATTRIBUTE.face || id === ATTRIBUTE.size) return true;
  }
  return false;
}

function isMathTextPoint(b: Builder, node: number): boolean {
  const tag = b.tag[node] ?? 0;
  return b.namespace[node] === MATHML_NAMESPACE && tag >= TAG.mi && tag <= TAG.mtext;
}

function isHtmlIntegrationPoint(b: Builder, node: number): boolean {
  const tag = b.tag[node];
  if (b.namespace[node] === SVG_NAMESPACE) {
    return tag === TAG.foreignobject || tag === TAG.desc || tag === TAG.title;
  }
  return tag === TAG.annotationXml && b.namespace[node] === MATHML_NAMESPACE && hasHtmlEncoding(b, node);
}

function hasHtmlEncoding(b: Builder, node: number): boolean {
  const first = b.attributeStart[node] ?? 0;
  for (let at = first; at < first + (b.attributeCount[node] ?? 0); at++) {
    if (b.attributeId[at] !== ATTRIBUTE.encoding) continue;
    const value = b.source.slice(b.valueStart[at] ?? 0, b.valueEnd[at] ?? 0).toLowerCase();
    return value === 'text/html' || value === 'application/xhtml+xml';
  }
  return false;
}
