import { z } from 'zod';
import { ROLES, type Target } from '#access/interact/actions.ts';
import type { ScriptAction } from './script.ts';
import { MAX_STEPS, MAX_TIMES } from './steps.ts';
import { Extract } from '#extract/grammar.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { checkSelector } from '#extract/select/css.ts';
import { checkXPath } from '#extract/select/xpath.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { named } from '#extract/schema/names.ts';
import { completeAddress } from '#kernel/web-address.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 120_000;
const MAX_WAIT_MS = 30_000;
const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
const DEEPEST = 5;

const Words = z.string().min(1).max(1000);
const Css = Words.superRefine((text, context) => {
  const problem = checkSelector(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});
const XPath = Words.superRefine((text, context) => {
  // Two of these in a row would begin another selector for the browser's driver.
  const problem = text.includes('>>') ? 'must not hold >>' : checkXPath(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const WAYS = ['css', 'xpath', 'text', 'role', 'label', 'placeholder', 'test_id'] as const;

const TargetForm = z.strictObject({
  css: Css.optional(),
  xpath: XPath.optional(),
  text: Words.optional().describe('Part of the text that the element shows, in any case'),
  role: z.enum(ROLES).optional().describe('ARIA role; name narrows it to an accessible name'),
  name: Words.optional(),
  label: Words.optional().describe('Label of a field'),
  placeholder: Words.optional(),
  test_id: Words.optional().describe('data-testid'),
  nth: wholeNumber(0, 10_000).optional().describe('Which of several, from 0'),
  frame: Css.optional().describe('CSS selector of the frame that the element is in'),
});

const TargetSchema = named(
  'Target',
  z
    .union([Css, TargetForm], { error: `expected a CSS selector, or an object with one of ${WAYS.join(', ')}` })
    .transform((given, context): Target => {
      if (typeof given === 'string') return { css: given };
      const target = toTarget(given);
      if (target !== null) return target;
      context.issues.push({
        code: 'custom',
        message: `name one of ${WAYS.join(', ')}; name goes with role`,
        input: given,
      });
      return z.NEVER;
    }),
);

function toTarget({ nth, frame, name, ...ways }: z.output<typeof TargetForm>): Target | null {
  const given = WAYS.filter((way) => ways[way] !== undefined);
  if (given.length !== 1 || (name !== undefined && ways.role === undefined)) return null;
  const { css, xpath, text, role, label, placeholder, test_id } = ways;
  const where = { nth, frame };
  if (css !== undefined) return { css, ...where };
  if (xpath !== undefined) return { xpath, ...where };
  if (text !== undefined) return { text, ...where };
  if (role !== undefined) return { role, name, ...where };
  if (label !== undefined) return { label, ...where };
  if (placeholder !== undefined) return { placeholder, ...where };
  return test_id === undefined ? null : { test_id, ...where };
}

const MANNER = {
  timeout_ms: wholeNumber(1, MAX_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS).describe('Time for this action, ms'),
  optional: z.boolean().default(false).describe('Go on when it fails'),
} as const;

const Name = z
  .string()
  .regex(/^[A-Za-z_][\w-]{0,63}$/, 'must be a name of letters, digits, _ and -')
  .describe('The member of extracted that gets what it brings; a name used again becomes an array');

function form<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.strictObject({ type: z.literal(type), ...shape, ...MANNER });
}

/** Refuses inputs without exactly one of some members, and names these. */
function oneOf<T extends Readonly<Record<string, unknown>>>(names: readonly (keyof T & string)[]) {
  return (given: T, context: z.RefinementCtx<T>): void => {
    const count = names.filter((name) => given[name] !== undefined).length;
    if (count !== 1) context.addIssue({ code: 'custom', message: `needs exactly one of ${names.join(', ')}` });
  };
}

const Base64 = z.base64().max(Math.ceil(MAX_UPLOAD_BYTES / 3) * 4, `must be at most ${MAX_UPLOAD_BYTES / 2 ** 20} MiB`);

const PLAIN = [
  form('goto', { url: z.string().min(1).max(8192).overwrite(completeAddress) }),
  form('click', { target: TargetSchema, count: wholeNumber(1, 3).default(1) }),
  form('type', {
    target: TargetSchema,
    text: z.string().max(100_000).describe('{{name}} is filled in from variables'),
    clear: z.boolean().default(true).describe('Replace what the field holds'),
  }),
  form('press', {
    key: z.string().min(1).max(50).describe('Such as Enter or Control+A'),
    target: TargetSchema.optional(),
  }),
  form('select', {
    target: TargetSchema,
    value: z.string().max(1000).optional(),
    label: z.string().max(1000).optional(),
    index: wholeNumber(0, 10_000).optional(),
  }).superRefine(oneOf(['value', 'label', 'index'])),
  form('check', { target: TargetSchema }),
  form('uncheck', { target: TargetSchema }),
  form('hover', { target: TargetSchema }),
  form('drag', { from: TargetSchema, to: TargetSchema }),
  form('upload', {
    target: TargetSchema,
    name: z.string().regex(/^[^/\\\p{Cc}]{1,255}$/u, 'must be the name of a file, without a folder'),
    content_base64: Base64,
  }).transform(({ content_base64: content, ...rest }) => ({
    ...rest,
    bytes: new Uint8Array(Buffer.from(content, 'base64')),
  })),
  form('scroll', {
    target: TargetSchema.optional().describe('Alone: what is scrolled into view; with to: what is scrolled itself'),
    to: z
      .union([z.enum(['end', 'top']), TargetSchema])
      .optional()
      .describe('end or top of the page, or of target; or a target that is scrolled into view'),
    times: wholeNumber(1, 100).default(1),
  })
    .superRefine(({ target, to }, context) => {
      const isBoth = target !== undefined && typeof to === 'object';
      if (!isBoth && (target ?? to) !== undefined) return;
      context.addIssue({
        code: 'custom',
        message: isBoth ? 'to is end or top where target is given' : 'needs target or to',
      });
    })
    .transform(({ target, to, ...rest }): ScriptAction => {
      if (target === undefined) return { ...rest, to: to ?? 'end' };
      return to === undefined ? { ...rest, to: target } : { ...rest, to, within: target };
    }),
  form('content', { name: Name, output: z.enum(OUTPUTS).exclude(['json']) }),
  form('extract', { name: Name, fields: Extract }),
  form('screenshot', { name: Name, target: TargetSchema.optional(), full_page: z.boolean().default(false) }),
  form('pdf', { name: Name }),
  form('evaluate', {
    name: Name,
    script: z.string().min(1).max(100_000).describe('An expression, whose awaited value is the result'),
  }),
  form('back', {}),
  form('reload', {}),
  form('dialog', { accept: z.boolean(), text: z.string().max(10_000).optional() }).describe(
    'Arms the answer to the next dialog; without it dialogs are dismissed',
  ),
] as const;

const Wait = form('wait', {
  for: z.union([z.enum(['load', 'idle']), TargetSchema]).optional(),
  url: Words.optional().describe('Until the address holds this'),
  text: Words.optional(),
  ms: wholeNumber(0, MAX_WAIT_MS).optional(),
})
  .superRefine(oneOf(['for', 'url', 'text', 'ms']))
  .transform(({ for: target, url, text, ms, ...rest }): ScriptAction => {
    if (target !== undefined) return { ...rest, for: target };
    if (url !== undefined) return { ...rest, url };
    return text === undefined ? { ...rest, ms: ms ?? 0 } : { ...rest, text };
  });

const Switch = form('switch', {
  tab: z
    .union([z.literal('last'), wholeNumber(0, 100)])
    .optional()
    .describe('From 0'),
  frame: z.union([z.literal('main'), TargetSchema]).optional(),
})
  .superRefine(oneOf(['tab', 'frame']))
  .transform(({ tab, frame, ...rest }): ScriptAction =>
    frame === undefined ? { ...rest, tab: tab ?? 0 } : { ...rest, frame },
  );

const NESTED = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', description: 'An action, as in actions' },
} as const;

type ActionList = z.ZodType<readonly ScriptAction[]>;

/** A list of actions inside another; null where none may be. */
function nested(list: ActionList | null) {
  return z
    .unknown()
    .meta(NESTED)
    .transform((raw, context): readonly ScriptAction[] => {
      const read = list?.safeParse(raw);
      if (read?.success === true) return read.data;
      const deep = [{ code: 'custom' as const, message: `actions nest at most ${DEEPEST} deep`, path: [], input: raw }];
      for (const { message, path } of read?.error.issues ?? deep) {
        context.issues.push({ code: 'custom', message, path: [...path], input: raw });
      }
      return z.NEVER;
    });
}

function toActions(within: ActionList | null) {
  const inner = nested(within);
  const repeat = z
    .strictObject({
      type: z.literal('repeat'),
      times: wholeNumber(1, MAX_TIMES).optional(),
      while: TargetSchema.optional().describe(`As long as it can be seen, at most ${MAX_TIMES} times`),
      actions: inner,
    })
    .superRefine(oneOf(['times', 'while']))
    .transform(({ type, times, while: target, actions }): ScriptAction =>
      target === undefined ? { type, times: times ?? 1, actions } : { type, while: target, actions },
    );
  const branch = z
    .strictObject({
      type: z.literal('if'),
      exists: TargetSchema.optional(),
      missing: TargetSchema.optional(),
      // oxlint-disable-next-line unicorn/no-thenable -- the word of the API; nothing awaits it
      then: inner,
      else: inner.optional(),
    })
    .superRefine(oneOf(['exists', 'missing']));
  const one = named(
    'Action',
    z.discriminatedUnion('type', [...PLAIN, Wait, Switch, repeat, branch], { error: unknownType }),
  );
  return z.array(one).min(1).max(MAX_STEPS);
}

/** The message for an unknown action: the types that there are. Other problems have messages of their own. */
function unknownType({ code }: { readonly code: string }): string | undefined {
  if (code !== 'invalid_union') return undefined;
  return `must be one of ${[...PLAIN.map(nameOf), 'wait', 'switch', 'repeat', 'if'].join(', ')}`;
}

function nameOf(one: (typeof PLAIN)[number]): string {
  const shape = 'in' in one ? one.in.shape : one.shape;
  return shape.type.value;
}

/** Lists of actions may stand in others; each depth is built once, since a call may have thousands of lists. */
function nestActions(depth: number): ReturnType<typeof toActions> {
  return toActions(depth === 1 ? null : nestActions(depth - 1));
}

/** The actions of a script, in order. */
export const Actions = nestActions(DEEPEST).describe(
  `What is to be done, in order: at most ${MAX_STEPS} actions, those that are repeated counted each time`,
);

/** The actions that a script does at least, whatever its page shows. */
export function leastSteps(actions: readonly ScriptAction[]): number {
  return actions.reduce((sum, action) => {
    if (action.type === 'repeat') return sum + ('times' in action ? action.times * leastSteps(action.actions) : 0);
    if (action.type === 'if') return sum + Math.min(leastSteps(action.then), leastSteps(action.else ?? []));
    return sum + 1;
  }, 0);
}

/** All actions that a script may do, and where each stands, such as `actions.0.then.1`. */
export function* everyAction(
  actions: readonly ScriptAction[],
  list = 'actions',
): Generator<{ readonly action: ScriptAction; readonly at: string }> {
  for (const [index, action] of actions.entries()) {
    const at = `${list}.${index}`;
    yield { action, at };
    if (action.type === 'repeat') yield* everyAction(action.actions, `${at}.actions`);
    if (action.type !== 'if') continue;
    yield* everyAction(action.then, `${at}.then`);
    yield* everyAction(action.else ?? [], `${at}.else`);
  }
}
