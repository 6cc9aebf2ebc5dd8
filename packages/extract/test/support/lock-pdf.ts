import { createHash } from 'node:crypto';

/** The padding of passwords (ISO 32000-1, 7.6.3.3). */
const PADDING = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');
const KEY_BYTES = 5;
const PERMISSIONS = Buffer.from('fcffffff', 'hex');
const ID = Buffer.alloc(16, 7);

/**
 * A PDF of `toPdf` encrypted by the standard handler, revision 2: its streams, for it has no other strings that count. One
 * whose password for users is empty opens for everybody and still has an owner.
 */
export function lockPdf(pdf: Uint8Array, password: string): Uint8Array<ArrayBuffer> {
  const owner = rc4(md5(pad('owner')).subarray(0, KEY_BYTES), pad(password));
  const key = md5(Buffer.concat([pad(password), owner, PERMISSIONS, ID])).subarray(0, KEY_BYTES);
  const locked = Buffer.from(pdf)
    .toString('latin1')
    .replace(/(\d+) 0 obj\n<<[^\n]*>>\nstream\n([^]*?)\nendstream/g, (whole, number: string, stream: string) => {
      const place = Buffer.from([Number(number) & 255, Number(number) >> 8, 0, 0, 0]);
      const own = md5(Buffer.concat([key, place])).subarray(0, KEY_BYTES + 5);
      return whole.replace(stream, () => rc4(own, Buffer.from(stream, 'latin1')).toString('latin1'));
    })
    .replace('trailer\n<<', () => `trailer\n<< ${buildEntry(owner, rc4(key, PADDING))}`);
  return Uint8Array.from(Buffer.from(locked, 'latin1'));
}

function buildEntry(owner: Buffer, user: Buffer): string {
  const id = ID.toString('hex');
  return `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> >> /ID [<${id}><${id}>]`;
}

function pad(password: string): Buffer {
  return Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, PADDING.length);
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest();
}

/** RC4, which Node no longer supports. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, at) => at);
  const swap = (one: number, other: number): void => {
    [state[one], state[other]] = [state[other] ?? 0, state[one] ?? 0];
  };
  for (let at = 0, other = 0; at < 256; at++) {
    other = (other + (state[at] ?? 0) + (key[at % key.length] ?? 0)) & 255;
    swap(at, other);
  }
  let one = 0;
  let other = 0;
  return Buffer.from(
    bytes.map((byte) => {
      one = (one + 1) & 255;
      other = (other + (state[one] ?? 0)) & 255;
      swap(one, other);
      return byte ^ (state[((state[one] ?? 0) + (state[other] ?? 0)) & 255] ?? 0);
    }),
  );
}
