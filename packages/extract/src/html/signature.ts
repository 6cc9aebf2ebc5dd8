/** Document formats by their first bytes. `ole` is Office before 2007, or an encrypted file. */
export type FileSignature = 'pdf' | 'zip' | 'ole';

const OLE_BYTES = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/** ISO 32000-1, Annex H.3.4: the header of a PDF may follow other bytes. */
const MAX_PDF_OFFSET_BYTES = 1024;
const PDF_HEADER = Buffer.from('%PDF-');

/** Whether the bytes look like a PDF or an Office file. Reading them may still fail. */
export function isDocument(body: Uint8Array): boolean {
  const signature = detectSignature(body);
  return signature === 'pdf' || signature === 'zip';
}

/** The document format of the bytes, whatever their declared type. Null for any other format. */
export function detectSignature(body: Uint8Array): FileSignature | null {
  if (hasPrefix(body, [0x50, 0x4b, 0x03, 0x04])) return 'zip';
  if (hasPrefix(body, OLE_BYTES)) return 'ole';
  const at = Buffer.from(body.buffer, body.byteOffset, Math.min(MAX_PDF_OFFSET_BYTES, body.byteLength)).indexOf(
    PDF_HEADER,
  );
  return at === 0 || (at > 0 && !hasPrintable(body.subarray(0, at))) ? 'pdf' : null;
}

function hasPrefix(body: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => body[at] === byte);
}

/**
 * Whether bytes contain printable ASCII. A text page may mention `%PDF-`, but bytes before a real header contain no
 * words.
 */
function hasPrintable(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte > 0x20 && byte < 0x7f);
}
