import { z } from 'zod';
import { completeUrl } from '#kernel/web-address.ts';
import type { PageAction } from '#access/interact/actions.ts';
import type { ModelTool } from '#llm/complete.ts';

const Element = z.int().min(1).describe('Number of the element in the snapshot');
const ShortText = z.string().min(1).max(1000);

/** The tools of the model: the actions of a script, with elements given by their number in the snapshot. */
const TOOLS = {
  click: ['Click an element.', z.strictObject({ element: Element, count: z.int().min(1).max(3).default(1) })],
  type: [
    'Put text into a field. {{name}} stands for the value of a variable.',
    z.strictObject({ element: Element, text: z.string().max(10_000), clear: z.boolean().default(true) }),
  ],
  press: [
    'Press a key, such as Enter or Escape, in an element or in the page.',
    z.strictObject({ key: z.string().min(1).max(50), element: Element.optional() }),
  ],
  select: ['Choose an option of a combobox by its label.', z.strictObject({ element: Element, label: ShortText })],
  check: ['Check a checkbox or radio.', z.strictObject({ element: Element })],
  uncheck: ['Uncheck a checkbox.', z.strictObject({ element: Element })],
  hover: ['Move the pointer over an element.', z.strictObject({ element: Element })],
  drag: ['Drag an element to another.', z.strictObject({ from: Element, to: Element })],
  scroll: [
    'Scroll the page to its end or top, or an element into view; with both, scroll the list around the element to its end or top.',
    z.strictObject({ to: z.enum(['end', 'top']).optional(), element: Element.optional() }),
  ],
  wait: [
    'Wait until a text is shown, or for a time.',
    z.strictObject({ text: ShortText.optional(), ms: z.int().min(0).max(10_000).optional() }),
  ],
  goto: ['Go to an address of the site.', z.strictObject({ url: z.string().min(1).max(8192).overwrite(completeUrl) })],
  back: ['Go back to the previous page.', z.strictObject({})],
  reload: ['Load the page again.', z.strictObject({})],
  dialog: [
    'Decide beforehand how the next dialog of the page is answered.',
    z.strictObject({ accept: z.boolean(), text: z.string().max(1000).optional() }),
  ],
  switch: ['Go to another tab, counted from 0.', z.strictObject({ tab: z.int().min(0).max(100) })],
  content: ['Read the whole page as Markdown, for what the snapshot does not show.', z.strictObject({})],
} as const;

type ToolName = keyof typeof TOOLS;

const TOOL_NAMES = [...Object.keys(TOOLS), 'finish'].join(', ');

/** Input of the tool that ends the session. */
const Finish = z.looseObject({
  success: z.boolean().describe('Whether the task is done'),
  result: z.string().max(20_000).describe('The outcome, for the person who asked'),
  data: z.unknown().optional(),
});

export type FinishInput = z.output<typeof Finish>;

/** A parsed tool call: an action, a request to read the page, the end, or an invalid call. */
export type InteractToolCall =
  | { readonly kind: 'action'; readonly action: PageAction }
  | { readonly kind: 'content' }
  | { readonly kind: 'finish'; readonly finish: FinishInput }
  | { readonly kind: 'mistake'; readonly message: string };

/** The tools of a session. `schema` is that of the data to return; null if none is requested. */
export function buildTools(schema: Readonly<Record<string, unknown>> | null): readonly ModelTool[] {
  const tools = Object.entries(TOOLS).map(([name, [description, input]]) => ({
    name,
    description,
    parameters: removeDialect(z.toJSONSchema(input, { io: 'input' })),
  }));
  const { properties, ...rest } = removeDialect(z.toJSONSchema(Finish, { io: 'input' }));
  const { data: _data, ...otherProperties } = z.record(z.string(), z.unknown()).parse(properties);
  const parameters = {
    ...rest,
    properties: { ...otherProperties, ...(schema === null ? {} : { data: schema }) },
    required: ['success', 'result', ...(schema === null ? [] : ['data'])],
    additionalProperties: false,
  };
  return [...tools, { name: 'finish', description: 'End the session and report the outcome.', parameters }];
}

/** Parses a tool call; an invalid one becomes a `mistake` with a message for the model. */
export function parseCall(name: string, input: string): InteractToolCall {
  const raw = parseInput(input);
  if (raw === undefined) return buildMistake(`the input of ${name.slice(0, 50)} is not valid JSON`);
  if (name === 'finish') {
    const read = Finish.safeParse(raw);
    return read.success ? { kind: 'finish', finish: read.data } : buildMistake(formatProblem(name, read.error));
  }
  if (!isName(name))
    return buildMistake(`there is no tool ${JSON.stringify(name.slice(0, 50))}; the tools are ${TOOL_NAMES}`);
  return name === 'content' ? { kind: 'content' } : parseAction(name, raw);
}

function parseAction(name: Exclude<ToolName, 'content'>, raw: unknown): InteractToolCall {
  try {
    const action = toAction(name, raw);
    return action === null ? buildMistake(`${name} needs at least one parameter`) : { kind: 'action', action };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return buildMistake(formatProblem(name, error));
  }
}

function toAction(name: Exclude<ToolName, 'content'>, raw: unknown): PageAction | null {
  switch (name) {
    case 'click': {
      const { element, count } = TOOLS.click[1].parse(raw);
      return { type: name, target: { element }, count };
    }
    case 'type': {
      const { element, text, clear } = TOOLS.type[1].parse(raw);
      return { type: name, target: { element }, text, clear };
    }
    case 'press': {
      const { key, element } = TOOLS.press[1].parse(raw);
      return { type: name, key, ...(element === undefined ? {} : { target: { element } }) };
    }
    case 'select': {
      const { element, label } = TOOLS.select[1].parse(raw);
      return { type: name, target: { element }, label };
    }
    case 'check':
    case 'uncheck':
    case 'hover':
      return { type: name, target: TOOLS[name][1].parse(raw) };
    case 'drag': {
      const { from, to } = TOOLS.drag[1].parse(raw);
      return { type: name, from: { element: from }, to: { element: to } };
    }
    case 'scroll': {
      const { to, element } = TOOLS.scroll[1].parse(raw);
      if (element === undefined) return to === undefined ? null : { type: name, to, times: 1 };
      return to === undefined
        ? { type: name, to: { element }, times: 1 }
        : { type: name, to, within: { element }, times: 1 };
    }
    case 'wait': {
      const { text, ms } = TOOLS.wait[1].parse(raw);
      return text === undefined ? { type: name, ms: ms ?? 1000 } : { type: name, text };
    }
    case 'goto':
      return { type: name, url: TOOLS.goto[1].parse(raw).url };
    case 'back':
    case 'reload':
      return { type: name };
    case 'dialog':
      return { type: name, ...TOOLS.dialog[1].parse(raw) };
    default:
      return { type: name, tab: TOOLS.switch[1].parse(raw).tab };
  }
}

function isName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}

function parseInput(text: string): unknown {
  try {
    // Some models send an empty text for a tool without input.
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return value;
  } catch {
    return undefined;
  }
}

function buildMistake(message: string): InteractToolCall {
  return { kind: 'mistake', message };
}

function formatProblem(name: string, error: z.ZodError): string {
  const [issue] = error.issues;
  return `${name}: ${[issue?.path.join('.') ?? '', issue?.message ?? ''].filter((part) => part !== '').join(' ')}`;
}

function removeDialect(schema: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}
