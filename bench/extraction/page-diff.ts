import { goldText, type Read } from './suites.ts';
import { collapse } from './text-scores.ts';

/** The lines that were read and are not in the labels (`+`), and those in the labels that were not read (`-`). */
export function diffOf(read: Read): string {
  const { gold, suite } = read.sample;
  if (suite === 'trafi-segments') {
    const text = collapse(read.text);
    return [
      ...gold.with.filter((piece) => !text.includes(collapse(piece))).map((piece) => `- ${piece}`),
      ...gold.without.filter((piece) => text.includes(collapse(piece))).map((piece) => `+ ${piece}`),
    ].join('\n');
  }
  return differingLines(goldText(gold), read.text);
}

/** The lines of one text that the other does not have, marked by `+` where they were found and by `-` where they were wanted. */
export function differingLines(wantedWhole: string, foundWhole: string): string {
  const wanted = linesOf(wantedWhole);
  const given = linesOf(foundWhole);
  const wantedText = wanted.join(' ');
  const givenText = given.join(' ');
  return [
    ...given.filter((line) => !wantedText.includes(line)).map((line) => `+ ${line}`),
    ...wanted.filter((line) => !givenText.includes(line)).map((line) => `- ${line}`),
  ].join('\n');
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map(collapse)
    .filter((line) => line !== '');
}
