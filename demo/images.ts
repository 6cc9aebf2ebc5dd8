import { crc32, deflateSync } from 'node:zlib';

/** The wheel of the mill as SVG. */
export function drawWheel(): string {
  const paddles = Array.from({ length: 12 }, (_, index) => {
    return `<rect x="156" y="20" width="8" height="24" transform="rotate(${index * 30} 160 100)"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200" viewBox="0 0 320 200"><title>The wheel of Harrow Mill</title><rect width="320" height="200" fill="#dfe8ea"/><circle cx="160" cy="100" r="60" fill="none" stroke="#7a5230" stroke-width="10"/><g fill="#7a5230">${paddles.join('')}</g><path d="M0 170h320v30H0z" fill="#6c99a8"/></svg>\n`;
}

/** A square PNG of stripes in two greys, `size` pixels wide (PNG specification, colour type 0). */
export function drawStripes(size: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, size);
  header.setUint32(4, size);
  header.setUint8(8, 8);
  const pixels = new Uint8Array(size * (size + 1));
  for (let row = 0; row < size; row++) {
    // The first byte of each row names its filter; 0 is none.
    pixels.fill(row % 8 < 4 ? 210 : 120, row * (size + 1) + 1, (row + 1) * (size + 1));
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', new Uint8Array()),
  ]);
}

function chunk(type: string, body: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(body.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
