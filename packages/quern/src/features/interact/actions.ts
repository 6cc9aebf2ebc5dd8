import { z } from 'zod';
import { ARIA_ROLES, type Target } from '#access/interact/actions.ts';
import { type ScriptAction, MAX_STEPS, MAX_REPEATS } from './script.ts';
import { Extract } from '#extract/grammar.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { checkSelector } from '#extract/select/css.ts';
import { checkXPath } from '#extract/select/xpath.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { completeUrl } from '#kernel/web-address.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 120_000;
const MAX_WAIT_MS = 30_000;
const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
const MAX_DEPTH = 5;

const ShortText = z.string().min(1).max(1000);
const Css = ShortText.superRefine((text, context) => {
  const problem = checkSelector(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});
const XPath = ShortText.superRefine((text, context) => {
  // The browser driver would interpret ">>" as the start of another selector.
  const problem = text.includes('>>') ? 'must not contain >>' : checkXPath(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const TARGET_KINDS = ['css', 'xpath', 'text', 'role', 'label', 'placeholder', 'test_id'] as const;

const TargetForm = z.strictObject({
  css: Css.optional(),
  xpath: XPath.optional(),
  text: ShortText.optional().describe('Part of the visible text of the element, case-insensitive'),
  role: z.enum(ARIA_ROLES).optional().describe('ARIA role; name narrows it to an accessible name'),
  name: ShortText.optional(),
  label: ShortText.optional().describe('Label of a field'),
  placeholder: ShortText.optional(),
  test_id: ShortText.optional().describe('data-testid'),
  nth: wholeNumber(0, 10_000).optional().describe('Index among several matches, from 0'),
  frame: Css.optional().describe('CSS selector of the frame that contains the element'),
});

const TargetSchema = nameSchema(
  'Target',
  z
    .union([Css, TargetForm], { error: `expected a CSS selector, or an object with one of ${TARGET_KINDS.join(', ')}` })
    .transform((raw, context): Target => {
      if (typeof raw === 'string') return { css: raw };
      const target = toTarget(raw);
      if (target !== null) return target;
      context.issues.push({
        code: 'custom',
        message: `needs exactly one of ${TARGET_KINDS.join(', ')}; name is allowed only with role`,
        input: raw,
      });
      return z.NEVER;
    }),
);

function toTarget({ nth, frame, name, ...ways }: z.output<typeof TargetForm>): Target | null {
  const kinds = TARGET_KINDS.filter((way) => ways[way] !== undefined);
  if (kinds.length !== 1 || (name !== undefined && ways.role === undefined)) return null;
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

const COMMON_OPTIONS = {
  timeout_ms: wholeNumber(1, MAX_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS).describe('Time limit of this action in ms'),
  optional: z.boolean().default(false).describe('Continue with the next action if it fails'),
} as const;

const ResultName = z
  .string()
  .regex(/^[A-Za-z_][\w-]{0,63}$/, 'must be a name of letters, digits, _ and -')
  .describe('Field of extracted that receives the value; a name used several times gets an array');

function buildAction<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.strictObject({ type: z.literal(type), ...shape, ...COMMON_OPTIONS });
}

/** A refinement that requires exactly one of the given fields. */
function requireOneOf<T extends Readonly<Record<string, unknown>>>(names: readonly (keyof T & string)[]) {
  return (value: T, context: z.RefinementCtx<T>): void => {
    const count = names.filter((name) => value[name] !== undefined).length;
    if (count !== 1) context.addIssue({ code: 'custom', message: `needs exactly one of ${names.join(', ')}` });
  };
}

const Base64 = z.base64().max(Math.ceil(MAX_UPLOAD_BYTES / 3) * 4, `must be at most ${MAX_UPLOAD_BYTES / 2 ** 20} MiB`);

const PLAIN_ACTIONS = [
  buildAction('goto', { url: z.string().min(1).max(8192).overwrite(completeUrl) }),
  buildAction('click', { target: TargetSchema, count: wholeNumber(1, 3).default(1) }),
  buildAction('type', {
    target: TargetSchema,
    text: z.string().max(100_000).describe('{{name}} is replaced by the value from variables'),
    clear: z.boolean().default(true).describe('Clear the field before typing'),
  }),
  buildAction('press', {
    key: z.string().min(1).max(50).describe('Key, such as Enter or Control+A'),
    target: TargetSchema.optional(),
  }),
  buildAction('select', {
    target: TargetSchema,
    value: z.string().max(1000).optional(),
    label: z.string().max(1000).optional(),
    index: wholeNumber(0, 10_000).optional(),
  }).superRefine(requireOneOf(['value', 'label', 'index'])),
  buildAction('check', { target: TargetSchema }),
  buildAction('uncheck', { target: TargetSchema }),
  buildAction('hover', { target: TargetSchema }),
  buildAction('drag', { from: TargetSchema, to: TargetSchema }),
  buildAction('upload', {
    target: TargetSchema,
    name: z.string().regex(/^[^/\\\p{Cc}]{1,255}$/u, 'must be a file name without a folder'),
    content_base64: Base64,
  }).transform(({ content_base64: content, ...rest }) => ({
    ...rest,
    bytes: new Uint8Array(Buffer.from(content, 'base64')),
  })),
  buildAction('scroll', {
    target: TargetSchema.optional().describe(
      'Without to: element to scroll into view; with to: element whose content is scrolled',
    ),
    to: z
      .union([z.enum(['end', 'top']), TargetSchema])
      .optional()
      .describe('end or top of the page (or of target); or a target to scroll into view'),
    times: wholeNumber(1, 100).default(1),
  })
    .superRefine(({ target, to }, context) => {
      const isBoth = target !== undefined && typeof to === 'object';
      if (!isBoth && (target ?? to) !== undefined) return;
      context.addIssue({
        code: 'custom',
        message: isBoth ? 'to must be end or top if target is given' : 'needs target or to',
      });
    })
    .transform(({ target, to, ...rest }): ScriptAction => {
      if (target === undefined) return { ...rest, to: to ?? 'end' };
      return to === undefined ? { ...rest, to: target } : { ...rest, to, within: target };
    }),
  buildAction('content', { name: ResultName, output: z.enum(OUTPUTS).exclude(['json', 'attributes']) }),
  buildAction('extract', { name: ResultName, fields: Extract }),
  buildAction('screenshot', {
    name: ResultName,
    target: TargetSchema.optional(),
    full_page: z.boolean().default(false),
  }),
  buildAction('pdf', { name: ResultName }),
  buildAction('evaluate', {
    name: ResultName,
    script: z.string().min(1).max(100_000).describe('A JavaScript expression; its awaited value is the result'),
  }),
  buildAction('back', {}),
  buildAction('reload', {}),
  buildAction('dialog', { accept: z.boolean(), text: z.string().max(10_000).optional() }).describe(
    'Sets the response to the next dialog; without it, dialogs are dismissed',
  ),
] as const;

const WaitAction = buildAction('wait', {
  for: z.union([z.enum(['load', 'idle']), TargetSchema]).optional(),
  url: ShortText.optional().describe('Wait until the URL contains this'),
  text: ShortText.optional(),
  ms: wholeNumber(0, MAX_WAIT_MS).optional(),
})
  .superRefine(requireOneOf(['for', 'url', 'text', 'ms']))
  .transform(({ for: target, url, text, ms, ...rest }): ScriptAction => {
    if (target !== undefined) return { ...rest, for: target };
    if (url !== undefined) return { ...rest, url };
    return text === undefined ? { ...rest, ms: ms ?? 0 } : { ...rest, text };
  });

const SwitchAction = buildAction('switch', {
  tab: z
    .union([z.literal('last'), wholeNumber(0, 100)])
    .optional()
    .describe('From 0'),
  frame: z.union([z.literal('main'), TargetSchema]).optional(),
})
  .superRefine(requireOneOf(['tab', 'frame']))
  .transform(({ tab, frame, ...rest }): ScriptAction =>
    frame === undefined ? { ...rest, tab: tab ?? 0 } : { ...rest, frame },
  );

const NESTED_SCHEMA = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', description: 'An action, as in actions' },
} as const;

type ActionList = z.ZodType<readonly ScriptAction[]>;

/** A nested list of actions; null at the deepest level, where none is allowed. */
function buildNestedList(list: ActionList | null) {
  return z
    .unknown()
    .meta(NESTED_SCHEMA)
    .transform((raw, context): readonly ScriptAction[] => {
      const read = list?.safeParse(raw);
      if (read?.success === true) return read.data;
      const deep = [
        { code: 'custom' as const, message: `actions nest at most ${MAX_DEPTH} deep`, path: [], input: raw },
      ];
      for (const { message, path } of read?.error.issues ?? deep) {
        context.issues.push({ code: 'custom', message, path: [...path], input: raw });
      }
      return z.NEVER;
    });
}

function buildActions(within: ActionList | null) {
  const inner = buildNestedList(within);
  const repeat = z
    .strictObject({
      type: z.literal('repeat'),
      times: wholeNumber(1, MAX_REPEATS).optional(),
      while: TargetSchema.optional().describe(`Repeat while this is visible, at most ${MAX_REPEATS} times`),
      actions: inner,
    })
    .superRefine(requireOneOf(['times', 'while']))
    .transform(({ type, times, while: target, actions }): ScriptAction =>
      target === undefined ? { type, times: times ?? 1, actions } : { type, while: target, actions },
    );
  const branch = z
    .strictObject({
      type: z.literal('if'),
      exists: TargetSchema.optional(),
      missing: TargetSchema.optional(),
      // oxlint-disable-next-line unicorn/no-thenable -- name of the API field; the object is never awaited
      then: inner,
      else: inner.optional(),
    })
    .superRefine(requireOneOf(['exists', 'missing']));
  const action = nameSchema(
    'Action',
    z.discriminatedUnion('type', [...PLAIN_ACTIONS, WaitAction, SwitchAction, repeat, branch], {
      error: formatUnknownType,
    }),
  );
  return z.array(action).min(1).max(MAX_STEPS);
}

/** The message for an unknown action type, with all types; undefined for other problems, which have their own message. */
function formatUnknownType({ code }: { readonly code: string }): string | undefined {
  if (code !== 'invalid_union') return undefined;
  return `must be one of ${[...PLAIN_ACTIONS.map(getActionType), 'wait', 'switch', 'repeat', 'if'].join(', ')}`;
}

function getActionType(action: (typeof PLAIN_ACTIONS)[number]): string {
  const shape = 'in' in action ? action.in.shape : action.shape;
  return shape.type.value;
}

/** Builds the schema of nested action lists. Each depth is built only once, because a call may have thousands of lists. */
function buildActionsAtDepth(depth: number): ReturnType<typeof buildActions> {
  return buildActions(depth === 1 ? null : buildActionsAtDepth(depth - 1));
}

/** The `actions` parameter. */
export const Actions = buildActionsAtDepth(MAX_DEPTH).describe(
  `Actions in order, at most ${MAX_STEPS}; repeated actions count each time`,
);

/** The minimum number of actions that a script runs, whatever the page contains. */
export function countMinSteps(actions: readonly ScriptAction[]): number {
  return actions.reduce((sum, action) => {
    if (action.type === 'repeat') return sum + ('times' in action ? action.times * countMinSteps(action.actions) : 0);
    if (action.type === 'if') return sum + Math.min(countMinSteps(action.then), countMinSteps(action.else ?? []));
    return sum + 1;
  }, 0);
}

/** All actions of a script including nested ones, each with its path, such as `actions.0.then.1`. */
export function* listActions(
  actions: readonly ScriptAction[],
  list = 'actions',
): Generator<{ readonly action: ScriptAction; readonly at: string }> {
  for (const [index, action] of actions.entries()) {
    const at = `${list}.${index}`;
    yield { action, at };
    if (action.type === 'repeat') yield* listActions(action.actions, `${at}.actions`);
    if (action.type !== 'if') continue;
    yield* listActions(action.then, `${at}.then`);
    yield* listActions(action.else ?? [], `${at}.else`);
  }
}
