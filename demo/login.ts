import { toDocument } from './layout.ts';
import { html, type Call, type Page, type Reply } from './reply.ts';

const LOGIN = '/account/login';
/** What the mill gives to a customer who has logged in. */
const TICKET = 'mill_ticket=grist-1781';

/** The pages of a customer's account, and the form that opens them. */
export function loginPages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    [LOGIN, ({ origin }) => html(toDocument({ origin, ...FORM }))],
    ['/account/open', toOpened],
    ['/account', (call) => forCustomer(call, ACCOUNT)],
    ['/account/orders', (call) => forCustomer(call, ORDERS)],
  ]);
}

const FORM = {
  path: LOGIN,
  title: 'Log in',
  description: 'For customers of the mill.',
  main: `<h1>Log in</h1>
<form action="/account/open">
<p><label>User <input name="user"></label> <label>Password <input name="word" type="password"></label></p>
<p><button>Log in</button></p>
</form>`,
};

const ACCOUNT = {
  path: '/account',
  title: 'Your account',
  description: 'The account of a customer.',
  main: `<h1>Welcome, Ann</h1>
<p>You have been a customer of Harrow Mill since 1998, and your flour is ground on the first stone of the morning.</p>
<p><a href="/account/orders">Your orders</a></p>`,
};

const ORDERS = {
  path: '/account/orders',
  title: 'Your orders',
  description: 'Orders of a customer.',
  main: `<h1>Your orders</h1>
<table><tr><th>Day</th><th>Flour</th></tr><tr><td>3 June</td><td>Whole rye flour</td></tr><tr><td>10 June</td><td>Rolled oats</td></tr></table>`,
};

function toOpened({ url }: Call): Reply {
  const isAnn = url.searchParams.get('user') === 'ann' && url.searchParams.get('word') === 'grist';
  if (!isAnn) return { status: 303, headers: { location: LOGIN }, body: '' };
  const cookie = `${TICKET}; Path=/account; HttpOnly; SameSite=Lax`;
  return { status: 303, headers: { location: '/account', 'set-cookie': cookie }, body: '' };
}

/** A stranger is led to the form. */
function forCustomer({ origin, headers }: Call, sheet: typeof ACCOUNT): Reply {
  const isOpen = (headers.cookie ?? '').split('; ').includes(TICKET);
  if (!isOpen) return { status: 302, headers: { location: LOGIN }, body: '' };
  return html(toDocument({ origin, ...sheet }));
}
