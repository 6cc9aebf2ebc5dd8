import { getGoldText, type PageReadout } from './suites.ts';
import { collapseSpace } from './text-scores.ts';

/** Lines that were extracted but are not in the labels (`+`), and labelled lines that are missing (`-`). */
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

/** Lines that only the second text has (`+`) or only the first one (`-`). */
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
