import { collapseSpace } from '#extract/values/space.ts';

/** The most characters of a heading that are read. */
const MAX_HEADING_LENGTH = 300;

const LINK = /!?\[((?:[^[\]\\]|\\.){0,300})\]\([^()\s]{0,2000}(?:[ ]"[^"]{0,300}")?\)/g;
const TAG = /<\/?[a-z][^<>]{0,300}>/gi;

/** The plain text of a heading: without signs of Markdown, links and tags. */
export function readHeading(line: string): string {
  const [first = ''] = line.split(/\n[ \t]*[=-]+[ \t]*$/, 1);
  const text = first
    .slice(0, 4 * MAX_HEADING_LENGTH)
    .replace(/^#{1,6}(?:[ \t]+|$)/, '')
    .replace(/[ \t]+#+$/, '')
    .replaceAll(LINK, '$1')
    .replaceAll(TAG, '')
    .replaceAll(/(?<!\\)(?:\*+|`+|~~)/g, '')
    .replaceAll(/(?<![\\\p{L}\p{N}])_+|(?<!\\)_+(?![\p{L}\p{N}])/gu, '')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
  return collapseSpace(text).slice(0, MAX_HEADING_LENGTH).toWellFormed();
}
