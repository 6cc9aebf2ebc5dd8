import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, knownAttribute, subtreeEndOf, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { countWords } from '#extract/metadata/words.ts';
import type { PageText } from './content-print.ts';

/** A page with more words than this is more than a login. */
const MAX_WORDS = 200;
/** With so few words a password field is all that there is. */
const MAX_BARE_WORDS = 30;
const LOGIN_WORDS =
  /(?<!\p{L})(?:log ?-?in|sign ?-?in|log ?-?on|login|anmelden|anmeldung|einloggen|connexion|se connecter|connectez|iniciar sesi[oó]n|inicia sesi[oó]n|acceder|accedi|accesso|entrar|iniciar sess[aã]o|inloggen|aanmelden|zaloguj|logowanie|p[rř]ihl[aá]sit|p[rř]ihl[aá][sš]en[ií]|logga in|logg inn|log ind|kirjaudu|giri[sş]|oturum a[cç]|bejelentkez[eé]s|autentificare|войти|вход|увійти|вхід|авторизация|σύνδεση)(?!\p{L})|登录|登錄|登入|ログイン|로그인|تسجيل الدخول|התחברות/iu;

/** Whether a page is a login form and nothing else: one password is asked for, and little more is said. */
export function isLoginPage(tree: Tree, { title, text }: PageText): boolean {
  if (countPasswords(tree) !== 1) return false;
  const words = countWords(text);
  return words <= MAX_BARE_WORDS || (words <= MAX_WORDS && LOGIN_WORDS.test(`${title ?? ''}\n${text}`));
}

/** Fields for a password that a visitor has; a new one is chosen, not asked for. */
function countPasswords(tree: Tree): number {
  let count = 0;
  for (let node = 1; node < tree.count; node++) {
    const tag = tagOf(tree, node);
    if (tag === TAG.template) node = subtreeEndOf(tree, node) - 1;
    if (tag !== TAG.input || knownAttribute(tree, node, ATTRIBUTE.type)?.trim().toLowerCase() !== 'password') continue;
    if (attributeOf(tree, node, 'autocomplete')?.trim().toLowerCase() !== 'new-password') count += 1;
  }
  return count;
}
