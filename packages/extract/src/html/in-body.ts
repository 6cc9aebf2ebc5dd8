import {
  AGAIN,
  type Builder,
  currentTag,
  DONE,
  insertElement,
  insertVoid,
  MODE,
  type Next,
  pop,
  popTo,
  removeOpen,
} from './builder.ts';
import { adopt, forgetFormatting, lastFormatting, pushFormatting, pushMarker, reconstruct } from './formatting.ts';
import { mergeAttributes, startHeadContent, startRaw } from './in-head.ts';
import { closeImplied, closeParagraph, inScope, isSpecial, popThrough } from './scope.ts';
import { ATTRIBUTE, TAG } from './tag-names.ts';
import { byTag, flagsOf, HEADING } from './tags.ts';
import { HTML_NAMESPACE, MATHML_NAMESPACE, SVG_NAMESPACE } from './tree.ts';

type Start = (b: Builder) => Next;

/** The mode "in body" for a start tag. */
export function startInBody(b: Builder): Next {
  return (STARTS[b.tokenTag] ?? startOrdinary)(b);
}

const STARTS: readonly Start[] = byTag<Start>(startOrdinary, [
  ['html', (b) => mergeAttributes(b, b.stack[0] ?? 0)],
  ['base basefont bgsound link meta noframes script style template title', startHeadContent],
  ['body', startSecondBody],
  ['frameset', startLateFrameset],
  [
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup main menu nav ol p search section summary ul',
    startBlock,
  ],
  ['h1 h2 h3 h4 h5 h6', startHeading],
  ['pre listing', startPreformatted],
  ['form', startForm],
  ['li', startListItem],
  ['dd dt', startDefinition],
  ['plaintext', startPlaintext],
  ['button', startButton],
  ['a', startAnchor],
  ['b big code em font i s small strike strong tt u', startFormatting],
  ['nobr', startNobr],
  ['applet marquee object', startObject],
  ['table', startTable],
  ['area br embed img keygen wbr', startVoid],
  ['input', startInput],
  ['param source track', insertVoid],
  ['hr', startRule],
  ['image', startImage],
  ['textarea', startTextarea],
  ['xmp', startXmp],
  ['iframe', startFrame],
  ['noembed', startRaw],
  ['select', startSelect],
  ['optgroup option', startOption],
  ['rb rtc', (b) => startRuby(b, 0)],
  ['rp rt', (b) => startRuby(b, TAG.rtc)],
  ['math', (b) => startForeign(b, MATHML_NAMESPACE)],
  ['svg', (b) => startForeign(b, SVG_NAMESPACE)],
  ['caption col colgroup frame head tbody td tfoot th thead tr', () => DONE],
]);

function startOrdinary(b: Builder): Next {
  reconstruct(b);
  insertElement(b);
  return DONE;
}

function startSecondBody(b: Builder): Next {
  if (b.body === 0 || b.openCount[TAG.template] !== 0) return DONE;
  b.framesetOk = false;
  return mergeAttributes(b, b.body);
}

/** A frameset after text that does not count: the body so far is dropped. */
function startLateFrameset(b: Builder): Next {
  if (!b.framesetOk || b.body === 0 || b.stack[1] !== b.body) return DONE;
  popTo(b, 1);
  dropBody(b);
  insertElement(b);
  b.mode = MODE.inFrameset;
  return DONE;
}

function dropBody(b: Builder): void {
  const previous = b.previousSibling[b.body] ?? 0;
  b.nextSibling[previous] = 0;
  b.lastChild[b.stack[0] ?? 0] = previous;
  b.body = 0;
  b.moved = true;
}

function startBlock(b: Builder): Next {
  closeParagraph(b);
  insertElement(b);
  return DONE;
}

function startHeading(b: Builder): Next {
  closeParagraph(b);
  if ((flagsOf(currentTag(b)) & HEADING) !== 0) pop(b);
  insertElement(b);
  return DONE;
}

function startPreformatted(b: Builder): Next {
  b.framesetOk = false;
  b.skipNewline = true;
  return startBlock(b);
}

function startForm(b: Builder): Next {
  const inTemplate = b.openCount[TAG.template] !== 0;
  if (b.form !== 0 && !inTemplate) return DONE;
  closeParagraph(b);
  const node = insertElement(b);
  if (!inTemplate) b.form = node;
  return DONE;
}

function startListItem(b: Builder): Next {
  return startItem(b, TAG.li, TAG.li);
}

