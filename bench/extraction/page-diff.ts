import { getGoldText, type PageReadout } from './suites.ts';
import { collapseSpace } from './text-scores.ts';

/** The lines that were read and are not in the labels (`+`), and those in the labels that were not read (`-`). */
export function buildPageDiff(read: PageReadout): string {
  const { gold, suite } = read.sample;
  if (suite === 'trafi-segments') {
    const text = collapseSpace(read.text);
    return [
      ...gold.with.filter((piece) => !text.includes(collapseSpace(piece))).map((piece) => `- ${piece}`),
      ...gold.without.filter((piece) => text.includes(collapseSpace(piece))).map((piece) => `+ ${piece}`),
    ].join('\n');
  }
  return buildLineDiff(getGoldText(gold), read.text);
}

/** The lines of one text that the other does not have, marked by `+` where they were found and by `-` where they were wanted. */
export function buildLineDiff(wantedWhole: string, foundWhole: string): string {
  const wanted = splitLines(wantedWhole);
  const given = splitLines(foundWhole);
  const wantedText = wanted.join(' ');
  const givenText = given.join(' ');
  return [
    ...given.filter((line) => !wantedText.includes(line)).map((line) => `+ ${line}`),
    ...wanted.filter((line) => !givenText.includes(line)).map((line) => `- ${line}`),
  ].join('\n');
}

function splitLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map(collapseSpace)
    .filter((line) => line !== '');
}
