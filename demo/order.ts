import { escapeHtml, toDocument } from './layout.ts';
import { html, type Page } from './reply.ts';

const SACKS = [
  ['Whole rye flour', '4.90'],
  ['Spelt flour', '5.40'],
  ['Rolled oats', '2.60'],
  ['Wheat flour, strong', '3.80'],
  ['Buckwheat groats', '4.20'],
  ['Barley flakes', '2.90'],
] as const;

const A_PAGE = 2;

/** Turns the pages of the list without a request, as many shops do. */
const TURNING = `const rows = [...document.querySelectorAll('#sacks tr')];
let first = 0;
function turn(by) {
  first += by;
  rows.forEach((row, at) => { row.hidden = at < first || at >= first + ${A_PAGE}; });
  next.hidden = first + ${A_PAGE} >= rows.length;
}
next.onclick = () => turn(${A_PAGE});
turn(0);
onmessage = () => { send.disabled = false; };`;

/** A form with a list of pages and terms in a frame: what a session has to do with. */
export function orderPages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    ['/shop/order', ({ origin }) => html(toDocument({ origin, ...ORDER }))],
    ['/shop/order/terms', () => html(TERMS)],
    ['/shop/order/sent', ({ origin, url }) => html(toSent(origin, url.searchParams))],
  ]);
}

const ORDER = {
  path: '/shop/order',
  title: 'Order flour',
  description: 'Order for Wednesday.',
  main: `<h1>Order flour</h1>
<table><tbody id="sacks">${SACKS.map(([name, price]) => `<tr><td>${name}</td><td class="price">${price} €</td></tr>`).join('')}</tbody></table>
<button id="next" type="button">More flour</button>
<form action="/shop/order/sent">
<p><label>Name <input name="name"></label> <label>Customer number <input name="number" type="password"></label></p>
<p><label>Flour <select name="flour">${SACKS.map(([name]) => `<option>${name}</option>`).join('')}</select></label></p>
<iframe name="terms" title="Terms" src="/shop/order/terms" width="420" height="70"></iframe>
<p><button id="send" disabled>Order</button></p>
</form>
<script>${TURNING}</script>`,
};

const TERMS = `<!doctype html><html lang="en"><title>Terms</title><body><label><input type="checkbox"
 onchange="parent.postMessage('agreed', '*')"> I fetch it on Wednesday before noon.</label></body></html>
`;

function toSent(origin: string, given: URLSearchParams): string {
  const [name = '', flour = ''] = ['name', 'flour'].map((member) => escapeHtml(given.get(member) ?? ''));
  const main = `<h1>Thank you, ${name}</h1><p>One sack of <b id="flour">${flour}</b> waits for you on Wednesday.</p>`;
  return toDocument({ origin, path: '/shop/order/sent', title: 'Ordered', description: 'Your order.', main });
}
