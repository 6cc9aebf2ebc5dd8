import { cpus } from 'node:os';

/** A line of a table of figures: what, how much, and what it is meant to be. */
export type Line = readonly [name: string, measured: string, goal: string];

export function printLines(lines: readonly Line[]): void {
  say('\n| | measured | goal |\n|---|---|---|');
  for (const [name, measured, goal] of lines) say(`| ${name} | ${measured} | ${goal} |`);
}

export function printMachine(facts: string): void {
  say(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${facts}\n`);
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function progress(text: string): void {
  process.stderr.write(`${text} …\n`);
}
