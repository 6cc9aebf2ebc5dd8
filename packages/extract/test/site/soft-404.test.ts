import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContentFingerprint, computeFingerprint } from '#extract/urls/content-fingerprint.ts';
import { isSoft404, buildProbeUrl } from '#extract/urls/soft-404.ts';

const ARTICLE = 'The harbour was quiet when the last boat came in and the men unloaded what they had caught. '.repeat(
  12,
);

function isMissing(
  title: string | null,
  text: string,
  url = 'https://example.org/a',
  missing: ContentFingerprint | null = null,
): boolean {
  return isSoft404({ title, text, url, print: computeFingerprint({ title, text }) }, missing);
}

const MISSING: readonly (readonly [title: string | null, text: string, url?: string])[] = [
  ['Page not found', 'Sorry, the page you were looking for could not be found. Go to the home page.'],
  ['404 Not Found', 'The requested URL was not found on this server.'],
  ['404', 'Oops! That page can’t be found.'],
  ['Oops! Page Not Found', 'Error 404. Try a search.'],
  ['Error 404', 'Nothing here.'],
  ['Seite nicht gefunden', 'Die von Ihnen gesuchte Seite existiert nicht.'],
  ['Page introuvable', 'Désolé, la page demandée n’existe plus.'],
  ['Página no encontrada', 'Lo sentimos.'],
  ['Página não encontrada', 'Voltar ao início.'],
  ['Pagina non trovata', 'Torna alla home.'],
  ['Pagina niet gevonden', 'Ga terug naar de homepage.'],
  ['Sidan hittades inte', 'Gå till startsidan.'],
  ['Nie znaleziono strony', 'Wróć na stronę główną.'],
  ['Страница не найдена', 'Вернуться на главную.'],
  ['ページが見つかりません', 'トップページへ戻る'],
  ['页面不存在', '返回首页'],
  ['페이지를 찾을 수 없습니다', '홈으로'],
  ['الصفحة غير موجودة', 'العودة إلى الرئيسية'],
  ['Example Shop', 'Sorry, this page does not exist.', 'https://example.org/404.html'],
  [null, 'We couldn’t find that page.', 'https://example.org/not-found?from=/a'],
  ['Page not found', `Page not found. You may like these stories. ${ARTICLE}`],
];

for (const [title, text, url] of MISSING)
  test(`"${title}" with "${text.slice(0, 40)}" is a soft 404`, () => assert.ok(isMissing(title, text, url)));

const PRESENT: readonly (readonly [title: string | null, text: string, url?: string])[] = [
  ['How to fix the 404 page not found error in your shop', `A page not found error means that the server ${ARTICLE}`],
  ['How we fixed the 404 page not found error', 'Page not found, said the server. We moved the file and it was well.'],
  ['Peugeot 404', 'A family car built from 1960.'],
  ['Room 404', 'A room with a view.'],
  ['The wreck was not found, divers say after a long search', 'It was not found on Monday.'],
  ['Contact', 'Write to us.'],
  ['Search results', 'No results for lantern.'],
  [null, ''],
  ['Error handling', 'What an error is and how to answer it.', 'https://example.org/docs/error-handling'],
  ['Errors', `HTTP 404 is the status of what is missing. ${ARTICLE}`, 'https://example.org/docs/404'],
  ['Nothing found at the site, archaeologists say', ARTICLE],
];

for (const [title, text, url] of PRESENT)
  test(`"${title}" with "${text.slice(0, 40)}" is not a soft 404`, () => assert.ok(!isMissing(title, text, url)));

test('the response of the site to a nonexistent URL is a soft 404 at every URL', () => {
  const welcome = `Welcome to our site. ${ARTICLE}`;
  const missing = computeFingerprint({ title: 'Example', text: welcome });
  assert.ok(isMissing('Example', welcome, 'https://example.org/old', missing));
  assert.ok(isMissing('Example', `${welcome} Today is Monday.`, 'https://example.org/old', missing));
  assert.ok(!isMissing('Example', welcome, 'https://example.org/?lang=en', missing));
  assert.ok(
    !isMissing(
      'Another',
      `${ARTICLE.toUpperCase()} `.replaceAll('BOAT', 'train').replaceAll('MEN', 'guards'),
      undefined,
      missing,
    ),
  );
});

test('an application shell is not a soft 404', () => {
  const shell = computeFingerprint({ title: 'App', text: 'Loading' });
  assert.ok(!isMissing('App', 'Loading', 'https://example.org/a', shell));
});

test('the probe URL is on the site', () => {
  assert.match(buildProbeUrl('https://example.org:81/docs/a?b', 'k3j9x'), /^https:\/\/example\.org:81\/k3j9x-5\/$/);
});
