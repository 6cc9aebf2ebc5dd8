/** A field that was picked on a page: its name, the selector of its element, and how its text is read. */
export type PickedField = { readonly name: string; readonly selector: string; readonly type: FieldType };

const ONE = ['string', 'integer', 'number', 'money', 'date', 'datetime', 'boolean', 'url', 'html'] as const;
const MANY = ['string[]', 'number[]', 'money[]', 'date[]', 'url[]'] as const;

/** How texts of elements can be read. */
export const FIELD_TYPES = [...ONE, ...MANY] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Picked fields in the grammar of `extract`. */
export function toExtract(fields: readonly PickedField[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields
      .filter(({ name, selector }) => name !== '' && selector !== '')
      .map(({ name, selector, type }) => [name, { selector, type }]),
  );
}

/** The type of a list of what is read so; of types without lists, a list of texts. */
export function toListType(type: FieldType): FieldType {
  return MANY.find((many) => many === `${type}[]`) ?? 'string[]';
}

/** How a text is most likely read: an amount with a currency as money, digits as a number. */
export function guessType(text: string): FieldType {
  const short = text.trim();
  if (/^(?:[€$£¥₹]|[A-Z]{3})\s?\d|\d\s?(?:[€$£¥₹]|[A-Z]{3})$/.test(short)) return 'money';
  return /^[\d.,\s]+$/.test(short) && /\d/.test(short) ? 'number' : 'string';
}

/** A name for a field by its selector: its last class or id, else its element. */
export function guessName(selector: string, taken: readonly string[]): string {
  const last = selector.split(/[\s>]+/).at(-1) ?? '';
  const word = /[.#](?<name>[a-z_][\w-]*)/i.exec(last)?.groups?.['name'] ?? /^[a-z]\w*/i.exec(last)?.[0] ?? 'value';
  const base = word.replaceAll('-', '_').replace(/^_+/, '').toLowerCase() || 'value';
  let name = base;
  for (let count = 2; taken.includes(name); count += 1) name = `${base}_${count}`;
  return name;
}
