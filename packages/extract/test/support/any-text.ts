import * as fc from 'fast-check';

/**
 * Texts of any code units, including lone surrogates. The `binary` and `grapheme` units and the URLs of fast-check first
 * build tables of all characters, which takes most of a second in each file.
 */
export function anyText(maxLength = 40): fc.Arbitrary<string> {
  return fc.array(fc.nat(0xffff), { maxLength }).map((units) => String.fromCharCode(...units));
}

/** URLs with any text in their paths. */
export function anyAddress(): fc.Arbitrary<string> {
  const path = fc.array(fc.string({ maxLength: 12 }), { maxLength: 4 });
  return fc
    .tuple(fc.domain(), path)
    .map(([host, segments]) => `https://${host}/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`);
}
