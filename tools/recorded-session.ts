import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const PAGE = join(import.meta.dirname, '../docs/guide/interact.md');
/** The comments around the generated section. */
const [FROM, TO] = ['<!-- the next lines are made by npm run docs:pictures -->', '<!-- so far -->'];
/** A placeholder host instead of the address of the demo. */
const SHOWN_ORIGIN = 'https://mill.example';
const MAX_BYTES = 60_000;
const MAX_BYTES_IN_ALL = 400_000;

type Action = Readonly<Record<string, unknown>>;

const PICTURE: Action = { type: 'screenshot', name: 'picture', target: 'main' };
const LIST: Action = {
  type: 'extract',
  name: 'sacks',
  fields: {
    list: {
      selector: '#sacks tr:not([hidden])',
      many: true,
      fields: { flour: { selector: 'td' }, price: { selector: '.price', type: 'money' } },
    },
  },
};
/** The actions: a list that is read page by page, form fields, a choice, terms in a frame, and the confirmation. */
const ACTIONS: readonly Action[] = [
  {
    type: 'repeat',
    while: '#next',
    actions: [LIST, { type: 'click', target: { role: 'button', name: 'More flour' } }],
  },
  LIST,
  { type: 'type', target: { label: 'Name' }, text: 'Ann' },
  { type: 'type', target: { label: 'Customer number' }, text: '{{number}}' },
  { type: 'select', target: { label: 'Flour' }, label: 'Rolled oats' },
  { type: 'check', target: { role: 'checkbox', frame: '[name=terms]' } },
  { type: 'click', target: { role: 'button', name: 'Order' } },
  { type: 'wait', url: '/sent' },
  { type: 'evaluate', name: 'answer', script: 'document.querySelector("main").innerText' },
];

const Step = z.object({ type: z.string(), status: z.literal('ok'), url: z.string() });
const Answer = z.object({
  completed: z.literal(true),
  steps: z.array(Step),
  extracted: z.looseObject({ picture: z.array(z.object({ url: z.string() })) }),
  usage: z.unknown(),
});

type Step = z.output<typeof Step>;

export type Recording = {
  /** The address of the demo. */
  readonly origin: string;
  /** Calls the service; without a body by GET. */
  readonly ask: (path: string, body?: unknown) => Promise<Response>;
};

/** Runs a session on the demo, saves a picture of each step that changed the page, and writes everything into the docs page about sessions. */
export async function recordSession({ origin, ask }: Recording): Promise<void> {
  const order = { url: `${origin}/shop/order`, proxy: 'basic', variables: { number: 'HM-4711' } };
  const actions = [PICTURE, ...addPictures(ACTIONS)];
  const answer = Answer.parse(await (await ask('/v1/interact', { ...order, actions })).json());
  const { picture, ...results } = answer.extracted;
  const steps = answer.steps.filter(({ type }) => type !== 'screenshot');
  const values = new Map(Object.entries(results).map(([name, value]) => [name, [value].flat().values()]));
  const images = await savePictures(
    picture.map(({ url }) => url),
    ask,
  );
  const lines = steps.map((step, at) => {
    const name = getResultName(step);
    const value: unknown = name === null ? undefined : values.get(name)?.next().value;
    return `${formatStep(step, at, value)}${toImage(images[at + 1] ?? null, at + 1)}`;
  });
  const request = formatRequest({ ...order, actions: ACTIONS });
  const text = [
    `\`\`\`json\n${request}\n\`\`\``,
    `The page at first:${toImage(images[0] ?? null, 0)}`,
    ...lines,
    `The session is completed. Its cost: \`${JSON.stringify(answer.usage)}\`.`,
  ];
  writeSection(text.join('\n\n').replaceAll(origin, SHOWN_ORIGIN));
}

function addPictures(actions: readonly Action[]): readonly Action[] {
  return actions.flatMap((action) => {
    const inner = z.array(z.record(z.string(), z.unknown())).safeParse(action['actions']);
    return inner.success ? [{ ...action, actions: addPictures(inner.data) }] : [action, PICTURE];
  });
}

/** The name of the step's result; null if it has none. */
function getResultName({ type }: Step): string | null {
  const name = [LIST, ...ACTIONS].find((action) => action['type'] === type)?.['name'];
  return typeof name === 'string' ? name : null;
}

/** Writes the pictures and returns the path of each; null if it is equal to the previous one. */
async function savePictures(urls: readonly string[], ask: Recording['ask']): Promise<readonly (string | null)[]> {
  const paths: (string | null)[] = [];
  let last = Buffer.alloc(0);
  let bytesInAll = 0;
  for (const url of urls) {
    const bytes = Buffer.from(await (await ask(url)).arrayBuffer());
    const path = bytes.equals(last) ? null : `../pictures/session-${paths.length}.png`;
    paths.push(path);
    last = bytes;
    if (path === null) continue;
    bytesInAll += bytes.length;
    if (bytes.length > MAX_BYTES || bytesInAll > MAX_BYTES_IN_ALL) {
      throw new Error(`${path} has ${bytes.length} bytes: at most ${MAX_BYTES}, and ${MAX_BYTES_IN_ALL} in all`);
    }
    writeFileSync(join(dirname(PAGE), path), bytes);
    process.stderr.write(`${path}: ${bytes.length} bytes\n`);
  }
  return paths;
}

/** JSON with one line for each member and each action. */
function formatRequest(request: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(request).map(([name, value]) => {
    const items = Array.isArray(value) ? value.map((item) => `    ${JSON.stringify(item)}`).join(',\n') : null;
    return `  "${name}": ${items === null ? JSON.stringify(value) : `[\n${items}\n  ]`}`;
  });
  return `{\n${members.join(',\n')}\n}`;
}

function formatStep({ type, status, url }: Step, at: number, value: unknown): string {
  const result = value === undefined ? '' : ` Result: \`${JSON.stringify(value)}\`.`;
  return `**Step ${at}, \`${type}\`**: ${status}, at \`${url}\`.${result}`;
}

function toImage(path: string | null, step: number): string {
  return path === null ? '' : `\n\n![The page ${step === 0 ? 'at first' : `after step ${step - 1}`}](${path})`;
}

function writeSection(text: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(`${FROM}\n`);
  const after = rest?.split(TO)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/guide/interact.md lacks ${FROM} or ${TO}`);
  writeFileSync(PAGE, `${before}${FROM}\n\n${text}\n\n${TO}${after}`);
}
