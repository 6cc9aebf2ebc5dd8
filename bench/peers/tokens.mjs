/** Counts the tokens of a text on its standard input, as the tokenizer of GPT-4o and later models (o200k) does. */
import { text } from 'node:stream/consumers';
// The library is only installed in this folder.
const { countTokens } = await import(new URL('node_modules/gpt-tokenizer/esm/encoding/o200k_base.js', import.meta.url).href);
process.stdout.write(String(countTokens(await text(process.stdin))));
