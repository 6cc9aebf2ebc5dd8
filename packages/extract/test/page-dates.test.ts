import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMetadata } from '#extract/metadata/metadata.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { readStructuredData } from '#extract/structured/structured-data.ts';

const TEXT = `<p>${'A barge carries clay to the town and coal to the works. '.repeat(9)}</p>`;

function readDays(html: string, language = 'en'): readonly (string | null)[] {
  const url = 'https://example.org/canal';
  const tree = parseHtml(`<html lang=${language}><h1>The canal</h1>${html}${TEXT}`);
  const read = readMetadata(tree, { url, charset: null, structured: readStructuredData(tree, url), wordCount: 0 });
  return [read.published_date, read.modified_at];
}

const CHANGED: readonly (readonly [string, string])[] = [
  ['en', '<p>Updated on 7 January 2024</p>'],
  ['en', '<p>Reviewed on 7 January 2024 by Dr Voss</p>'],
  ['en', '<p>Medically reviewed by Dr Ana Voss on January 7, 2024</p>'],
  ['en', '<div>Last edited: <b>Jan 7, 2024</b></div>'],
  ['en', '<dl><dt>Last updated</dt><dd>7 January 2024</dd></dl>'],
  ['en', '<table><tr><th>Modified<td>2024-01-07</table>'],
  ['en', '<p>January 7, 2024 (updated)</p>'],
  ['en', '<p>Last updated <time datetime="2024-01-07">1 year ago</time></p>'],
  ['en', '<time class="updated" datetime="2024-01-07">January 7, 2024</time>'],
  ['en', '<span itemprop="dateModified">January 7, 2024</span>'],
  ['en', '<div class="last-modified">January 7, 2024</div>'],
  ['de', '<p>Zuletzt aktualisiert am 7.1.2024</p>'],
  ['de', '<p>Letzte Änderung: 07.01.2024</p>'],
  ['nl', '<p>Bijgewerkt op 7 januari 2024</p>'],
  ['fr', '<p>Mis à jour le 7 janvier 2024</p>'],
  ['fr', '<p>Dernière mise à jour : 07/01/2024</p>'],
  ['es', '<p>Última actualización: 7 de enero de 2024</p>'],
  ['ca', '<p>Actualitzat el 7 de gener de 2024</p>'],
  ['pt', '<p>Atualizado em 7 de janeiro de 2024</p>'],
  ['it', '<p>Ultimo aggiornamento: 7 gennaio 2024</p>'],
  ['ro', '<p>Actualizat pe 7 ianuarie 2024</p>'],
  ['sv', '<p>Uppdaterad 7 januari 2024</p>'],
  ['da', '<p>Opdateret 7. januar 2024</p>'],
  ['nb', '<p>Sist oppdatert 7. januar 2024</p>'],
  ['fi', '<p>Päivitetty 7.1.2024</p>'],
  ['pl', '<p>Aktualizacja: 7 stycznia 2024</p>'],
  ['cs', '<p>Aktualizováno 7. ledna 2024</p>'],
  ['hu', '<p>Frissítve: 2024. január 7.</p>'],
  ['ru', '<p>Обновлено 7 января 2024</p>'],
  ['uk', '<p>Оновлено 7 січня 2024</p>'],
  ['el', '<p>Τελευταία ενημέρωση: 7 Ιανουαρίου 2024</p>'],
  ['tr', '<p>Son güncelleme: 7 Ocak 2024</p>'],
  ['tr', '<p>DEĞİŞTİRİLDİ: 7 Ocak 2024</p>'],
  ['ar', '<p>آخر تحديث: 7 يناير 2024</p>'],
  ['he', '<p>עודכן: 7.1.2024</p>'],
  ['id', '<p>Diperbarui 7 Januari 2024</p>'],
  ['vi', '<p>Cập nhật: 07/01/2024</p>'],
  ['zh', '<p>最后更新：2024年1月7日</p>'],
  ['ja', '<p>2024年1月7日更新</p>'],
  ['ko', '<p>수정 2024.01.07</p>'],
];

for (const [language, html] of CHANGED) {
  test(`the date in ${html} is a modification date`, () =>
    assert.deepEqual(readDays(html, language), [null, '2024-01-07']));
}

