import { buildWordSet } from '#extract/values/space.ts';
import type { UrlParts } from './url-parts.ts';

/** Words for logging out, without diacritics and separators. */
const LOGOUT_WORDS = buildWordSet(
  'logout logoff signout signoff logmeout logouts logoutall signoutall logoutnow endsession wpsignout disconnect',
  'abmelden ausloggen abmeldung deconnexion deconnecter deconnectez sedeconnecter cerrarsesion salir desconectar',
  'desconectarse finalizarsesion sair terminarsessao encerrarsessao esci disconnetti disconnettiti disconnessione',
  'uitloggen wyloguj wylogowanie wylogujsie odhlasit odhlaseni odhlasitse odhlasenie loggaut loggut logud logaf',
  'kirjauduulos uloskirjautuminen cikis cikisyap oturumukapat kijelentkezes kilepes deconectare iesire odjava odjavise',
  'dangxuat keluar выход выйти выити vyhod vyiti вихід вийти 退出 登出 注销 註銷 退出登录 退出登錄 ログアウト 로그아웃 αποσύνδεση',
  'تسجيلالخروج خروج התנתקות יציאה ออกจากระบบ',
);

/** Words for deleting something, unsubscribing, or filling or emptying a cart. */
const CHANGE_WORDS = buildWordSet(
  'delete remove destroy trash erase untrash deleteaccount deleteitem removeitem deleteall removeall closeaccount',
  'loschen loeschen entfernen supprimer effacer eliminar borrar excluir apagar remover elimina rimuovi cancella',
  'verwijderen verwijder usun smazat odstranit odstran slett tabort radera poista удалить видалити 删除 刪除 削除 삭제',
  'unsubscribe unsub optout abbestellen austragen desabonner desabonnement sedesabonner desinscription desinscrire',
  'darsedebaja cancelarsuscripcion cancelarinscricao descadastrar disiscriviti disiscrizione cancelsubscription',
  'afmelden uitschrijven wypiszsie отписаться отписка відписатися 退订 退訂 配信停止 구독취소',
  'addtocart addtobasket addtobag addtowishlist addtolist addtocompare addcart cartadd buynow emptycart clearcart',
  'indenwarenkorb ajouteraupanier anadiralcarrito agregaralcarrito adicionaraocarrinho aggiungialcarrello',
  'inwinkelwagen dodajdokoszyka vkorzinu вкорзину カートに入れる 加入购物车 加入購物車',
);

/** Words that may occur next to a logout word in a segment: `user-logout`, `doLogout`. */
const WORDS_BESIDE_LOGOUT = buildWordSet(
  'user users customer member account admin my me now all do wp action perform please',
);

const CART_WORDS = buildWordSet(
  'cart basket bag shoppingcart shoppingbag wishlist compare warenkorb wunschliste panier carrito carrinho carrello',
  'winkelwagen koszyk kosik корзина kosar sepet',
);
const CART_ACTION_WORDS = buildWordSet(
  'add additem addproduct update clear empty hinzufugen ajouter agregar adicionar aggiungi dodaj',
);

/** Parameters whose value names an action. */
const ACTION_PARAMETERS = buildWordSet(
  'action act do op cmd command task mode method func function fn event route r page view step process request operation',
  'controller module option path p go subaction wcajax',
);
/** Parameters whose value names an action only if it looks like a path: `?q=user/logout`, `?title=Special:UserLogout`. */
const PATH_PARAMETERS = buildWordSet('q title url target');
const FALSE_VALUES = buildWordSet('0 false no off');

const MAX_SEGMENT_CHARS = 100;

/**
 * Whether visiting a URL would log out, delete something, unsubscribe or change a cart. Compares whole path segments
 * and query values, so that an article about logging out is not affected.
 */
export function isUnsafeLink({ path, query }: Pick<UrlParts, 'path' | 'query'>): boolean {
  return isUnsafePath(path) || (query !== '' && isUnsafeQuery(query));
}

function isUnsafePath(path: string): boolean {
  const words = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(normalizeWord);
  return words.some(
    (word, at) =>
      LOGOUT_WORDS.has(word) ||
      CHANGE_WORDS.has(word) ||
      (CART_WORDS.has(word) && CART_ACTION_WORDS.has(words[at + 1] ?? '')),
  );
}

function isUnsafeQuery(query: string): boolean {
  return query.split(/[&;]/).some((parameter) => {
    const [given = '', value = ''] = parameter.split('=', 2);
    const name = normalizeWord(given);
    if (LOGOUT_WORDS.has(name) || CHANGE_WORDS.has(name)) return !FALSE_VALUES.has(value.toLowerCase());
    if (value === '') return false;
    const place = decodeText(value);
    if (ACTION_PARAMETERS.has(name)) return isUnsafePath(place.replaceAll('.', '/'));
    return PATH_PARAMETERS.has(name) && /[/:]/.test(place) && !/^https?:/i.test(place) && isUnsafePath(place);
  });
}

/**
 * Normalizes a segment to one word: decoded, without diacritics, extension, separators and words that often accompany a
 * logout word.
 */
function normalizeWord(segment: string): string {
  if (segment.length > MAX_SEGMENT_CHARS) return '';
  const text = decodeText(segment).replace(/;.*$/s, '');
  const last = text.slice(text.lastIndexOf(':') + 1).replace(/\.[a-z]{1,5}$/i, '');
  const words = last
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .split(/[\s\-_+.!~]+/u);
  const whole = words.join('');
  if (LOGOUT_WORDS.has(whole) || CHANGE_WORDS.has(whole)) return whole;
  const bare = words.filter((word) => !WORDS_BESIDE_LOGOUT.has(word)).join('');
  return LOGOUT_WORDS.has(bare) ? bare : whole;
}

function decodeText(escaped: string): string {
  if (!/[%+]/.test(escaped)) return escaped;
  try {
    return decodeURIComponent(escaped.replaceAll('+', ' '));
  } catch {
    return escaped;
  }
}
