import { z } from 'zod';

/** One instruction; `FROM` begins a stage. */
export type Instruction = { readonly keyword: string; readonly text: string };

/** The sources of a `COPY`, from the checkout or another stage, and its absolute target folder. */
export type CopyInstruction = {
  readonly stage: string | null;
  readonly sources: readonly string[];
  readonly folder: string;
};

const Words = z.array(z.string());

/**
 * The instructions of each stage, in the part of the format that our file uses: comments on separate lines, and `\` at
 * the end of a line that continues. A stage that begins with another one has its instructions first, that one's `FROM`
 * instead of its own.
 */
export function readStages(text: string): readonly (readonly Instruction[])[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  const stages: Instruction[][] = [];
  const named = new Map<string, Instruction[]>();
  for (const line of lines) {
    const [, keyword = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (keyword === '') throw new Error(`${line}: is no instruction`);
    if (keyword !== 'FROM') {
      stages.at(-1)?.push({ keyword, text: rest });
      continue;
    }
    const [base = '', , name] = rest.split(' ');
    const stage = [...(named.get(base) ?? [{ keyword, text: rest }])];
    stages.push(stage);
    if (name !== undefined) named.set(name, stage);
  }
  return stages;
}

/** The only instruction with that keyword; throws if there are several or none. */
export function getOnly(stage: readonly Instruction[], keyword: string): string {
  const [found, ...more] = stage.filter((instruction) => instruction.keyword === keyword);
  if (found === undefined || more.length > 0) throw new Error(`${keyword}: ${more.length + 1} times, or not at all`);
  return found.text;
}

/** The words of a command in exec form, so that signals reach its process; throws for any other form. */
export function toCommand(text: string): readonly string[] {
  return Words.parse(JSON.parse(text));
}

/** `NAME=value` pairs without quotes. */
export function toEnvironment(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(text.split(' ').map((pair) => z.tuple([z.string(), z.string()]).parse(pair.split('='))));
}

/** The `COPY` instructions of the stage. */
export function listCopies(stage: readonly Instruction[]): readonly CopyInstruction[] {
  return stage
    .filter(({ keyword }) => keyword === 'COPY')
    .map(({ text }) => {
      const words = text.split(' ');
      const from = words[0]?.startsWith('--from=') === true ? words.shift() : undefined;
      return { stage: from?.slice('--from='.length) ?? null, folder: words.pop() ?? '', sources: words };
    });
}
