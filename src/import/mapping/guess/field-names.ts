/** A field whose column is searched for; a key of `columns` in a mapping file. */
export type GuessedField =
  | 'externalOrderId'
  | 'customer.phone'
  | 'customer.externalCustomerId'
  | 'customer.name'
  | 'items[].sku'
  | 'items[].name'
  | 'items[].quantity:number'
  | 'total'
  | 'collectionAmount'
  | 'requestedDeliveryDate'
  | 'deliveryAddress.street'
  | 'deliveryAddress.city'
  | 'deliveryAddress.district'
  | 'deliveryAddress.province'
  | 'deliveryAddress.postalCode'
  | 'deliveryAddress.country'
  | 'deliveryAddress.note';

interface FieldNames {
  /** Names that can mean nothing else. */
  names: string;
  /** Names that other columns have as well. */
  weak?: string;
  /** Words beside a name that change nothing. */
  besides?: string;
  /** Names of columns that look like the field and hold something near it. */
  rivals?: string;
  /** Words beside a name that turn it into another column. */
  others?: string;
  /** Words with which the column is never the field, whatever its values look like. */
  never?: string;
}

const persons = `customer|client|recipient|receiver|consignee|buyer|contact|shipping|ship|to|delivery|
  cliente|destinatario|comprador|receptor|contacto|envio|entrega|para el envio|destinataire|livraison|acheteur|kunde|kunden|empfanger|empfangers|lieferung|
  хүлээн авагчийн|хүлээн авагч|авагчийн|харилцагчийн|захиалагчийн|захиалагч|хэрэглэгчийн|худалдан авагчийн|хүргэлтийн|получателя|получатель|клиента|покупателя|заказчика|доставки|
  musteri|alici|teslimat|alıcı|odbiorcy|klienta|dostawy|destinatario|spedizione|алушының|тапсырыс берушінің|клиенттің|destinatar|livrare|
  הלקוח|לקוח|הנמען|נמען|收货人|收件人|联系|고객|수령인|受取人|お届け先`;

const payers =
  'billing|bill|payer|facturacion|facturação|faturamento|facturation|rechnung|rechnungs|fatura|fatturazione|facturare|төлбөр төлөгчийн|плательщика|платежный';

const strangers = `sender|shipper|seller|store|shop|merchant|driver|courier|
  remitente|vendedor|tienda|conductor|remetente|loja|entregador|motorista|expediteur|vendeur|absender|verkaufer|fahrer|mittente|corriere|nadawcy|nadawca|kuriera|gönderen|gönderici|satıcı|mağaza|sürücü|kurye|
  илгээгчийн|илгээгч|жолоочийн|жолооч|дэлгүүрийн|отправителя|отправитель|продавца|магазина|водителя|курьера|жіберушінің|жүргізушінің|השולח|שולח|השליח|发件人|寄件人|寄方|司机|보내는분|발송인|기사|送り主|発送者`;

const otherPersons = `${payers}|${strangers}|emergency|second|secondary|alternative|alternate|alt|other|additional|office|work|fax|2|3|
  alternativo|adicional|trabajo|нэмэлт|дополнительный|второй`;

