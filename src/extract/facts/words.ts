/** The words of a text: runs without white space that hold a letter or digit; Chinese and Japanese characters count one each. */
export function countWords(text: string): number {
  let count = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isIdeograph(code)) {
      count += 1;
      inWord = false;
    } else if (isSpace(code)) inWord = false;
    else if (!inWord && isWordCharacter(code)) {
      count += 1;
      inWord = true;
    }
  }
  return count;
}

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || (code >= 0x2000 && code <= 0x200b) || code === 0x2028 || code === 0x3000;
}

function isWordCharacter(code: number): boolean {
  if (code < 0x80) return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
  return (
    code >= 0xaa &&
    !(code >= 0x2000 && code <= 0x2bff) &&
    !(code >= 0x3000 && code <= 0x303f) &&
    !(code >= 0xfe00 && code <= 0xff0f)
  );
}

/** Kana, Han and the leading halves of the pairs that write rarer Han. */
function isIdeograph(code: number): boolean {
  return (
    (code >= 0x3041 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xd840 && code <= 0xd88d)
  );
}
