/** The accessibility tree of a page in lines, and the driver's name of each numbered element. */
export type Snapshot = { readonly text: string; readonly numbered: ReadonlyMap<number, string> };

/** Of a longer page this much is shown. */
const MOST_CHARS = 60_000;
const LINE = /^(\s*)- (.*?) \[ref=((?:f\d+)?e\d+)\](.*)$/;

/** Numbers the elements of the driver's tree: `- button "Save" [ref=e5]` is `[1] button "Save"`. */
export function toSnapshot(tree: string): Snapshot {
  const numbered = new Map<number, string>();
  const lines = tree.split('\n').map((line) => {
    const [, indent = '', what = '', ref, rest = ''] = LINE.exec(line) ?? [];
    if (ref === undefined) return line;
    numbered.set(numbered.size + 1, ref);
    return `${indent}[${numbered.size}] ${what}${rest.replace(' [cursor=pointer]', '')}`;
  });
  const text = lines.join('\n');
  return { text: text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}\n…`, numbered };
}
