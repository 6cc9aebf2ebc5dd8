import { AGAIN, type Builder, DONE, insertImplied, MODE, type Next, pop, removeOpen } from './builder.ts';
import { adopt, clearToMarker, closeOther, reconstruct } from './formatting.ts';
import { endTemplate } from './in-head.ts';
import { closeImplied, inScope, popThrough } from './scope.ts';
import { TAG } from './tag-names.ts';
import { byTag, flagsOf, HEADING } from './tags.ts';

type EndTagMode = (b: Builder, tag: number) => Next;

/** The mode "in body" for an end tag. */
export function endInBody(b: Builder, tag: number): Next {
  return (ENDS[tag] ?? endOrdinary)(b, tag);
}

const ENDS: readonly EndTagMode[] = byTag<EndTagMode>(endOrdinary, [
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

function endOrdinary(b: Builder, tag: number): Next {
  closeOther(b, tag);
  return DONE;
}

function endBody(b: Builder, tag: number): Next {
  if (!inScope(b, TAG.body, 'element')) return DONE;
  b.mode = MODE.afterBody;
  return tag === TAG.html ? AGAIN : DONE;
}

function endBlock(b: Builder, tag: number): Next {
  if (!inScope(b, tag, 'element')) return DONE;
  popThrough(b, tag);
  return DONE;
}

function endForm(b: Builder): Next {
  if (b.openCount[TAG.template] !== 0) return endBlock(b, TAG.form);
  const form = b.form;
  b.form = 0;
  if (form === 0 || b.open[form] === 0 || !inScope(b, TAG.form, 'element')) return DONE;
  closeImplied(b, 0);
  removeOpen(b, form);
  return DONE;
}

function endParagraph(b: Builder): Next {
  if (!inScope(b, TAG.p, 'button')) insertImplied(b, TAG.p);
  popThrough(b, TAG.p);
  return DONE;
}

function endListItem(b: Builder): Next {
  if (inScope(b, TAG.li, 'list')) popThrough(b, TAG.li);
  return DONE;
}

function endHeading(b: Builder): Next {
  const tags = [TAG.h1, TAG.h2, TAG.h3, TAG.h4, TAG.h5, TAG.h6];
  if (!tags.some((tag) => inScope(b, tag, 'element'))) return DONE;
  while (b.depth > 1 && (flagsOf(b.tag[pop(b)] ?? 0) & HEADING) === 0);
  return DONE;
}

function endFormatting(b: Builder, tag: number): Next {
  adopt(b, tag);
  return DONE;
}

function endObject(b: Builder, tag: number): Next {
  if (!inScope(b, tag, 'element')) return DONE;
  popThrough(b, tag);
  clearToMarker(b);
  return DONE;
}

function endBreak(b: Builder): Next {
  reconstruct(b);
  insertImplied(b, TAG.br);
  pop(b);
  return DONE;
}
