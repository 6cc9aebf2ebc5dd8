import type { ReadWarning } from './warnings.ts';
import { readCollapsedText, readOwnText } from './html/tree.ts';
import { ATTRIBUTE, TAG } from './html/tag-names.ts';
import {
  getAttribute,
  isText,
  getKnownAttribute,
  findNextTag,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from './html/tree.ts';
import { HIDDEN, readHiding } from './view/hidden-elements.ts';
import { isUnseen } from './view/view.ts';
import { measureTextLengths } from './view/visible.ts';

/** Maximum characters outside the form of a login page whose title or headline asks for a login. */
const MAX_TEXT_WITH_LOGIN_TITLE = 1000;
/** The same if only the form indicates a login page. */
const MAX_TEXT_WITH_LOGIN_FORM = 200;
/** Maximum characters of a page that only says that it is not available. */
const MAX_REFUSAL_LENGTH = 600;
const MAX_HEADINGS = 8;
const MAX_INPUTS = 200;
const MAX_HEADING_LENGTH = 300;

/** Separators in titles: `Log in | Example`, `Welcome back! Please sign in.` */
const TITLE_SEPARATOR = /\s*[|·•»›:–—!.,?]\s*|\s+-\s+/u;
const WORD_END = String.raw`(?![\p{L}\p{N}])`;
/** The start of a title or headline that asks for a login, by language; for some also the end. */
const LOGIN = new RegExp(
  `^(?:(?:please|bitte|veuillez|por favor)\\s+)?(?:${[
    String.raw`log[ -]?in|sign[ -]?in|log[ -]?on|sign[ -]?on|(?:user |member |customer |account )?authentication required|session expired`,
    String.raw`your session has expired|you (?:must|need to|have to) (?:log|sign) in|members? (?:only|area)`,
    'anmelden|anmeldung|einloggen|melden sie sich an|connexion|se connecter|connectez-vous|identifiez-vous|authentification',
    'iniciar sesi[oó]n|inicia sesi[oó]n|inicie sesi[oó]n|acceder|identif[ií]cate|entrar|fa[cç]a login|iniciar sess[aã]o',
    'accedi|accesso|inloggen|aanmelden|logga in|log ind|logg inn|kirjaudu|zaloguj|logowanie|přihlášení|přihlásit',
    'bejelentkezés|autentificare|conectare|giriş|oturum aç|đăng nhập|masuk|войти|вход|авторизация|увійти|вхід',
  ].join('|')})${WORD_END}|^(?:登录|登入|登錄|ログイン|サインイン|로그인|تسجيل الدخول|התחברות|כניסה)|(?:^|\\s)log-?in$`,
  'iu',
);
/** Titles and headlines of pages without content. */
const REFUSAL = new RegExp(
  `^(?:${[
    String.raw`(?:error |http )?(?:40[0-4]|410|429|5\d\d)(?: (?:error|not found|page not found|forbidden|unauthorized|access denied|too many requests|bad gateway|service unavailable|internal server error|gateway time-?out))?`,
    'access (?:is |was |has been )?(?:denied|restricted|blocked|forbidden)|forbidden|permission denied|unauthorized',
    'too many requests|rate limit exceeded|internal server error|bad gateway|gateway time-?out',
    String.raw`(?:(?:this|the|our) )?(?:(?:site|website|service|page|shop|store) )?(?:is )?(?:currently |temporarily )?(?:under |down for |in |undergoing )?(?:scheduled |planned )?maintenance(?: mode| page| in progress)?`,
    String.raw`(?:(?:this|the|our) )?(?:(?:site|website|service|page) )?(?:is )?(?:currently |temporarily )(?:down|unavailable|offline)`,
    "service (?:temporarily )?unavailable|we(?:'|’)ll be (?:right )?back(?: soon| shortly)?|(?:be )?right back|(?:page|file) not found|not found",
    'wartung|wartungsarbeiten|wartungsmodus|zugriff verweigert|seite nicht gefunden|accès (?:refusé|interdit)|en maintenance',
    'maintenance en cours|page (?:non trouvée|introuvable)|acceso denegado|(?:sitio )?en mantenimiento|página no encontrada',
    'accesso negato|pagina non trovata|in manutenzione|acesso negado|em manutenção|página não encontrada|toegang geweigerd',
    'in onderhoud|pagina niet gevonden|доступ запрещ[её]н|страница не найдена|технические работы',
    '访问被拒绝|拒绝访问|页面不存在|网站维护中|系统维护中?|アクセス拒否|メンテナンス中?|ページが見つかりません|점검 중',
  ].join('|')})$`,
  'iu',
);
/** Names of the input for the first step of a login. */
const ACCOUNT_FIELD = /^(?:user|user[_-]?name|user[_-]?id|login|e-?mail|account|identifier|loginfmt|j_username)$/i;
/** Elements that are on every page of a site. */
const FURNITURE_TAGS: ReadonlySet<number> = new Set([TAG.header, TAG.footer, TAG.nav, TAG.aside]);
const FURNITURE_NAME =
  /(?:^|[\s_-])(?:header|top-?bar|nav|navbar|navigation|menu|side-?bar|footer|masthead|drop-?down|popup|modal)(?:$|[\s_-])/i;

/**
 * Warns if a page is not the content of its URL: a login form, or a message that it is not available. A small login
 * form in a page header and a hidden one do not count.
 */
export function listPageKindWarnings(tree: Tree): readonly ReadWarning[] {
  const form = findLoginForm(tree);
  const parts = listHeadingParts(tree);
  if (form === null) {
    const refusal = parts.find((part) => REFUSAL.test(part));
    if (refusal === undefined || (measureTextLengths(tree)[0] ?? 0) > MAX_REFUSAL_LENGTH) return [];
    return [{ code: 'refusal_page', message: `the page only says: ${refusal}` }];
  }
  const otherText = measureOtherText(tree, form.block);
  const loginPart = parts.find((part) => LOGIN.test(part));
  if (loginPart !== undefined && otherText <= MAX_TEXT_WITH_LOGIN_TITLE)
    return [{ code: 'login_page', message: `the page asks for a login: ${loginPart}` }];
  if (!form.hasPassword || form.isFurniture || otherText > MAX_TEXT_WITH_LOGIN_FORM) return [];
  return [{ code: 'login_form', message: 'the page has a form that asks for a password, and little else' }];
}

/**
 * Whether a page is a login page instead of the content of its URL. A registration or password form, with a field for a
 * new or a repeated password, is not.
 */
export function isLoginPage(tree: Tree): boolean {
  if (countPasswords(tree) > 1) return false;
  return listPageKindWarnings(tree).some(({ code }) => code === 'login_page' || code === 'login_form');
}

/** Counts password inputs. One for a new password counts twice. */
function countPasswords(tree: Tree): number {
  let count = 0;
  for (let node = findNextTag(tree, TAG.input, 1); node !== 0; node = findNextTag(tree, TAG.input, node + 1)) {
    if (getKnownAttribute(tree, node, ATTRIBUTE.type)?.trim().toLowerCase() !== 'password') continue;
    const isNew = getAttribute(tree, node, 'autocomplete')?.trim().toLowerCase() === 'new-password';
    count += isNew ? 2 : 1;
  }
  return count;
}

type LoginForm = {
  /** The form, or the element around its input. */
  readonly block: number;
  readonly hasPassword: boolean;
  /** Whether it is in the header, the navigation or another part of every page. */
  readonly isFurniture: boolean;
};

/** The first visible form with a password, else the first with an account name. Null if there is none. */
function findLoginForm(tree: Tree): LoginForm | null {
  let account: LoginForm | null = null;
  let seen = 0;
  for (let node = findNextTag(tree, TAG.input, 1); node !== 0 && seen < MAX_INPUTS; seen += 1) {
    const type = (getKnownAttribute(tree, node, ATTRIBUTE.type) ?? 'text').trim().toLowerCase();
    const hasPassword = type === 'password';
    if (hasPassword || (account === null && isAccountField(tree, node, type))) {
      const form = findShownForm(tree, node, hasPassword);
      if (form !== null && hasPassword) return form;
      account ??= form;
    }
    node = findNextTag(tree, TAG.input, node + 1);
  }
  return account;
}

function isAccountField(tree: Tree, node: number, type: string): boolean {
  if (type !== 'text' && type !== 'email') return false;
  if ((getAttribute(tree, node, 'autocomplete') ?? '').toLowerCase().includes('username')) return true;
  const names = [getKnownAttribute(tree, node, ATTRIBUTE.name), getKnownAttribute(tree, node, ATTRIBUTE.id)];
  return names.some((name) => ACCOUNT_FIELD.test(name?.trim() ?? ''));
}

/** The form around an input. Null if the input is hidden. */
function findShownForm(tree: Tree, field: number, hasPassword: boolean): LoginForm | null {
  let block = findBlockAround(tree, field);
  let isFurniture = false;
  for (let node = field; node !== 0; node = getParent(tree, node)) {
    const tag = getTag(tree, node);
    if (readHiding(tree, node) === HIDDEN || (node !== field && tag !== TAG.form && isUnseen(tree, node))) return null;
    if (tag === TAG.dialog && getAttribute(tree, node, 'open') === null) return null;
    if (tag === TAG.form) block = node;
    isFurniture ||= node !== field && isFurnitureAt(tree, node);
  }
  return { block, hasPassword, isFurniture };
}

/** The block of an input outside a form: up to two levels above it, but never the whole page. */
function findBlockAround(tree: Tree, field: number): number {
  const candidates = [getParent(tree, getParent(tree, field)), getParent(tree, field)];
  return (
    candidates.find((node) => node !== 0 && getTag(tree, node) !== TAG.body && getTag(tree, node) !== TAG.html) ?? field
  );
}

function isFurnitureAt(tree: Tree, node: number): boolean {
  if (FURNITURE_TAGS.has(getTag(tree, node))) return true;
  const names = [getKnownAttribute(tree, node, ATTRIBUTE.id), getKnownAttribute(tree, node, ATTRIBUTE.class)];
  return getTag(tree, node) !== TAG.body && names.some((name) => FURNITURE_NAME.test(name ?? ''));
}

/** The parts of the title and of the h1 headings. Without an h1, of the first headings below. */
function listHeadingParts(tree: Tree): readonly string[] {
  const title = findNextTag(tree, TAG.title, 1);
  const headlines = listHeadings(tree, TAG.h1);
  const below = headlines.length > 0 ? [] : [...listHeadings(tree, TAG.h2), ...listHeadings(tree, TAG.legend)];
  const texts = [title === 0 ? '' : readOwnText(tree, title), ...headlines, ...below];
  return texts.flatMap((text) => {
    const whole = text.replaceAll(/\s+/g, ' ').trim();
    return whole.length > MAX_HEADING_LENGTH
      ? []
      : [whole, ...whole.split(TITLE_SEPARATOR)].filter((part) => part !== '');
  });
}

function listHeadings(tree: Tree, tag: number): readonly string[] {
  const texts: string[] = [];
  for (let node = findNextTag(tree, tag, 1); node !== 0 && texts.length < MAX_HEADINGS;) {
    const text = readCollapsedText(tree, node, MAX_HEADING_LENGTH + 1);
    if (text !== '') texts.push(text);
    node = findNextTag(tree, tag, node + 1);
  }
  return texts;
}

/** Characters of the page outside the block and outside parts of every page. */
function measureOtherText(tree: Tree, block: number): number {
  const lengths = measureTextLengths(tree);
  let otherText = lengths[0] ?? 0;
  for (let node = 1; node < tree.count; node += 1) {
    if (node !== block && (isText(tree, node) || !FURNITURE_TAGS.has(getTag(tree, node)))) continue;
    const end = getSubtreeEnd(tree, node);
    if (node !== block && node < block && block < end) continue;
    otherText -= lengths[node] ?? 0;
    node = end - 1;
  }
  return otherText;
}
