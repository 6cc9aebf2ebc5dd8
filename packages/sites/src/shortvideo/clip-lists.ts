import { empty, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { findWith } from '#extract/json/search.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, integer, list } from '#extract/values/raw.ts';
import type { Clip } from './clip-record.ts';
import { readClip } from './read-clip.ts';

/** What the page of a list loaded by itself: its list, or what is captured under another name. */
export function answersIn({ captures }: SourcePage, rule?: string): readonly unknown[] {
  const wanted = captures.filter(({ name }) => (rule === undefined ? name !== 'detail' : name === rule));
  return wanted.map(({ text }) => tryParse(text)).filter((answer) => answer !== undefined);
}

/**
 * The videos that a page loaded as it was scrolled. `isMeant` keeps those of the person or hashtag that was asked for: a
 * page suggests others too.
 */
export function readClips(
  page: SourcePage,
  isMeant: (clip: Clip) => boolean,
): { readonly clips: readonly Clip[]; readonly hasMore: boolean } | SiteAnswer {
  const answers = answersIn(page);
  if (answers.length === 0) return unusable('a list of videos: the page loaded none');
  const found = new Map<string, Clip>();
  for (const answer of answers)
    for (const holder of findWith(answer, 'id', 'video')) {
      const clip = readClip(holder);
      if (clip !== null && isMeant(clip) && !found.has(clip.id)) found.set(clip.id, clip);
    }
  if (found.size > 0) return { clips: [...found.values()], hasMore: hasMoreAfter(answers) };
  return answers.every(saysNone) ? empty() : unusable('videos that can be read');
}

/** Whether the last answer of a list says that there is more. */
export function hasMoreAfter(answers: readonly unknown[]): boolean {
  const last = at(answers.at(-1), 'hasMore') ?? at(answers.at(-1), 'has_more');
  return last === true || last === 1;
}

/** The interface answers that it is well and that there is nothing. */
function saysNone(answer: unknown): boolean {
  const code = integer(at(answer, 'statusCode') ?? at(answer, 'status_code'));
  const lists = ['itemList', 'item_list', 'data', 'comments'].map((name) => at(answer, name));
  return code === 0 && lists.every((one) => list(one).length === 0) && !hasMoreAfter([answer]);
}

export function hasNoComments(answers: readonly unknown[]): boolean {
  return answers.length > 0 && answers.every(saysNone);
}
