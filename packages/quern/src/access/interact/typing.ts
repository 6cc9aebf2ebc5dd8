import type { Locator } from 'patchright-core';
import { ActionFailed, type PageAction } from './actions.ts';

type Typing = { readonly text: string; readonly clear: boolean };

/** The kind of a field, and the value that it would have after typing; null where it would refuse it. */
type Judgement = {
  readonly kind: string;
  readonly value: string | null;
  readonly isFilled: boolean;
  readonly range: string;
};

/** The values that a field of each kind takes. */
const FORMS: Readonly<Record<string, string>> = {
  color: 'a colour as #rrggbb, such as #336699',
  date: 'a date as YYYY-MM-DD, such as 2026-03-31',
  time: 'a time as HH:MM, such as 14:30',
  'datetime-local': 'a date and time as YYYY-MM-DDTHH:MM, such as 2026-03-31T14:30',
  month: 'a month as YYYY-MM, such as 2026-03',
  week: 'a week as YYYY-Www, such as 2026-W14',
  number: 'a number, such as 12.5',
};

/** Fields that have other actions, and those that take no text at all. */
const OTHERS: Readonly<Record<string, string>> = {
  select: ': choose an option with select',
  checkbox: ': use check or uncheck',
  radio: ': use check',
  file: ': use upload',
  button: ': use click',
  submit: ': use click',
  reset: ': use click',
  image: ': use click',
  hidden: '',
  none: '',
};

/**
 * Sets the text of a field at once, or adds to it key by key. A field that refuses the text keeps what it holds: browsers
 * empty one that is given a value of another form.
 */
export async function typeText(
  { text, clear }: Extract<PageAction, { readonly type: 'type' }>,
  { locator, timeout }: { readonly locator: Locator; readonly timeout: number },
): Promise<void> {
  const { kind, value, isFilled, range } = await locator.evaluate(judge, { text, clear }, { timeout });
  const other = OTHERS[kind];
  if (other !== undefined) throw new ActionFailed(`the element takes no text${other}`);
  const form = kind === 'range' ? `a number ${range}` : FORMS[kind];
  if (form !== undefined && value === null) {
    const hint = !clear && isFilled ? '; clear false adds to the value that it holds' : '';
    throw new ActionFailed(`the field takes ${form}${hint}`);
  }
  if (clear || (form !== undefined && kind !== 'number')) return locator.fill(value ?? text, { timeout });
  if (kind === 'textarea' || kind === 'editable') {
    await locator.focus({ timeout });
    await locator.evaluate(moveToEnd, undefined, { timeout });
  } else await locator.press('End', { timeout });
  return locator.pressSequentially(text, { timeout });
}

/** Runs in the page: tries the value in a copy of the field. */
function judge(element: HTMLElement | SVGElement, { text, clear }: Typing): Judgement {
  const isEditable = element instanceof HTMLElement && element.isContentEditable;
  const isField = isEditable || element.matches('a, button, input, select, textarea');
  const field = isField ? element : (element.closest('label')?.control ?? element);
  if (!(field instanceof HTMLInputElement)) {
    const kind = field.matches('textarea, select') ? field.localName : isEditable ? 'editable' : 'none';
    return { kind, value: null, isFilled: false, range: '' };
  }
  const { type } = field;
  const range = `from ${field.min || '0'} to ${field.max || '100'} in steps of ${field.step || '1'}`;
  const about = { isFilled: field.value !== '', range };
  if (!/^(?:color|date|datetime-local|month|number|range|time|week)$/.test(type))
    return { kind: type, value: null, ...about };
  const whole = ((clear ? '' : field.value) + text).trim();
  const wanted = type === 'color' ? whole.toLowerCase() : whole;
  const copy = document.createElement('input');
  for (const name of ['type', 'min', 'max', 'step']) copy.setAttribute(name, field.getAttribute(name) ?? '');
  copy.value = wanted;
  // Of a colour that it does not know a field makes black, and of a number outside its range the nearest in it.
  const isTaken =
    type === 'color'
      ? copy.value !== '#000000' || /^(?:black|#0{3}|#0{6})$/.test(wanted)
      : type === 'range'
        ? wanted !== '' && Number(copy.value) === Number(wanted)
        : copy.value !== '' || wanted === '';
  return { kind: type, value: isTaken ? copy.value : null, ...about };
}

/** Runs in the page: puts the caret behind the last line of an element with several. */
function moveToEnd(element: HTMLElement | SVGElement): void {
  const field = element instanceof HTMLTextAreaElement ? element : element.closest('label')?.control;
  if (field instanceof HTMLTextAreaElement) {
    field.setSelectionRange(field.value.length, field.value.length);
    return;
  }
  const selection = getSelection();
  selection?.selectAllChildren(element);
  selection?.collapseToEnd();
}
