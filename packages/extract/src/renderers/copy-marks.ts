import { collapsedText } from '#extract/html/element-text.ts';
import { subtreeEndOf, type Tree } from '#extract/html/tree.ts';

const COPY_CLASS = /cop(?:y|ied)|clipboard/i;
const COPY_TEXT =
  /^(?:cop(?:y|ied)(?: (?:code|link|text|to clipboard))?|kopi(?:eren|ert|ëren|uj|era)|gekopieerd|in die zwischenablage kopieren|copi(?:er|é|ar|ado|a|ato)(?: (?:le code|el código|o código|il codice))?|скопирован[оы]|(?:с)?копировать|コピー(?:しました)?|(?:已)?复制(?:代码|成功)?|(?:已)?複製|복사(?:됨)?|kopyala(?:ndı)?|zkopírov(?:at|áno)|skopiowano)[!.…]?$/i;
/** Nodes and characters of such a mark. */
const MAX_COPY_NODES = 8;
const MAX_COPY_LENGTH = 40;

/** Whether an element is only the mark that copies the code beside it, or says that it is copied. */
export function isCopyButton(tree: Tree, node: number, names: string): boolean {
  if (subtreeEndOf(tree, node) - node > MAX_COPY_NODES || !COPY_CLASS.test(names)) return false;
  return COPY_TEXT.test(collapsedText(tree, node, MAX_COPY_LENGTH));
}
