import { collapsedText } from '#extract/html/element-text.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { firstChildOf, isText, nextOf, nextTagged, parentOf, tagOf } from '#extract/html/tree.ts';
import type { View } from '#extract/view/view.ts';

const CODE_BOX_TAGS = tagSet('div figure span');
const CODE_LABEL_TAGS = tagSet('div span header figcaption small button label');
const MAX_BOX_LEVELS = 6;
const MAX_SIBLINGS = 12;
/** Nodes beside code that are looked at, those included that are not kept. */
const MAX_ALL_SIBLINGS = 60;
const MAX_LABEL_LENGTH = 30;
/** Names of languages as toolbars write them, with the word of a button beside. */
const LANGUAGE_LABEL =
  /^(?:ada|apache|assembly|awk|bash|c|c\+\+|c#|clojure|cmake|coffeescript|console|css|dart|diff|docker(?:file)?|elixir|elm|erlang|f#|fortran|go|golang|graphql|groovy|haskell|html|http|ini|java|javascript|js|json|jsx|julia|kotlin|latex|less|lisp|lua|makefile|markdown|matlab|nginx|nim|nix|objective-c|ocaml|pascal|perl|php|plain ?text|powershell|prolog|protobuf|python|r|racket|ruby|rust|sass|scala|scheme|scss|sh|shell|solidity|sql|swift|tcl|terminal|text|toml|ts|tsx|typescript|vim|vue|wasm|xml|ya?ml|zig|zsh)(?: (?:copy|copy code|copied!?))?$/i;

/** Elements beside code that only name its language, as toolbars of code do. */
export function findCodeLabels(view: View): Set<number> {
  const { tree, kept } = view;
  const labels = new Set<number>();
  for (let code = nextTagged(tree, TAG.pre, 1); code !== 0; code = nextTagged(tree, TAG.pre, code + 1)) {
    if (kept[code] !== 1) continue;
    let inner = code;
    for (let level = 0; level < MAX_BOX_LEVELS && CODE_BOX_TAGS[tagOf(tree, parentOf(tree, inner))] === 1; level++) {
      const found = listLabelsBeside(view, inner);
      for (const label of found ?? []) labels.add(label);
      if (found === null || found.length > 0) break;
      inner = parentOf(tree, inner);
    }
  }
  return labels;
}

/** What names a language beside a node in its box; null where something else is shown there. */
function listLabelsBeside({ tree, kept }: View, inner: number): readonly number[] | null {
  const labels: number[] = [];
  let beside = 0;
  let looked = 0;
  for (let node = firstChildOf(tree, parentOf(tree, inner)); node !== 0; node = nextOf(tree, node)) {
    if (++looked > MAX_ALL_SIBLINGS) return null;
    if (node === inner || kept[node] !== 1) continue;
    if (++beside > MAX_SIBLINGS) return null;
    const text = isText(tree, node) ? '' : collapsedText(tree, node, MAX_LABEL_LENGTH + 1, (at) => kept[at] === 1);
    if (text === '' && tagOf(tree, node) !== TAG.pre) continue;
    if (CODE_LABEL_TAGS[tagOf(tree, node)] !== 1 || !LANGUAGE_LABEL.test(text)) return null;
    labels.push(node);
  }
  return labels;
}
