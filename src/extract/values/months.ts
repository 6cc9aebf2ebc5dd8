/** Month names and abbreviations as Unicode CLDR writes them for some thirty languages, January first. */
const NAMES = [
  'january jan januar janvier janv jänner enero ene gennaio gen janeiro januari tammikuuta tammikuu tammi stycznia styczeń sty ledna leden led januára január ianuarie ian ocak oca января январь янв січня січень січ ιανουαρίου ιαν gener siječnja siječanj sij януари sausio sausis janvāris jaanuar јануар јан يناير ژانویه जनवरी',
  'february feb februar februari février févr fév febrero febbraio fevereiro fev helmikuuta helmikuu helmi lutego luty lut února únor úno februára február febr februarie şubat şub февраля февраль февр фев лютого лютий лют φεβρουαρίου φεβ febrer veljače veljača velj февруари vasario vasaris februāris veebruar veebr фебруар феб فبراير فوریه फ़रवरी',
  'march mar märz mär marz mrz mars marzo março maart mrt marts maaliskuuta maaliskuu maalis marca marzec března březen bře marec március márc martie mart марта март мар березня березень бер μαρτίου μαρ maret març ožujka ožujak ožu kovo kovas märts مارس मार्च',
  'april apr avril avr abril abr aprile huhtikuuta huhtikuu huhti kwietnia kwiecień kwi dubna duben dub apríla apríl április ápr aprilie nisan nis апреля апрель апр квітня квітень квіт απριλίου απρ travnja travanj tra април balandžio balandis aprīlis aprill أبريل آوریل अप्रैल',
  'may mai mayo maggio mag maio mei maj toukokuuta toukokuu touko maja května květen kvě mája máj május mayıs мая май травня травень трав μαΐου μαΐ maig svibnja svibanj svi gegužės gegužė maijs мај مايو مه मई',
  'june jun juni juin junio giugno giu junho kesäkuuta kesäkuu kesä czerwca czerwiec cze června červen čvn júna jún június iunie iun haziran haz июня июнь июн червня червень черв ιουνίου ιουν juny lipnja lipanj юни birželio birželis jūnijs jūn juuni junij јун يونيو ژوئن जून',
  'july jul juli juillet juil julio luglio lug julho heinäkuuta heinäkuu heinä lipca lipiec lip července červenec čvc júla júl július iulie iul temmuz tem июля июль июл липня липень лип ιουλίου ιουλ juliol srpnja srpanj юли liepos liepa jūlijs jūl juuli julij јул يوليو ژوئیه जुलाई',
  'august aug août aout agosto ago augustus augusti elokuuta elokuu elo sierpnia sierpień sie srpna srpen srp augusta augusztus ağustos ağu августа август авг серпня серпень серп αυγούστου αυγ agustus agu agost kolovoza kolovoz kol rugpjūčio rugpjūtis augusts avgust avg أغسطس اوت अगस्त',
  'september sep sept septembre septiembre settembre set setembro syyskuuta syyskuu syys września wrzesień wrz září zář septembra szeptember szept septembrie eylül eyl сентября сентябрь сент сен вересня вересень вер σεπτεμβρίου σεπ setembre rujna rujan ruj септември rugsėjo rugsėjis septembris септембар سبتمبر سپتامبر सितंबर',
  'october oct oktober okt octobre octubre ottobre ott outubro out lokakuuta lokakuu loka października październik paź října říjen říj októbra október octombrie ekim eki октября октябрь окт жовтня жовтень жовт οκτωβρίου οκτ октомври spalio spalis oktobris oktoober октобар أكتوبر اکتبر अक्टूबर',
  'november nov novembre noviembre novembro marraskuuta marraskuu marras listopada listopad lis listopadu novembra noiembrie kasım kas ноября ноябрь нояб ноя листопада листопад лист νοεμβρίου νοε studenoga studeni stu ноември lapkričio lapkritis novembris новембар نوفمبر نوامبر नवंबर',
  'december dec dezember dez décembre déc diciembre dic dicembre dezembro desember des joulukuuta joulukuu joulu grudnia grudzień gru prosince prosinec pro decembra decembrie aralık ara декабря декабрь дек грудня грудень груд δεκεμβρίου δεκ desembre prosinca prosinac декември gruodžio gruodis decembris detsember dets децембар дец ديسمبر دسامبر दिसंबर',
] as const;

/** Lower-case month name → 1–12. */
export const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name): [string, number] => [name, index + 1])),
);
