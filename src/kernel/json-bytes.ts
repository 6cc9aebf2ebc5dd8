/** A member of an answer that is serialized already: JSON in UTF-8. Whoever does not know of it reads it as its value. */
export class JsonBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength).toString());
  }
}

/** The JSON of a body: one text, or pieces in UTF-8 where a member of it is serialized already. */
export function writeJson(body: object): string | readonly Uint8Array[] {
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  if (!members.some(([, value]) => value instanceof JsonBytes)) return JSON.stringify(body);
  const pieces: Uint8Array[] = [];
  let text = '{';
  for (const [at, [name, value]] of members.entries()) {
    text += `${at === 0 ? '' : ','}${JSON.stringify(name)}:`;
    if (!(value instanceof JsonBytes)) text += JSON.stringify(value);
    else {
      pieces.push(Buffer.from(text), value.bytes);
      text = '';
    }
  }
  pieces.push(Buffer.from(`${text}}`));
  return pieces;
}
