export type ImageSize = { readonly width: number; readonly height: number };

/**
 * The size in pixels of a picture that a browser made, null of what is none. PNG: ISO/IEC 15948, 11.2.2; JPEG: ITU T.81,
 * B.2.2; WebP: RFC 9649.
 */
export function sizeOf(image: Uint8Array): ImageSize | null {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  const at = (from: number, length: number): string => bytes.toString('latin1', from, from + length);
  if (bytes.length < 30) return null;
  if (at(1, 3) === 'PNG') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (at(8, 4) === 'WEBP') return sizeOfWebp(bytes, at(12, 4));
  return bytes.readUInt16BE(0) === 0xffd8 ? sizeOfJpeg(bytes) : null;
}

function sizeOfWebp(bytes: Buffer, form: string): ImageSize | null {
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (form === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (form !== 'VP8L') return null;
  const packed = bytes.readUInt32LE(21);
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}

/** The frame header says it; what comes before are segments with their length. */
function sizeOfJpeg(bytes: Buffer): ImageSize | null {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const kind = bytes.readUInt16BE(at);
    if (kind === 0xffc0 || kind === 0xffc1 || kind === 0xffc2) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
  }
  return null;
}