const BOTH: readonly (readonly [string, string])[] = [
  ['en', '<p class="meta">Published: May 3, 2023 | Updated: January 7, 2024</p>'],
  ['en', '<p>May 3, 2023 (updated January 7, 2024)</p>'],
  ['en', '<p>By Ana Ruiz | May 3, 2023 | Updated January 7, 2024</p>'],
  ['en', '<dl><dt>Published</dt><dd>3 May 2023</dd><dt>Last updated</dt><dd>7 January 2024</dd></dl>'],
  [
    'en',
    '<p>Published <time datetime="2023-05-03">May 3</time>, edited <time datetime="2024-01-07">January 7</time></p>',
  ],
  ['de', '<p>Veröffentlicht am 3. Mai 2023, aktualisiert am 7. Januar 2024</p>'],
  ['es', '<p class="date">Publicado el 3 de mayo de 2023 · Actualizado el 7 de enero de 2024</p>'],
  ['fr', '<p>Publié le 3 mai 2023 – Mis à jour le 7 janvier 2024</p>'],
  ['it', '<p>Pubblicato il 3 maggio 2023, aggiornato il 7 gennaio 2024</p>'],
  ['fi', '<p>Julkaistu 3.5.2023, päivitetty 7.1.2024</p>'],
  ['ja', '<p>公開日：2023年5月3日 更新日：2024年1月7日</p>'],
  ['ja', '<p>2023年5月3日公開 2024年1月7日更新</p>'],
  ['ko', '<p>입력 2023.05.03 수정 2024.01.07</p>'],
];

for (const [language, html] of BOTH) {
  test(`${html} has a publication and a modification date`, () =>
    assert.deepEqual(readDays(html, language), ['2023-05-03', '2024-01-07']));
}

const PUBLISHED: readonly string[] = [
  '<p class="post-date updated">May 3, 2023</p>',
  '<p>The Canal-Update with Ana Ruiz - <span itemprop="datePublished">May 3, 2023</span></p>',
  '<p>Reviewed by Ana Ruiz, May 3, 2023</p>',
];

for (const html of PUBLISHED) {
  test(`the date in ${html} is a publication date`, () => assert.deepEqual(readDays(html), ['2023-05-03', null]));
}

const OTHER_CALENDARS: readonly (readonly [string, string, string])[] = [
  ['th', '<p>3 เมษายน 2565</p>', '2022-04-03'],
  ['th', '<p class=date>2565-04-03</p>', '2022-04-03'],
  ['th', '<p class=date>03/04/2565</p>', '2022-04-03'],
  ['th', '<p class=date>3 เม.ย. 65</p>', '2022-04-03'],
  ['en', '<p class=date>วันที่ ๓ เมษายน พ.ศ. ๒๕๖๕</p>', '2022-04-03'],
  ['th', '<p class=date>3 เมษายน ค.ศ. 2022</p>', '2022-04-03'],
  ['fa', '<p>۱۴ فروردین ۱۴۰۱</p>', '2022-04-03'],
  ['fa', '<p class=date>۱۴۰۱/۰۱/۱۴</p>', '2022-04-03'],
  ['fa', '<p class=date>1401-01-14 10:05</p>', '2022-04-03'],
  ['en', '<p class=date>دوشنبه ۲ تير ۱۳۹۹</p>', '2020-06-22'],
  ['fa', '<p class=date>۳۰ اسفند ۱۴۰۳ ساعت ۱۲:۳۰</p>', '2025-03-20'],
  ['fa-AF', '<p class=date>۱۴ حمل ۱۴۰۱</p>', '2022-04-03'],
  ['ja', '<p>令和4年4月3日</p>', '2022-04-03'],
  ['ja', '<p class=date>平成31年4月3日</p>', '2019-04-03'],
  ['zh-TW', '<p class=date>民國111年4月3日</p>', '2022-04-03'],
];

for (const [language, html, day] of OTHER_CALENDARS) {
  test(`the date in ${html} is ${day}`, () => assert.deepEqual(readDays(html, language), [day, null]));
}

test('an impossible date is ignored', () => {
  assert.deepEqual(readDays('<p class=date>۳۰ اسفند ۱۴۰۲</p>', 'fa'), [null, null]);
  assert.deepEqual(readDays('<p class=date>31/02/2565</p>', 'th'), [null, null]);
});