/** Headers in many languages. Case, accents and punctuation do not matter; "|" separates names. */
export const fieldNames: Record<GuessedField, FieldNames> = {
  externalOrderId: {
    names: `order id|order no|order nr|order number|order num|order code|order ref|order reference|ordernumber|orderid|orderno|order|web order|web order no|external id|external order id|
      sales order|sales order no|sales order number|so number|
      pedido|pedido no|pedido numero|numero de pedido|numero del pedido|n pedido|no pedido|num pedido|nro pedido|nro de pedido|id pedido|id de pedido|id del pedido|codigo de pedido|codigo del pedido|referencia del pedido|referencia de pedido|pedido id|numero de orden|numero de la orden|id de la orden|orden|orden de compra|no orden|nro orden|codigo do pedido|numero do pedido|id do pedido|encomenda|numero da encomenda|n encomenda|
      bestellung|bestellnummer|bestell nr|bestellnr|bestellnr|bestell id|bestellungsnummer|auftrag|auftragsnummer|auftragsnr|auftrags nr|auftrag nr|
      commande|numero de commande|numero de la commande|n commande|no commande|n de commande|no de commande|num commande|id commande|reference commande|reference de commande|ref commande|
      numero ordine|n ordine|id ordine|ordine|codice ordine|numer zamowienia|nr zamowienia|id zamowienia|zamowienie|
      siparis|siparis no|siparis numarasi|siparis id|siparis kodu|comanda|numar comanda|nr comanda|id comanda|
      захиалгын дугаар|захиалгын no|захиалгын id|захиалга|захиалга no|захиалгын код|захиалга дугаар|дугаар захиалга|захиалгын дд|
      заказ|номер заказа|no заказа|заказ no|id заказа|код заказа|n заказа|номер замовлення|замовлення|тапсырыс|тапсырыс номері|тапсырыс no|тапсырыс нөмірі|
      הזמנה|מספר הזמנה|מס הזמנה|קוד הזמנה|订单号|订单编号|訂單編號|注文番号|受注番号|주문번호|주문 번호|ma don hang|so don hang|mã đơn hàng|nomor pesanan|no pesanan|n cde|no cde|ref cde|ref pedido|cod pedido|зах код|зах n|客户单号|pedido ref|sip no|nr zam|nr zamow|номер зак|n зак|зах no|зах дугаар|رقم الطلب|αριθμός παραγγελίας|ordernummer|bestelnummer|ordrenummer|tilausnumero`,
    weak: `id|no|n|nr|number|numero|nummer|num|ref|reference|referencia|referenz|reference number|code|codigo|дугаар|код|номер|ref no|document|document no|sifra|kod|external ref|your reference`,
    besides: `shop|store|web|online|our|my|merchant|customer|cliente|client|kunden|tienda|дэлгүүрийн|манай|интернет|магазина`,
    others:
      'invoice|tracking|payment|transaction|parent|original|previous|line|item|product|supplier|related|factura|rechnung|old|хуучин|предыдущий|total|date|status|count|2|internal|platform',
    never:
      'qty|quantity|amount|amt|price|phone|mobile|address|weight|cantidad|importe|telefono|menge|betrag|сумма|количество|телефон|дүн|үнэ|утас',
    rivals: `invoice no|invoice number|transaction id|receipt number|purchase order|po number|factura|numero de factura|rechnungsnummer|numero de facture|нэхэмжлэхийн дугаар|номер счета|баримтын дугаар`,
  },
  'customer.phone': {
    names: `phone|phone no|phone nr|phone number|phone num|telephone|telephone number|tel|tel no|tel number|mobile|mobile no|mobile number|mobile phone|cell|cell phone|cellphone|cell number|contact number|contact no|contact phone|whatsapp|whatsapp number|ph|msisdn|
      telefono|numero de telefono|no de telefono|telefono movil|movil|celular|telefono celular|numero celular|numero de celular|tlf|tfno|telf|fono|telefone|numero de telefone|telemovel|celular whatsapp|
      telefon|telefonnummer|telefon nr|telefonnr|tel nr|handy|handynummer|mobil|mobilnummer|mobiltelefon|rufnummer|
      numero de telephone|n de telephone|portable|telephone portable|numero de portable|gsm|cellulare|numero di telefono|numer telefonu|nr telefonu|komorka|
      telefon numarasi|telefonu|telefon no|cep telefonu|cep tel|cep no|cep|numar de telefon|numar telefon|
      утас|утасны дугаар|утас дугаар|гар утас|гар утасны дугаар|утасны дд|холбоо барих утас|холбогдох утас|холбогдох дугаар|холбоо барих дугаар|утасны no|утас no|утас1|
      телефон|номер телефона|тел|мобильный|мобильный телефон|контактный телефон|сотовый|сотовый телефон|моб телефон|телефон номері|ұялы телефон|телефон нөмірі|телефону|номер телефону|
      טלפון|מספר טלפון|נייד|טלפון נייד|연락처 1|zap|zapzap|mob|х авагчийн утас|收方电话|mob no|mob nr|cust mobile|cust phone|móvil 1|телефон контрагента|телефон заказчика|סלולרי|电话|手机|手机号|手机号码|联系电话|電話|電話番号|携帯電話|전화번호|휴대폰|연락처|휴대전화|so dien thoai|điện thoại|số điện thoại|nomor telepon|no telepon|no hp|telepon|رقم الهاتف|الهاتف|الجوال|τηλέφωνο|κινητό|telefoon|telefoonnummer|puhelin`,
    weak: 'contact|contacto|контакт|связь|холбоо барих|number',
    besides: `${persons}|number|no|primary|main|principal|mobile|1|дугаар|numero|номер`,
    others: otherPersons,
    never: strangers,
  },
  'customer.externalCustomerId': {
    names: `customer id|customer no|customer nr|customer number|customer code|client id|client no|client code|client number|buyer id|account number|account no|customer ref|customer account|
      id cliente|cod cliente|id de cliente|id del cliente|codigo de cliente|codigo cliente|codigo del cliente|numero de cliente|no de cliente|id do cliente|codigo do cliente|
      kundennummer|kunden nr|kundennr|kunden id|kunde nr|numero client|id client|code client|numero de client|reference client|codice cliente|numer klienta|id klienta|musteri no|musteri kodu|musteri numarasi|musteri id|cod client|
      харилцагчийн дугаар|харилцагчийн код|харилцагчийн id|хэрэглэгчийн id|хэрэглэгчийн код|хэрэглэгчийн дугаар|код клиента|id клиента|номер клиента|клиент коды|клиент нөмірі|מספר לקוח|קוד לקוח|客户编号|客户id|고객번호|顧客番号|会員番号`,
  },
  'customer.name': {
    names: `customer|customer name|recipient|recipient name|receiver|receiver name|consignee|consignee name|full name|client name|client|ship to name|shipping name|delivery name|buyer name|buyer|addressee|contact name|
      nombre y apellido|nombre y apellidos|nombre completo|cliente|nombre del cliente|nombre cliente|destinatario|nombre del destinatario|nombre del comprador|comprador|nome do cliente|nome completo|nome do comprador|nome do destinatario|
      kunde|kundenname|empfanger|name des empfangers|name des kunden|vor und nachname|vollstandiger name|nom du client|nom complet|destinataire|nom du destinataire|nom et prenom|nom prenom|nome cliente|nome e cognome|
      klient|odbiorca|imie i nazwisko|nazwa klienta|musteri|musteri adi|alici|alici adi|ad soyad|adi soyadi|isim soyisim|nume client|nume si prenume|nume complet|
      хүлээн авагч|хүлээн авагчийн нэр|харилцагч|харилцагчийн нэр|захиалагч|захиалагчийн нэр|хэрэглэгчийн нэр|хэрэглэгч|овог нэр|нэр овог|үйлчлүүлэгч|
      получатель|фио|фио получателя|имя получателя|имя клиента|клиент|покупатель|фио клиента|имя и фамилия|алушы|клиенттің аты|аты жөні|שם לקוח|שם הלקוח|שם מלא|שם נמען|收货人|收件人|收货人姓名|客户姓名|姓名|お名前|氏名|お届け先名|수령인|받는분|고객명|주문자|수취인|받는 분|수취인명|cust name|х авагч|х авагчийн нэр|收方姓名|контрагент`,
    weak: 'who|кому|кто|хэнд|name|nombre|nome|nom|нэр|имя|аты|isim|imie|nume|שם|first name|last name|apellido|apellidos|nombres|vorname|nachname|prenom|cognome|nazwisko|soyad|ad|овог|фамилия',
    others: `${otherPersons}|product|item|company|user|login`,
  },
  'items[].sku': {
    names: `sku|sku code|sku no|item sku|product sku|lineitem sku|line item sku|seller sku|merchant sku|product code|item code|article code|article no|article number|item number|item no|part number|part no|stock code|product id|item id|article|model no|variant sku|
      codigo de producto|codigo del producto|codigo producto|codigo de articulo|codigo articulo|cod producto|cod articulo|referencia del producto|referencia producto|referencia articulo|clave del producto|codigo do produto|cod produto|referencia do produto|id producto|
      artikelnummer|artikel nr|artikelnr|art nr|artnr|artikelcode|produktnummer|produktcode|bestellnummer artikel|code article|reference article|reference produit|ref article|code produit|ref produit|codice prodotto|codice articolo|kod produktu|symbol|indeks|numer produktu|stok kodu|urun kodu|cod produs|cod articol|
      барааны код|барааны дугаар|бүтээгдэхүүний код|бараа код|бүтээгдэхүүн код|барааны sku|барааны id|загварын дугаар|артикул|артикул товара|商家编码|art no|cod art|ref art|ref producto|seller code|код товара|код продукта|код изделия|sku товара|тауар коды|артикул тауар|мақала коды|
      מק ט|מקט|קוד מוצר|קוד פריט|商品编码|商品编号|货号|商品コード|品番|商品番号|상품코드|품번|상품번호|ma san pham|mã sản phẩm|mã sp|kode produk|kode barang|رمز المنتج|κωδικός προϊόντος|artikelnummer|varenummer`,
    weak: 'code|codigo|referencia|reference|ref|код|kod|model|modelo|variant|variante|item|articulo|artikel|product|producto|produit|produkt|бараа|товар',
    rivals:
      'barcode|ean|upc|gtin|codigo de barras|strichcode|code barres|баркод|зураасан код|штрихкод|бар код|barkod|asin|isbn',
    others: 'bundle|parent|old|supplier|vendor|name|2|group',
  },
  'items[].name': {
    names: `product|product name|item name|item|item description|product title|item title|line item|lineitem name|goods|article name|product description|products|items|description of goods|
      producto|nombre del producto|nombre producto|articulo|nombre del articulo|descripcion del producto|descripcion producto|productos|articulos|produto|nome do produto|descricao do produto|produtos|
      produkt|produktname|artikel|artikelname|artikelbezeichnung|produktbezeichnung|bezeichnung|ware|produit|nom du produit|article|designation|nom de l article|libelle|libelle article|prodotto|nome prodotto|articolo|nazwa produktu|nazwa towaru|towar|urun|urun adi|produs|nume produs|denumire produs|
      бараа|барааны нэр|бүтээгдэхүүн|бүтээгдэхүүний нэр|бараа бүтээгдэхүүн|бараа материал|товар|наименование|наименование товара|название товара|товары|продукт|название|номенклатура|тауар|тауар атауы|өнім|
      מוצר|שם מוצר|שם המוצר|פריט|תיאור מוצר|商品|商品名称|商品名|品名|상품명|상품|품목|san pham|tên sản phẩm|sản phẩm|nama produk|nama barang|produk|اسم المنتج|المنتج|προϊόν|productnaam|prod|thing|бар нэр|барааны нэрс|托寄物|номенклатура`,
    weak: 'what|что|юу|description|descripcion|descricao|beschreibung|описание|тайлбар|title|titulo|variant|variante|variation|opis|aciklama',
    others: 'id|category|type|weight|price|count',
  },
  'items[].quantity:number': {
    names: '',
    never: 'stock|available|age|size|year|existencias|lager|нөөц|үлдэгдэл|остаток|возраст|нас',
    others:
      'refunded|returned|shipped|fulfilled|cancelled|devuelta|буцаасан|stock|available|min|max|delivered|sent|remaining|backordered|zuruck',
    rivals: `refunded qty|qty refunded|quantity refunded|refunded quantity|quantity returned|returned quantity|returned qty|quantity shipped|qty shipped|shipped qty|quantity fulfilled|quantity cancelled|cantidad devuelta|cantidad reembolsada|cantidad enviada|quantidade devolvida|menge retourniert|retourmenge|stornierte menge|quantite remboursee|quantite livree|
      буцаасан тоо|буцаасан тоо ширхэг|илгээсэн тоо|возвращено шт|количество возврата|iade adedi|total quantity|total items|items sold|нийт тоо|ilosc zwrocona|quantita resa|כמות שהוחזרה`,
  },
  total: {
    names: `total|order total|total amount|grand total|total price|amount|order amount|order value|total value|total to pay|total sum|sum|invoice total|
      total del pedido|total pedido|importe total|importe|monto total|monto|total de la orden|valor total|total general|valor do pedido|total do pedido|precio total|
      gesamt|gesamtbetrag|gesamtsumme|summe|bestellwert|bestellsumme|rechnungsbetrag|gesamtpreis|endbetrag|betrag|auftragswert|total ttc|montant|montant total|total commande|montant de la commande|totale|totale ordine|importo|importo totale|kwota|wartosc zamowienia|suma|razem|do zaplaty razem|
      toplam|toplam tutar|siparis tutari|genel toplam|tutar|total comanda|valoare comanda|valoare totala|
      нийт|нийт дүн|дүн|нийт үнэ|захиалгын дүн|нийт төлбөр|нийт мөнгөн дүн|үнийн дүн|мөнгөн дүн|нийт үнийн дүн|
      сумма|сумма заказа|итого|всего|общая сумма|итоговая сумма|стоимость заказа|жалпы сома|барлығы|сома|жалпы сомасы|
      סהכ|סה כ|סכום|סכום כולל|总价|总金额|合计|订单金额|합계|총금액|결제금액|주문금액|合計|合計金額|注文合計|tong tien|tổng tiền|tổng cộng|jumlah total|الإجمالي|المجموع|σύνολο|totaal|实付金额|实付款|应付金额|总额|סה כ לתשלום|order amt|total amt|grand amt|payable amount|amount payable|net payable|сомасы|vlr total|total encomenda|total c iva|total con iva|total iva incluido|total da encomenda|общая стоимость|сумма с ндс`,
    besides: 'mnt|төг|төгрөг|final|ttc',
    rivals: `subtotal|sub total|line total|item total|net total|net amount|total net|total excl|price|unit price|product total|items total|line amount|merchandise total|net|gross|row total|total line|
      total linea|importe linea|total articulo|base imponible|subtotal del pedido|total neto|neto|precio|precio unitario|preco|preco unitario|total do item|subtotal do pedido|
      zwischensumme|nettobetrag|netto|brutto|zeilensumme|positionssumme|positionspreis|einzelpreis|preis|gesamt netto|stuckpreis|warenwert|sous total|total ht|total ligne|prix|prix unitaire|montant ht|subtotale|prezzo|imponibile|totale riga|wartosc|wartosc pozycji|cena|
      ara toplam|fiyat|birim fiyat|satir toplami|pret|pret unitar|мөрийн дүн|барааны үнэ|үнэ|нэгж үнэ|барааны дүн|дэд дүн|промежуточный итог|сумма по строке|стоимость|цена|цена за шт|сумма без доставки|сумма товаров|бағасы|баға|
      מחיר|מחיר יחידה|סכום ביניים|סה כ שורה|小计|单价|价格|소계|단가|가격|小計|単価|価格|don gia|thành tiền|đơn giá|harga|harga satuan|line amt|line amount|p u|pu|pvp|vlr unit|valor unitario|p unit|unit cost`,
    weak: 'amt|value|payable|mnt|төг|төгрөг|₮|wert|valeur|valor|руб|тг|pay',
    never:
      'discount|discounts|refund|refunds|refunded|weight|quantity|qty|descuento|descuentos|desconto|rabatt|gewicht|menge|remise|remises|sconto|rabat|indirim|скидка|скидки|хөнгөлөлт|хөнгөлөлтийн|折扣|할인',
    others:
      'discount|shipping|tax|refund|refunded|weight|quantity|qty|items|item|line|delivery|paid|vat|excl|iva|без|descuento|envio|rabatt|versand|remise|net|neto|netto|ht|before|without',
  },
  collectionAmount: { names: '', others: 'date|status|currency|by|method' },
  requestedDeliveryDate: {
    names:
      'dlvry dt|dlvry date|del date|req del date|deliv date|fecha entrega|f entrega|data entrega|lieferdatum gewunscht|gewunschtes lieferdatum|fecha de entrega solicitada|date de livraison souhaitee|желаемая дата|хүргүүлэх хугацаа|teslim edilecek tarih|planned delivery|planned delivery date|delivery on',
    others: 'actual|created|order|status|invoice',
  },
  'deliveryAddress.street': { names: '', others: `${payers}|email|ip|store|shop|sender|warehouse|2` },
  'deliveryAddress.city': { names: '', others: payers },
  'deliveryAddress.district': { names: '', others: payers },
  'deliveryAddress.province': { names: '', others: payers },
  'deliveryAddress.postalCode': { names: '', others: payers },
  'deliveryAddress.country': { names: '', others: payers },
  'deliveryAddress.note': { names: '' },
};

