/** Encodes text in a charset that Node only decodes, by turning its decoder around; throws on a character it lacks. */
export function encodeAs(charset: 'windows-1251' | 'shift_jis', text: string): Uint8Array {
  const bytesOf = buildTable(charset);
  const bytes: number[] = [];
  for (const character of text) {
    const found = bytesOf.get(character);
    if (found === undefined) throw new Error(`${charset} has no ${character}`);
    bytes.push(...found);
  }
  return Uint8Array.from(bytes);
}

function buildTable(charset: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(charset, { fatal: true });
  const table = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      // One byte pair can also mean two characters of one byte each.
      if (text.length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // Not every byte sequence means a character.
    }
  };
  for (let first = 0; first < 256; first++) add([first]);
  if (charset === 'windows-1251') return table;
  for (let first = 0x81; first < 0xfd; first++) for (let second = 0x40; second < 0xfd; second++) add([first, second]);
  return table;
}
