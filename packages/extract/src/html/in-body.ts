import {
  AGAIN,
  type Builder,
  getCurrentTag,
  DONE,
  insertElement,
  insertImplied,
  insertVoid,
  MODE,
  type RuleResult,
  popOpen,
  popToDepth,
  removeOpen,
} from './builder.ts';
import {
  runAdoptionAgency,
  clearToMarker,
  closeOrdinary,
  forgetFormatting,
  findLastFormatting,
  pushFormatting,
  pushMarker,
  reconstructFormatting,
} from './formatting.ts';
import { endTemplate, mergeAttributes, startHeadContent, startRaw } from './in-head.ts';
import { closeImplied, closeParagraph, isInScope, isSpecial, popThrough } from './scope.ts';
import { ATTRIBUTE, TAG } from './tag-names.ts';
import { buildTagTable, getTagFlags, HEADING } from './tags.ts';
import { HTML_NAMESPACE, MATHML_NAMESPACE, SVG_NAMESPACE } from './tree.ts';

type EndTagRule = (b: Builder, tag: number) => RuleResult;

/** The mode "in body" for an end tag. */
export function endInBody(b: Builder, tag: number): RuleResult {
  return (END_RULES[tag] ?? endOrdinary)(b, tag);
}

const END_RULES: readonly EndTagRule[] = buildTagTable<EndTagRule>(endOrdinary, [
  ['template', endTemplate],
  ['body html', endBody],
  [
    'address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer header hgroup listing main menu nav ol pre search section select summary ul',
    endBlock,
  ],
  ['form', endForm],
  ['p', endParagraph],
  ['li', endListItem],
  ['dd dt', endBlock],
  ['h1 h2 h3 h4 h5 h6', endHeading],
  ['a b big code em font i nobr s small strike strong tt u', endFormatting],
  ['applet marquee object', endObject],
  ['br', endBreak],
]);

function endOrdinary(b: Builder, tag: number): RuleResult {
  closeOrdinary(b, tag);
  return DONE;
}

function endBody(b: Builder, tag: number): RuleResult {
  if (!isInScope(b, TAG.body, 'element')) return DONE;
  b.mode = MODE.afterBody;
  return tag === TAG.html ? AGAIN : DONE;
}

function endBlock(b: Builder, tag: number): RuleResult {
  if (!isInScope(b, tag, 'element')) return DONE;
  popThrough(b, tag);
  return DONE;
}

function endForm(b: Builder): RuleResult {
  if (b.openCount[TAG.template] !== 0) return endBlock(b, TAG.form);
  const form = b.form;
  b.form = 0;
  if (form === 0 || b.open[form] === 0 || !isInScope(b, TAG.form, 'element')) return DONE;
  closeImplied(b, 0);
  removeOpen(b, form);
  return DONE;
}

function endParagraph(b: Builder): RuleResult {
  if (!isInScope(b, TAG.p, 'button')) insertImplied(b, TAG.p);
  popThrough(b, TAG.p);
  return DONE;
}

function endListItem(b: Builder): RuleResult {
  if (isInScope(b, TAG.li, 'list')) popThrough(b, TAG.li);
  return DONE;
}

function endHeading(b: Builder): RuleResult {
  const tags = [TAG.h1, TAG.h2, TAG.h3, TAG.h4, TAG.h5, TAG.h6];
  if (!tags.some((tag) => isInScope(b, tag, 'element'))) return DONE;
  while (b.depth > 1 && (getTagFlags(b.tag[popOpen(b)] ?? 0) & HEADING) === 0);
  return DONE;
}

function endFormatting(b: Builder, tag: number): RuleResult {
  runAdoptionAgency(b, tag);
  return DONE;
}

function endObject(b: Builder, tag: number): RuleResult {
  if (!isInScope(b, tag, 'element')) return DONE;
  popThrough(b, tag);
  clearToMarker(b);
  return DONE;
}

function endBreak(b: Builder): RuleResult {
  reconstructFormatting(b);
  insertImplied(b, TAG.br);
  popOpen(b);
  return DONE;
}

type StartTagRule = (b: Builder) => RuleResult;

/** The mode "in body" for a start tag. */
export function startInBody(b: Builder): RuleResult {
  return (START_RULES[b.tokenTag] ?? startOrdinary)(b);
}

