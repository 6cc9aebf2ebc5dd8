/** Source of a pattern of the words that announce a day of publication, in small letters. */
export const PUBLISHING_SOURCE = String.raw`publi(?!c\b|city|cly)|posted|erstellt|veröffentlicht|erschienen|geschrieben|\bstand\b|dodano|geplaatst|pubbl|опубликован|опубліковано|发布|發布|发表|發表|公開|投稿|掲載|입력|등록|게시|نشر|انتشار|פורסם|julkaistu|közzétéve|megjelen|offentliggjort|udgivet|δημοσ|yayın|diterbitkan|เผยแพร่`;

/** Words that announce the day of a change; beginnings of words, but for the short ones. */
const CHANGE_WORDS = [
  'update(?!s)|modified|revised|edited|amended|corrected|changed|generated|reviewed(?! by)|(?:re|double)-?checked',
  '(?:last|latest|recently) (?:chang|modif|review|edit|check|revis|correct|updat)',
  '(?:medically|clinically|fact|technically|scientifically)[- ](?:reviewed|checked)',
  'zuletzt|aktualisier|letzte (?:änderung|bearbeitung)|geändert|überarbeitet|bearbeitet|geprüft|überprüft',
  'bijgewerkt|gewijzigd|aangepast|herzien|geüpdatet|geactualiseerd|laatste? (?:wijzig|update|aanpass|herzien)',
  'uppdatera|ändra[dt]|granska[dt]|redigera[dt]|senast (?!e)|opdatere|ændret|revideret|redigeret|sidst (?!e)',
  'oppdater|endret|revidert|redigert|sist (?:endr|oppd|rev|red)',
  'mise?s? à jour|màj|modifiée?|actualisée?|révisée?|vérifiée?|corrigée?|relue? le|dernière (?:modif|actualis|révis|éditi)',
  'actualit?za[dcçt]|atualiza[dç]|modificad|revisad|editado|última (?:modific|revisi|edici|ediç)',
  'aggiornat|aggiornament|modificat|revisionat|rivist[oa] |ultima (?:modific|revis)|revizuit',
  'zaktualizowan|aktualizacj|zmodyfikowan|poprawion|ostatni\\p{L}* (?:zmian|modyf|edycj|popraw)',
  'aktualizov|upraven|změněn|zmenen|naposledy|ažuriran|izmijenjen|posodobljen|atnaujint|atjaunot|uuendatud',
  'обновл|измен[её]н|отредактирован|исправлен|последн\\p{L}* (?:измен|редак|правк|ред)',
  'оновлен|змінен|відредаговано|останн\\p{L}* (?:змін|редаг)|обновен|актуализиран',
  'päivitet|muokattu|tarkistettu|frissít|frissült|módosít|güncelle|değiştiril|düzenlen|son değişik',
  'ενημερώ|ενημέρωση|τροποποι|diperbar|dikemas ?kini|terakhir diubah|cập nhật|sửa đổi',
];
/** The same in scripts that write no spaces, or put words together. */
const JOINED_CHANGE_WORDS =
  '更新|修改|修订|修訂|改訂|改定|修正|수정|업데이트|갱신|تحديث|تعديل|به[ \\u200c]?روز|ویرایش|עודכן|עדכון|अपडेट|अद्यतन|संशोधित|อัปเดต|อัพเดท|แก้ไข|ปรับปรุง';
/** Source of a pattern of the words that announce the day of a change, in small letters. */
export const CHANGING_SOURCE = String.raw`(?<![\p{L}-])(?:${CHANGE_WORDS.join('|')})|${JOINED_CHANGE_WORDS}`;

const PUBLISHING_WORD = new RegExp(PUBLISHING_SOURCE, 'u');
const CHANGING_WORD = new RegExp(CHANGING_SOURCE, 'u');

/** Whether a text has a word that announces a day of publication. */
export function announcesPublishing(text: string): boolean {
  return PUBLISHING_WORD.test(toLowerCaseInPlace(text));
}

/** Whether a text has a word that announces the day of a change. */
export function announcesChange(text: string): boolean {
  return CHANGING_WORD.test(toLowerCaseInPlace(text));
}

/**
 * A text in small letters, each in its place: a pattern of many words finds them several times faster there than without
 * case.
 */
export function toLowerCaseInPlace(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase();
}
