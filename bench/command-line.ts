import { cpus } from 'node:os';

type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export type NumberBounds = { readonly least: number; readonly most: number };

/** Parses an integer option; null if it is not given. Throws if it is out of range. */
export function parseNumberOption(values: OptionValues, name: string, { least, most }: NumberBounds): number | null {
  const text = values[name];
  if (text === undefined) return null;
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new Error(`--${name} takes a whole number from ${least} to ${most}`);
}

/** The contenders listed in `--only`, or all if it is not given. Throws for unknown names. */
export function parseOnlyOption<T extends string>(only: string | undefined, contenders: readonly T[]): readonly T[] {
  const names = only?.split(',') ?? contenders;
  const stranger = names.find((name) => !contenders.some((one) => one === name));
  if (stranger !== undefined) throw new Error(`--only ${stranger}: there are ${contenders.join(', ')}`);
  return contenders.filter((name) => names.includes(name));
}

/** A row of a results table: name, measured value, and goal. */
export type TableLine = readonly [name: string, measured: string, goal: string];

export function printTable(lines: readonly TableLine[]): void {
  printLine('\n| | measured | goal |\n|---|---|---|');
  for (const [name, measured, goal] of lines) printLine(`| ${name} | ${measured} | ${goal} |`);
}

export function printMachine(facts: string): void {
  printLine(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${facts}\n`);
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printProgress(text: string): void {
  process.stderr.write(`${text} …\n`);
}