const START_RULES: readonly StartTagRule[] = buildTagTable<StartTagRule>(startOrdinary, [
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

function startOrdinary(b: Builder): RuleResult {
  reconstructFormatting(b);
  insertElement(b);
  return DONE;
}

function startSecondBody(b: Builder): RuleResult {
  if (b.body === 0 || b.openCount[TAG.template] !== 0) return DONE;
  b.framesetOk = false;
  return mergeAttributes(b, b.body);
}

/** A frameset after insignificant text: replaces the body. */
function startLateFrameset(b: Builder): RuleResult {
  if (!b.framesetOk || b.body === 0 || b.stack[1] !== b.body) return DONE;
  popToDepth(b, 1);
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

function startBlock(b: Builder): RuleResult {
  closeParagraph(b);
  insertElement(b);
  return DONE;
}

function startHeading(b: Builder): RuleResult {
  closeParagraph(b);
  if ((getTagFlags(getCurrentTag(b)) & HEADING) !== 0) popOpen(b);
  insertElement(b);
  return DONE;
}

function startPreformatted(b: Builder): RuleResult {
  b.framesetOk = false;
  b.skipNewline = true;
  return startBlock(b);
}

function startForm(b: Builder): RuleResult {
  const inTemplate = b.openCount[TAG.template] !== 0;
  if (b.form !== 0 && !inTemplate) return DONE;
  closeParagraph(b);
  const node = insertElement(b);
  if (!inTemplate) b.form = node;
  return DONE;
}

function startListItem(b: Builder): RuleResult {
  return startItem(b, TAG.li, TAG.li);
}

function startDefinition(b: Builder): RuleResult {
  return startItem(b, TAG.dd, TAG.dt);
}

/** A list item closes the previous one, unless another block is in between. */
function startItem(b: Builder, one: number, other: number): RuleResult {
  b.framesetOk = false;
  if (b.openCount[one] !== 0 || b.openCount[other] !== 0) {
    for (let at = b.depth - 1; at > 0; at--) {
      const element = b.stack[at] ?? 0;
      const tag = b.tag[element] ?? 0;
      if (b.namespace[element] === HTML_NAMESPACE && (tag === one || tag === other)) {
        popToDepth(b, at);
        break;
      }
      if (isSpecial(b, element) && tag !== TAG.address && tag !== TAG.div && tag !== TAG.p) break;
    }
  }
  return startBlock(b);
}

function startPlaintext(b: Builder): RuleResult {
  closeParagraph(b);
  return startRaw(b);
}

function startButton(b: Builder): RuleResult {
  if (isInScope(b, TAG.button, 'element')) popThrough(b, TAG.button);
  b.framesetOk = false;
  return startOrdinary(b);
}

function startAnchor(b: Builder): RuleResult {
  const open = findLastFormatting(b, TAG.a);
  if (open >= 0) {
    runAdoptionAgency(b, TAG.a);
    forgetFormatting(b, open);
    if (b.open[open] === 1) removeOpen(b, open);
  }
  return startFormatting(b);
}

function startFormatting(b: Builder): RuleResult {
  reconstructFormatting(b);
  pushFormatting(b, insertElement(b));
  return DONE;
}

function startNobr(b: Builder): RuleResult {
  reconstructFormatting(b);
  if (isInScope(b, TAG.nobr, 'element')) runAdoptionAgency(b, TAG.nobr);
  return startFormatting(b);
}

function startObject(b: Builder): RuleResult {
  startOrdinary(b);
  pushMarker(b);
  b.framesetOk = false;
  return DONE;
}

function startTable(b: Builder): RuleResult {
  if (!b.quirks) closeParagraph(b);
  insertElement(b);
  b.framesetOk = false;
  b.mode = MODE.inTable;
  return DONE;
}

function startVoid(b: Builder): RuleResult {
  reconstructFormatting(b);
  b.framesetOk = false;
  return insertVoid(b);
}

function startInput(b: Builder): RuleResult {
  if (isInScope(b, TAG.select, 'element')) popThrough(b, TAG.select);
  reconstructFormatting(b);
  if (!isHiddenInput(b)) b.framesetOk = false;
  return insertVoid(b);
}

/** Whether the token is a hidden input. */
export function isHiddenInput(b: Builder): boolean {
  for (let at = b.tokenAttributes; at < b.attributes; at++) {
    if (b.attributeId[at] !== ATTRIBUTE.type) continue;
    return b.source.slice(b.valueStart[at] ?? 0, b.valueEnd[at] ?? 0).toLowerCase() === 'hidden';
  }
  return false;
}

function startRule(b: Builder): RuleResult {
  closeParagraph(b);
  if (isInScope(b, TAG.select, 'element')) closeImplied(b, 0);
  b.framesetOk = false;
  return insertVoid(b);
}

function startImage(b: Builder): RuleResult {
  b.tokenTag = TAG.img;
  return AGAIN;
}

function startTextarea(b: Builder): RuleResult {
  b.skipNewline = true;
  b.framesetOk = false;
  return startRaw(b);
}

function startXmp(b: Builder): RuleResult {
  closeParagraph(b);
  reconstructFormatting(b);
  b.framesetOk = false;
  return startRaw(b);
}

function startFrame(b: Builder): RuleResult {
  b.framesetOk = false;
  return startRaw(b);
}

function startSelect(b: Builder): RuleResult {
  b.framesetOk = false;
  if (!isInScope(b, TAG.select, 'element')) return startOrdinary(b);
  popThrough(b, TAG.select);
  return DONE;
}

function startOption(b: Builder): RuleResult {
  if (isInScope(b, TAG.select, 'element')) closeImplied(b, b.tokenTag === TAG.option ? TAG.optgroup : 0);
  else if (getCurrentTag(b) === TAG.option) popOpen(b);
  return startOrdinary(b);
}

function startRuby(b: Builder, except: number): RuleResult {
  if (isInScope(b, TAG.ruby, 'element')) closeImplied(b, except);
  insertElement(b);
  return DONE;
}

function startForeign(b: Builder, namespace: number): RuleResult {
  reconstructFormatting(b);
  const node = insertElement(b);
  b.namespace[node] = namespace;
  if (b.selfClosing) popOpen(b);
  return DONE;
}
