import { toNameKey } from './names.ts';

/** Names under which shops show the facts of a product, in the languages of most shops; several words parted by spaces. */
const PRODUCT_LABELS = {
  sku: `sku, item, item number, item no, item code, item id, product code, product number, product no,
    product id, article, article number, article no, article code, art no, art nr, art, artnr, artikelnummer, artikel nr,
    artikelnr, artikel, bestellnummer, bestell nr, best nr, produktnummer, produktcode, ebay artikelnummer, ebay item number,
    numéro de l'objet ebay, numero oggetto ebay, número de artículo de ebay, anzeigennummer, anzeigen id, référence, réf,
    ref, reference, référence produit, code produit, code article, código, código de producto, código del producto, sku producto,
    referencia, referência, ref producto, código do produto, codice, codice prodotto, codice articolo, cod articolo, riferimento,
    артикул, арт, код, код товара, код артикула, артикул товара, номер товара, kod produktu, kod, symbol, numer katalogowy,
    nr katalogowy, indeks, id oferty, cod produs, cod, katalogové číslo, kód, kód produktu, kód zboží, objednací číslo, číslo produktu,
    šifra, šifra izdelka, cikkszám, termékkód, varenummer, varenr, vare nr, artikkelnummer, art nr, tuotenumero, tuotekoodi,
    ürün kodu, stok kodu, productnummer, productcode, bestelnummer, catalog number, catalogue number,
    cat no, stock number, stock no, listing id, post id, ad id, lot number, asin, 商品番号, 品番, 商品コード, 货号, 商品编号, 商品編號, 상품번호, מקט, מק ט`,
  mpn: `mpn, part number, manufacturer part number, model number, model no, item model number, style number, style no, herstellernummer,
    modellnummer`,
  brand: `brand, brand name, brands, make, manufacturer, make manufacturer, manufacturer name, marke, hersteller, marque, fabricant,
    marca, fabricante, marchio, produttore, бренд, производитель, марка, торговая марка, marka, producent, značka, výrobce, výrobca,
    znamka, blagovna znamka, proizvajalec, proizvođač, márka, gyártó, merk, fabrikant, märke, varumärke, tillverkare, mærke, merke,
    valmistaja, merkki, tuotemerkki, producător, brend, θέμα, μάρκα, κατασκευαστής, üretici, ブランド, メーカー, 品牌, 브랜드, מותג, יצרן,
    الماركة, العلامة التجارية, thương hiệu`,
  gtin: `gtin, gtin 13, ean, ean 13, ean code, ean nummer, upc, upc code, isbn, isbn 13, isbn10, isbn 10, barcode, bar code, strichcode, code barre, code barres,
    código de barras, codice a barre, codice ean, код ean, штрихкод, штрих код, kod ean, kod kreskowy, vonalkód, streckkod, stregkode,
    jan, janコード, 条码, 바코드, ברקוד`,
  availability: `availability, stock, stock status, in stock, verfügbarkeit, lieferbarkeit, lagerbestand, disponibilité, stock disponible, disponibilidad,
    disponibilità, disponibilidade, наличие, наявність, dostępność, dostupnost, dostupnosť, zaloga, dobava, elérhetőség, készlet,
    beschikbaarheid, lagerstatus, lagersaldo, tilgængelighed, saatavuus, disponibilitate, stok durumu, stok, 在庫, 库存, זמינות, مدى التوفر`,
} as const;

export type LabelledFact = keyof typeof PRODUCT_LABELS;

const LABEL_KEYS: Readonly<Record<LabelledFact, ReadonlySet<string>>> = {
  sku: buildNameKeys(PRODUCT_LABELS.sku),
  mpn: buildNameKeys(PRODUCT_LABELS.mpn),
  brand: buildNameKeys(PRODUCT_LABELS.brand),
  gtin: buildNameKeys(PRODUCT_LABELS.gtin),
  availability: buildNameKeys(PRODUCT_LABELS.availability),
};

function buildNameKeys(names: string): ReadonlySet<string> {
  return new Set(names.split(/,\s+/).map(toNameKey));
}

/** Whether a label names a fact of a product: `Артикул`, `Item number`, `Marke`. */
export function isFactLabel(label: string, fact: LabelledFact): boolean {
  return LABEL_KEYS[fact].has(toNameKey(label));
}

/** Labels of buttons that put a product into a cart, or buy it at once. */
const BUY_BUTTON_TEXT =
  /^(?:(?:\+\s?)?add(?: item)?(?: \d)? to (?:my |your |the |shopping )*(?:cart|bag|basket|trolley)|buy(?: it)?(?: now)?|order now|add to order|pre-?order(?: now)?|get tickets|buy tickets|in (?:den |die )?(?:warenkorb|einkaufswagen|einkaufskorb|tasche)(?: legen)?|(?:jetzt |sofort[- ]?)?kaufen|(?:jetzt )?bestellen|ajouter (?:au|à mon|dans le) panier|(?:j')?achet(?:er|e)(?: maintenant| immédiatement)?|commander|(?:añadir|agregar|anadir)(?: al?)? (?:carrito|carro|la cesta|cesta|la bolsa)|comprar(?: ahora| agora| ya)?|aggiungi al carrello|acquista(?: ora)?|compra(?: ora| ya)?|adicionar (?:ao carrinho|à sacola)|in (?:mijn )?(?:winkelwagen|winkelmand(?:je)?)|(?:dodaj )?do koszyka|kup(?: teraz)?|(?:добавить )?в корзину|купить(?: сейчас| в 1 клик| в один клик)?|до кошика|(?:в )?кошик|купити|sepete ekle|(?:hemen|şimdi) (?:al|satın al)|satın al|カートに入れる|買い物かごに入れる|今すぐ買う|加入购物车|加入購物車|立即购买|立即購買|장바구니(?: 담기)?|구매하기|바로구매|הוסף? לסל|הוספה לסל|קנה עכשיו|أضف إلى (?:السلة|عربة التسوق|الحقيبة)|اشتر الآن|(?:dodaj )?v košarico|(?:přidat |vložit |pridať |vložiť )?do koš[ií]ka|kúpiť|koupit|(?:dodaj )?u košaricu|naroči|adaug[aă] [iî]n co[sș]|lägg i (?:varukorgen|kundvagnen)|köp(?: nu)?|(?:læg|tilføj) (?:i|til) kurv(?:en)?|køb(?: nu)?|legg i handlekurv(?:en)?|kjøp(?: nå)?|lisää (?:ostos)?koriin|osta(?: heti)?|kosárba(?: teszem| rakom)?|προσθήκη στο καλάθι|thêm vào giỏ(?: hàng)?|mua ngay)[\s!.>»→]*$/iu;

const BUY_BUTTON_NAME =
  /add[-_]?(?:item[-_]?)?to[-_]?(?:cart|basket|bag|trolley)|(?:^|[\s_-])(?:buy[-_]?(?:now|btn|button|box)|tocart)/i;

/** Whether a button buys by what it says or is named: what it belongs to is in stock. */
export function isBuyButton(text: string, names: string): boolean {
  return (text.length <= 40 && BUY_BUTTON_TEXT.test(text)) || BUY_BUTTON_NAME.test(names);
}