/** Headers that certainly hold something else, whatever their values look like. */
export const otherNames = `email|e mail|mail|correo|correo electronico|имэйл|и мэйл|почта|электронная почта|eposta|e posta|эл шуудан|אימייל|מייל|
  tracking|tracking number|tracking no|numero de seguimiento|codigo de rastreo|sendungsnummer|numero de suivi|трек номер|kargo takip no|takip no|waybill|awb|хяналтын дугаар|מספר מעקב|
  created|created at|created on|order date|date created|purchase date|date|order time|fecha|fecha del pedido|fecha de creacion|fecha de pedido|data|data do pedido|bestelldatum|datum|auftragsdatum|date de commande|date de la commande|data ordine|data zamowienia|siparis tarihi|tarih|огноо|захиалгын огноо|захиалсан огноо|өдөр|дата|дата заказа|дата создания|күні|תאריך|תאריך הזמנה|下单时间|주문일|주문일자|注文日|updated at|
  discount|discount code|discount amount|coupon|coupon code|descuento|cupon|desconto|rabatt|gutschein|remise|sconto|rabat|indirim|хөнгөлөлт|скидка|купон|
  tax|taxes|vat|iva|impuestos|mwst|steuer|tva|kdv|ндс|нөат|ном|
  shipping cost|shipping fee|shipping price|delivery fee|delivery cost|costo de envio|gastos de envio|valor do frete|frete|versandkosten|frais de port|frais de livraison|kargo ucreti|хүргэлтийн төлбөр|хүргэлтийн үнэ|стоимость доставки|
  weight|peso|gewicht|poids|жин|вес|category|categoria|kategorie|ангилал|категория|brand|marca|marke|tags|etiquetas|ip|ip address|url|link|source|channel|canal|vendor|proveedor|
  facebook|instagram|fb|link facebook|user|username|operator|оператор|менеджер|агент|agent|sales rep|vendedor|driver|courier|жолооч|курьер|width|height|length|color|colour|size|talla|farbe|grosse|хэмжээ|өнгө|размер|цвет|birthday|register|регистр|регистрийн дугаар|рд|vat id|nif|dni|cuit|cpf|rfc|tax id|passport|latitude|longitude|time|hora|uhrzeit|heure`;