function startDefinition(b: Builder): Next {
  return startItem(b, TAG.dd, TAG.dt);
}

/** A list item ends the one before it, unless another block stands between. */
function startItem(b: Builder, one: number, other: number): Next {
  b.framesetOk = false;
  if (b.openCount[one] !== 0 || b.openCount[other] !== 0) {
    for (let at = b.depth - 1; at > 0; at--) {
      const element = b.stack[at] ?? 0;
      const tag = b.tag[element] ?? 0;
      if (b.namespace[element] === HTML_NAMESPACE && (tag === one || tag === other)) {
        popTo(b, at);
        break;
      }
      if (isSpecial(b, element) && tag !== TAG.address && tag !== TAG.div && tag !== TAG.p) break;
    }
  }
  return startBlock(b);
}

function startPlaintext(b: Builder): Next {
  closeParagraph(b);
  return startRaw(b);
}

function startButton(b: Builder): Next {
  if (inScope(b, TAG.button, 'element')) popThrough(b, TAG.button);
  b.framesetOk = false;
  return startOrdinary(b);
}

function startAnchor(b: Builder): Next {
  const open = lastFormatting(b, TAG.a);
  if (open >= 0) {
    adopt(b, TAG.a);
    forgetFormatting(b, open);
    if (b.open[open] === 1) removeOpen(b, open);
  }
  return startFormatting(b);
}

function startFormatting(b: Builder): Next {
  reconstruct(b);
  pushFormatting(b, insertElement(b));
  return DONE;
}

function startNobr(b: Builder): Next {
  reconstruct(b);
  if (inScope(b, TAG.nobr, 'element')) adopt(b, TAG.nobr);
  return startFormatting(b);
}

function startObject(b: Builder): Next {
  startOrdinary(b);
  pushMarker(b);
  b.framesetOk = false;
  return DONE;
}

function startTable(b: Builder): Next {
  if (!b.quirks) closeParagraph(b);
  insertElement(b);
  b.framesetOk = false;
  b.mode = MODE.inTable;
  return DONE;
}

function startVoid(b: Builder): Next {
  reconstruct(b);
  b.framesetOk = false;
  return insertVoid(b);
}

function startInput(b: Builder): Next {
  if (inScope(b, TAG.select, 'element')) popThrough(b, TAG.select);
  reconstruct(b);
  if (!isHiddenInput(b)) b.framesetOk = false;
  return insertVoid(b);
}

/** Whether the token is an input that shows nothing. */
export function isHiddenInput(b: Builder): boolean {
  for (let at = b.tokenAttributes; at < b.attributes; at++) {
    if (b.attributeId[at] !== ATTRIBUTE.type) continue;
    return b.source.slice(b.valueStart[at] ?? 0, b.valueEnd[at] ?? 0).toLowerCase() === 'hidden';
  }
  return false;
}

function startRule(b: Builder): Next {
  closeParagraph(b);
  if (inScope(b, TAG.select, 'element')) closeImplied(b, 0);
  b.framesetOk = false;
  return insertVoid(b);
}

function startImage(b: Builder): Next {
  b.tokenTag = TAG.img;
  return AGAIN;
}

function startTextarea(b: Builder): Next {
  b.skipNewline = true;
  b.framesetOk = false;
  return startRaw(b);
}

function startXmp(b: Builder): Next {
  closeParagraph(b);
  reconstruct(b);
  b.framesetOk = false;
  return startRaw(b);
}

function startFrame(b: Builder): Next {
  b.framesetOk = false;
  return startRaw(b);
}

function startSelect(b: Builder): Next {
  b.framesetOk = false;
  if (!inScope(b, TAG.select, 'element')) return startOrdinary(b);
  popThrough(b, TAG.select);
  return DONE;
}

function startOption(b: Builder): Next {
  if (inScope(b, TAG.select, 'element')) closeImplied(b, b.tokenTag === TAG.option ? TAG.optgroup : 0);
  else if (currentTag(b) === TAG.option) pop(b);
  return startOrdinary(b);
}

function startRuby(b: Builder, except: number): Next {
  if (inScope(b, TAG.ruby, 'element')) closeImplied(b, except);
  insertElement(b);
  return DONE;
}

function startForeign(b: Builder, namespace: number): Next {
  reconstruct(b);
  const node = insertElement(b);
  b.namespace[node] = namespace;
  if (b.selfClosing) pop(b);
  return DONE;
}
