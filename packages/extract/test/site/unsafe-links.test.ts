import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toUrlParts } from '#extract/urls/url-parts.ts';
import { isUnsafeLink } from '#extract/urls/unsafe-links.ts';

const UNSAFE: Readonly<Record<string, readonly string[]>> = {
  'ends a login by its path': [
    '/logout',
    '/Logout/',
    '/LOGOUT.aspx',
    '/account/logout.php?next=/',
    '/users/sign_out',
    '/auth/sign-off',
    '/signOut',
    '/log-out/now',
    '/user-logout',
    '/doLogout',
    '/index.php/logout',
    '/logout;jsessionid=12',
    '/wiki/Special:UserLogout',
    '/wiki/Spezial:Abmelden',
    '/connect/endsession',
    '/konto/abmelden',
    '/d%C3%A9connexion',
    '/se-deconnecter',
    '/cuenta/cerrar-sesion',
    '/cerrar_sesi%C3%B3n.html',
    '/terminar-sess%C3%A3o',
    '/wyloguj-si%C4%99',
    '/odhl%C3%A1sit',
    '/%C3%A7%C4%B1k%C4%B1%C5%9F',
    '/%D0%B2%D1%8B%D1%85%D0%BE%D0%B4',
    '/%E9%80%80%E5%87%BA',
    '/%E3%83%AD%E3%82%B0%E3%82%A2%E3%82%A6%E3%83%88',
    '/%EB%A1%9C%EA%B7%B8%EC%95%84%EC%9B%83',
  ],
  'ends a login by its query': [
    '/wp-login.php?action=logout&_wpnonce=1',
    '/ucp.php?mode=logout',
    '/?do=logout',
    '/?logout',
    '/?logout=1',
    '/index.php?page=logout',
    '/index.php?route=account/logout',
    '/index.php?option=com_users&task=user.logout',
    '/?q=user/logout',
    '/index.php?title=Special:UserLogout',
    '/konto?aktion=1&action=abmelden',
    '/a?x=1;logout=true',
  ],
  'deletes something': [
    '/posts/5/delete',
    '/delete/5',
    '/item/remove',
    '/photos/7?action=delete',
    '/photos?delete=7',
    '/wp-admin/post.php?post=4&action=trash',
    '/eintrag/l%C3%B6schen',
    '/nachricht/12/loeschen',
    '/message/supprimer/3',
    '/%D1%83%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D1%8C/3',
  ],
  'ends a subscription': [
    '/unsubscribe/abc',
    '/newsletter/unsubscribe?u=1',
    '/n?action=unsubscribe',
    '/newsletter/abbestellen',
  ],
  'changes a cart': [
    '/product/tea/?add-to-cart=12',
    '/?add_to_wishlist=4',
    '/cart/add/12',
    '/checkout/cart/add/uenc/abc/',
    '/basket/add?id=4',
    '/addToCart?id=4',
    '/warenkorb/hinzuf%C3%BCgen/3',
    '/cart/?remove_item=12',
    '/index.php?route=checkout/cart/add',
  ],
};

const SAFE: readonly string[] = [
  '/',
  '/login',
  '/login?next=/logout',
  '/account?redirect=%2Flogout',
  '/docs/how-to-logout-of-a-session',
  '/blog/deleting-files',
  '/blog/why-i-delete-my-account',
  '/blog/the-logout-button',
  '/help/unsubscribing-from-mail',
  '/logouts-explained',
  '/search?q=logout',
  '/search?q=delete+files',
  '/wiki/index.php?title=Logout',
  '/cart',
  '/cart/',
  '/shop/cart-accessories',
  '/products/add-on-kit',
  '/travel/baja',
  '/products?page=2',
  '/?action=view',
  '/?logout=false',
  '/exit-signs',
  '/removed-items',
  '/a%zz',
];

for (const [what, links] of Object.entries(UNSAFE))
  for (const link of links) test(`${link} ${what}`, () => assert.equal(isUnsafe(link), true));

for (const link of SAFE) test(`${link} changes nothing`, () => assert.equal(isUnsafe(link), false));

function isUnsafe(link: string): boolean {
  const parts = toUrlParts(`https://mill.example${link}`);
  assert.ok(parts !== null);
  return isUnsafeLink(parts);
}
