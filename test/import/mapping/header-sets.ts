/**
 * Made-up exports: `Header:values=field` for each column. With `=` the column must be settled for the field or stay
 * open; with `!` it must be settled; with `~` it has a rival and must stay open; without a field it must not be settled
 * for any.
 */
export const headerSets: readonly (readonly [language: string, columns: string])[] = [
  [
    'en',
    'Order total tax:money|Total discount:money|Total weight:money|Order item ID:id|Stock quantity:qty|Store phone:phone',
  ],
  [
    'en',
    'n:qtyodd~items[].quantity:number|who:person=customer.name|ph:phone!customer.phone|what:product=items[].name|ref:id|mnt:money~total',
  ],
  ['en', 'Order:id!externalOrderId|Phone:phone!customer.phone|Age:qtyodd|Pcs:qty!items[].quantity:number'],
  [
    'en',
    'Order:id!externalOrderId|Phone:phone!customer.phone|SKU:sku!items[].sku|Rate:qtyodd~items[].quantity:number',
  ],
  ['en', 'Order:id!externalOrderId|Store phone:phone|Courier phone:phone|Contact:phone~customer.phone'],
  [
    'en',
    'Order:id!externalOrderId|Total:money!total|Total discount:money|Total refund:money|Order qty:qty!items[].quantity:number',
  ],
  ['en', 'Order:id!externalOrderId|Total after discount:money|Total:money~total|Total discount:money'],
  ['en', 'Order number:id~externalOrderId|Customer order number:id2|Phone:phone!customer.phone'],
  [
    'en',
    'Order:id!externalOrderId|Phone:phone!customer.phone|Thing:product=items[].name|Due money:money~total',
  ],
  [
    'es',
    'Pedido:idshort!externalOrderId|Tlf:phonees!customer.phone|Uds:qtyodd!items[].quantity:number|Importe:moneyc!total',
  ],
  [
    'de',
    'Bestellnr:idshort!externalOrderId|Art.Nr:sku!items[].sku|Stk:qty!items[].quantity:number|Telefon Absender:phone|Telefon:phone!customer.phone',
  ],
  [
    'pl',
    'Nr zam.:idshort!externalOrderId|Tel. odbiorcy:phone!customer.phone|Tel. nadawcy:phone|Szt.:qty!items[].quantity:number',
  ],
  ['ru', 'Номер клиента:phone~customer.phone|№ заказа:id!externalOrderId|Кол.:qty!items[].quantity:number'],
  ['ru', 'Номер клиента:cust!customer.externalCustomerId|№ заказа:id!externalOrderId'],
  [
    'zh',
    '订单编号:idshort!externalOrderId|手机:phone!customer.phone|发件人电话:phone|实付金额:money!total|商家编码:sku!items[].sku',
  ],
  [
    'tr',
    'Sip. No:idshort!externalOrderId|Gönderen Tel:phone|Alıcı Tel:phone!customer.phone|Ad.:qty!items[].quantity:number',
  ],
  [
    'es',
    'Cod. pedido:idshort!externalOrderId|Cod. cliente:cust!customer.externalCustomerId|Cod. art.:sku!items[].sku|Cdad.:qtyodd!items[].quantity:number|Total c/IVA:money!total',
  ],
  [
    'mn',
    'Зах.код:idshort!externalOrderId|Х/авагч:person=customer.name|Утас:phone!customer.phone|Бар.код:ean|Бар.нэр:product!items[].name|Тоо:qty!items[].quantity:number',
  ],
  [
    'zh',
    '客户单号:idshort!externalOrderId|收方电话:phone!customer.phone|寄方电话:phone|件数:qty!items[].quantity:number',
  ],
  ['en', 'Order no:idfar~externalOrderId|Phone:phone!customer.phone|SKU:sku!items[].sku'],
  [
    'en',
    'Order no:id!externalOrderId|Phone number:phone!customer.phone|Item code:sku!items[].sku|Pieces:qty!items[].quantity:number|Total:money!total',
  ],
  [
    'en',
    'Order:id!externalOrderId|Mobile:phone!customer.phone|Product:product=items[].name|SKU:sku!items[].sku|Qty:qty!items[].quantity:number|Order date:date',
  ],
  [
    'en',
    'ID:id|Contact number:phone!customer.phone|Product code:sku!items[].sku|Amount:money=total|Driver phone:phone',
  ],
  [
    'en',
    'Order reference:id!externalOrderId|Shipping phone:phone~customer.phone|Billing phone:phone|Article no:sku!items[].sku',
  ],
  [
    'en',
    'Order number:id~externalOrderId|Order ID:id|Recipient mobile:phone!customer.phone|SKU:sku~items[].sku|Barcode:ean',
  ],
  [
    'en',
    'Order no:id!externalOrderId|Phone:phone!customer.phone|Ordered qty:qty!items[].quantity:number|Refunded qty:qty0|SKU:sku!items[].sku',
  ],
  [
    'en',
    'Sales order no:id!externalOrderId|Cell phone:phone!customer.phone|Subtotal:money|Total:money~total|Part number:sku!items[].sku',
  ],
  [
    'en',
    'Web order no:id!externalOrderId|Receiver phone:phone!customer.phone|Sender phone:phone|Item:product=items[].name|Grand total:money!total',
  ],
  [
    'en',
    'No:rowno|Order code:id!externalOrderId|Customer:person=customer.name|Customer ID:cust!customer.externalCustomerId|Address:street!deliveryAddress.street|City:city!deliveryAddress.city',
  ],
  [
    'en',
    'Transaction ID:id|Order ref:id~externalOrderId|Invoice number:id2|Telephone:phone!customer.phone|Product SKU:sku!items[].sku',
  ],
  [
    'en',
    'Customer ID:cust!customer.externalCustomerId|Order number:id!externalOrderId|Total quantity:qty|Discount amount:money|Email:email|Phone:phone!customer.phone',
  ],
  ['en', 'Name:person|Order:name2|Phone:city|SKU:street|Quantity:product|Total:person'],
  ['en', 'Ordr number:id|Telephne:phone|Quantitty:qty|Product cod:sku'],
  [
    'es',
    'Pedido:id!externalOrderId|Teléfono:phonees!customer.phone|Código de producto:sku!items[].sku|Cantidad:qty!items[].quantity:number|Total:moneyc!total|Estado:state',
  ],
  [
    'es',
    'Número de pedido:id!externalOrderId|Cliente:person!customer.name|Celular:phonees!customer.phone|Dirección:street!deliveryAddress.street|Ciudad:city!deliveryAddress.city|Producto:product!items[].name',
  ],
  [
    'es',
    'N° pedido:id!externalOrderId|Teléfono de facturación:phonees|Teléfono de envío:phonees~customer.phone|Referencia del producto:sku!items[].sku|Unidades:qty!items[].quantity:number',
  ],
  [
    'es',
    'Fecha:dmy|Orden:id!externalOrderId|Móvil:phonees!customer.phone|Artículo:product!items[].name|SKU:sku!items[].sku|Importe:moneyc!total|Fecha de entrega:dmy!requestedDeliveryDate',
  ],
  [
    'es',
    'ID de pedido:id!externalOrderId|ID de cliente:cust!customer.externalCustomerId|Telefono:phonees!customer.phone|Subtotal:moneyc|Total del pedido:moneyc~total|Notas:note!deliveryAddress.note',
  ],
  [
    'es',
    'Factura:id2|Pedido:id~externalOrderId|Teléfono móvil:phonees!customer.phone|Precio:moneyc|Cant:qty!items[].quantity:number',
  ],
  [
    'es',
    'Correo:email|Destinatario:person!customer.name|Nro pedido:id!externalOrderId|Whatsapp:phonees!customer.phone|Código postal:zip!deliveryAddress.postalCode|Provincia:city!deliveryAddress.province',
  ],
  [
    'pt',
    'Número do pedido:id!externalOrderId|Telefone:phonees!customer.phone|Quantidade:qty!items[].quantity:number|Código do produto:sku!items[].sku|Valor total:moneyc!total',
  ],
  [
    'pt',
    'Pedido:id!externalOrderId|Celular:phonees!customer.phone|Nome do cliente:person!customer.name|Endereço:street!deliveryAddress.street|Bairro:city!deliveryAddress.district|Cidade:city!deliveryAddress.city|CEP:zip!deliveryAddress.postalCode',
  ],
  [
    'pt',
    'ID do pedido:id!externalOrderId|Telefone do destinatário:phonees!customer.phone|Qtd:qty!items[].quantity:number|Produto:product!items[].name|Observações:note!deliveryAddress.note',
  ],
  [
    'pt',
    'Código do pedido:id!externalOrderId|Telefone 2:phonees|Telefone:phonees~customer.phone|Preço:moneyc|Total do pedido:moneyc~total',
  ],
  [
    'de',
    'Bestellnummer:id!externalOrderId|Telefon:phoneint!customer.phone|Artikelnummer:sku!items[].sku|Menge:qty!items[].quantity:number|Gesamtbetrag:moneyc!total',
  ],
  [
    'de',
    'Auftragsnr.:id!externalOrderId|Kunde:person!customer.name|Handynummer:phoneint!customer.phone|Bezeichnung:product!items[].name|Art.-Nr.:sku!items[].sku|Anzahl:qty!items[].quantity:number',
  ],
  [
    'de',
    'Rechnungsnummer:id2|Bestell-Nr.:id~externalOrderId|Mobil:phoneint!customer.phone|Straße:street!deliveryAddress.street|PLZ:zip!deliveryAddress.postalCode|Ort:city!deliveryAddress.city',
  ],
  [
    'de',
    'Bestellung:id!externalOrderId|Kundennummer:cust!customer.externalCustomerId|Telefonnummer:phoneint!customer.phone|Netto:moneyc|Summe:moneyc~total|Lieferdatum:dmy!requestedDeliveryDate',
  ],
  [
    'de',
    'Bestelldatum:dmy|Auftrag:id!externalOrderId|Telefon Rechnung:phoneint|Telefon Lieferung:phoneint~customer.phone|Stückzahl:qty!items[].quantity:number|Bemerkung:note!deliveryAddress.note',
  ],
  [
    'fr',
    'Commande:id!externalOrderId|Téléphone:phoneint!customer.phone|Référence produit:sku!items[].sku|Quantité:qty!items[].quantity:number|Montant total:moneyc!total',
  ],
  [
    'fr',
    'N° de commande:id!externalOrderId|Client:person!customer.name|Portable:phoneint!customer.phone|Adresse:street!deliveryAddress.street|Ville:city!deliveryAddress.city|Code postal:zip!deliveryAddress.postalCode',
  ],
  [
    'fr',
    'Numéro de commande:id!externalOrderId|Téléphone facturation:phoneint|Téléphone livraison:phoneint~customer.phone|Désignation:product!items[].name|Total HT:moneyc|Total TTC:moneyc~total',
  ],
  [
    'fr',
    'Réf commande:id!externalOrderId|Mobile:phoneint!customer.phone|Code article:sku!items[].sku|Qté:qty!items[].quantity:number|Remarques:note!deliveryAddress.note|Date de livraison:dmy!requestedDeliveryDate',
  ],
  [
    'it',
    'Numero ordine:id!externalOrderId|Telefono:phoneint!customer.phone|Codice prodotto:sku!items[].sku|Quantità:qty!items[].quantity:number|Totale:moneyc!total',
  ],
  [
    'it',
    'Ordine:id!externalOrderId|Cellulare:phoneint!customer.phone|Nome e cognome:person!customer.name|Indirizzo:street!deliveryAddress.street|Città:city!deliveryAddress.city|Subtotale:moneyc|Importo totale:moneyc~total',
  ],
  [
    'pl',
    'Nr zamówienia:id!externalOrderId|Telefon:phoneint!customer.phone|Kod produktu:sku!items[].sku|Ilość:qty!items[].quantity:number|Uwagi:note!deliveryAddress.note',
  ],
  [
    'pl',
    'Zamówienie:id!externalOrderId|Odbiorca:person!customer.name|Numer telefonu:phoneint!customer.phone|Nazwa produktu:product!items[].name|Cena:moneyc|Suma:moneyc~total',
  ],
  [
    'tr',
    'Sipariş no:id!externalOrderId|Telefon:phoneint!customer.phone|Stok kodu:sku!items[].sku|Adet:qty!items[].quantity:number|Toplam tutar:moneyc!total',
  ],
  [
    'tr',
    'Sipariş numarası:id!externalOrderId|Alıcı:person!customer.name|Cep telefonu:phoneint!customer.phone|Ürün adı:product!items[].name|Miktar:qty!items[].quantity:number|Birim fiyat:moneyc|Toplam:moneyc~total',
  ],
  ['tr', 'Arama:phoneint|Telefon:phoneint~customer.phone|Sipariş id:id!externalOrderId'],
  [
    'tr',
    'Fatura telefonu:phoneint|Telefon:phoneint~customer.phone|Sipariş kodu:id!externalOrderId|Ürün kodu:sku!items[].sku|Sipariş tarihi:dmy',
  ],
  [
    'mn',
    'Захиалгын дугаар:id!externalOrderId|Утас:phone!customer.phone|Барааны код:sku!items[].sku|Тоо ширхэг:qty!items[].quantity:number|Нийт дүн:money!total',
  ],
  [
    'mn',
    'Захиалга:id!externalOrderId|Хүлээн авагч:person!customer.name|Гар утас:phone!customer.phone|Бараа:product!items[].name|Тоо:qty!items[].quantity:number|Хаяг:street!deliveryAddress.street',
  ],
  [
    'mn',
    '№:rowno|Захиалгын №:id!externalOrderId|Утасны дугаар:phone!customer.phone|Барааны нэр:product!items[].name|Ширхэг:qty!items[].quantity:number|Нэгж үнэ:money|Нийт:money~total',
  ],
  [
    'mn',
    'Дугаар:id|Холбоо барих утас:phone!customer.phone|Жолоочийн утас:phone|Бүтээгдэхүүн:product!items[].name|Хүргэх өдөр:date!requestedDeliveryDate',
  ],
  [
    'mn',
    'Захиалгын код:id!externalOrderId|Захиалагчийн утас:phone|Хүлээн авагчийн утас:phone~customer.phone|Барааны дугаар:sku!items[].sku|Тайлбар:note!deliveryAddress.note',
  ],
  [
    'mn',
    'Огноо:date|Захиалга №:id!externalOrderId|Хэрэглэгчийн утас:phone!customer.phone|Тоо/ш:qty!items[].quantity:number|Дүн:money!total|Дүүрэг:city!deliveryAddress.district|Хот:city!deliveryAddress.city',
  ],
  [
    'mn',
    'Харилцагчийн код:cust!customer.externalCustomerId|Захиалгын ID:id!externalOrderId|Утас 1:phone~customer.phone|Утас 2:phone|Бараа код:sku!items[].sku',
  ],
  [
    'mn',
    'Утас / Phone:phone!customer.phone|Захиалгын дугаар / Order no:id!externalOrderId|Тоо / Qty:qty!items[].quantity:number|Код / SKU:sku=items[].sku',
  ],
  [
    'ru',
    'Номер заказа:id!externalOrderId|Телефон:phoneint!customer.phone|Артикул:sku!items[].sku|Количество:qty!items[].quantity:number|Итого:money!total',
  ],
  [
    'ru',
    'Заказ №:id!externalOrderId|Получатель:person!customer.name|Телефон получателя:phoneint!customer.phone|Телефон отправителя:phoneint|Товар:product!items[].name|Кол-во:qty!items[].quantity:number',
  ],
  [
    'ru',
    'Заказ:id!externalOrderId|ФИО:person!customer.name|Мобильный телефон:phoneint!customer.phone|Наименование товара:product!items[].name|Цена:money|Сумма заказа:money~total|Адрес доставки:street!deliveryAddress.street',
  ],
  [
    'ru',
    'ID заказа:id!externalOrderId|Контактный телефон:phoneint!customer.phone|Код товара:sku!items[].sku|Шт:qty!items[].quantity:number|Дата доставки:dmy!requestedDeliveryDate|Комментарий:note!deliveryAddress.note',
  ],
  [
    'ru',
    'Номер:id|Номер счета:id2|Тел.:phoneint!customer.phone|Номенклатура:product!items[].name|Город:city!deliveryAddress.city',
  ],
  [
    'kk',
    'Тапсырыс номері:id!externalOrderId|Телефон:phoneint!customer.phone|Тауар коды:sku!items[].sku|Саны:qty!items[].quantity:number|Жалпы сома:money!total',
  ],
  [
    'kk',
    'Тапсырыс:id!externalOrderId|Алушы:person!customer.name|Ұялы телефон:phoneint!customer.phone|Тауар атауы:product!items[].name|Мекенжай:street!deliveryAddress.street|Бағасы:money|Барлығы:money~total',
  ],
  [
    'kk',
    'Тапсырыс №:id!externalOrderId|Телефон нөмірі:phoneint!customer.phone|Артикул:sku!items[].sku|Қала:city!deliveryAddress.city|Жеткізу күні:dmy!requestedDeliveryDate',
  ],
  [
    'he',
    'מספר הזמנה:id!externalOrderId|טלפון:phoneint!customer.phone|מק"ט:sku!items[].sku|כמות:qty!items[].quantity:number|סה"כ:money!total',
  ],
  [
    'he',
    'הזמנה:id!externalOrderId|שם לקוח:person!customer.name|טלפון נייד:phoneint!customer.phone|שם מוצר:product!items[].name|כתובת:street!deliveryAddress.street|עיר:city!deliveryAddress.city',
  ],
  [
    'he',
    'מס הזמנה:id!externalOrderId|נייד:phoneint!customer.phone|קוד מוצר:sku!items[].sku|מחיר:money|סכום כולל:money~total|הערות:note!deliveryAddress.note',
  ],
  [
    'ro',
    'Număr comandă:id!externalOrderId|Telefon:phoneint!customer.phone|Cod produs:sku!items[].sku|Cantitate:qty!items[].quantity:number|Total comandă:moneyc!total',
  ],
  [
    'zh',
    '订单号:id!externalOrderId|手机号:phoneint!customer.phone|商品编码:sku!items[].sku|数量:qty!items[].quantity:number|总金额:money!total|收货地址:street=deliveryAddress.street',
  ],
  [
    'ko',
    '주문번호:id!externalOrderId|휴대폰:phoneint!customer.phone|상품명:product!items[].name|수량:qty!items[].quantity:number|합계:money!total',
  ],
  [
    'ja',
    '注文番号:id!externalOrderId|電話番号:phoneint!customer.phone|商品コード:sku!items[].sku|数量:qty!items[].quantity:number|小計:money|合計:money~total',
  ],
];

const persons = ['Б. Болор', 'Anna Vidal', 'Jan Nowak', 'Мария Ким', 'G. Tuya', 'Emre Kaya'];
const streets = [
  'Calle Sol 12',
  '3-р хороо, 14-р байр',
  'Ulica Długa 4',
  'Rue Verte 8',
  'Am Markt 1',
  'ул. Мира 7',
];
const cities = ['Ulaanbaatar', 'Darkhan', 'Erdenet', 'Ulaanbaatar', 'Choibalsan', 'Darkhan'];
const products = ['Green tea', 'Blue mug', 'Wool socks', 'Green tea', 'Honey 500 g', 'Felt slippers'];
const notes = ['call before', 'leave at door', 'second floor', 'after six', 'gift wrap', 'ring twice'];
const moneyOf = (row: number) => [45000, 12500, 99900, 18000, 230000, 7400][row] ?? 0;

/** The text of a row, from 0, for each kind of values. */
export const valuesOf: Record<string, (row: number) => string> = {
  id: (row) => `W-${2040 + row}`,
  idfar: (row) => `W-${2040 + (row % 3)}`,
  idshort: (row) => `B${7 + row}`,
  qtyodd: (row) => String([2, 1, 4, 1, 3, 2][row]),
  id2: (row) => `F/2026/${310 + row}`,
  name2: (row) => persons[row] ?? '',
  phone: (row) => `99${(112233 + row * 40517) % 1000000}`.padEnd(8, '4'),
  phonees: (row) => `6${71234501 + row * 130457}`,
  phoneint: (row) => `+49 151 ${2345601 + row * 10457}`,
  sku: (row) => `TEA-${String(100 + (row % 4))}`,
  ean: (row) => `40063813339${10 + (row % 4)}`,
  qty: (row) => String(1 + (row % 3)),
  qty0: (row) => String(row % 2),
  money: (row) => String(moneyOf(row)),
  moneyc: (row) => `${(moneyOf(row) / 1000).toFixed(3).replace('.', '.')},50`,
  date: (row) => `2026-11-${10 + row}`,
  dmy: (row) => `${10 + row}.11.2026`,
  person: (row) => persons[row] ?? '',
  street: (row) => streets[row] ?? '',
  city: (row) => cities[row] ?? '',
  zip: (row) => String(14200 + row * 3),
  email: (row) => `user${row}@example.com`,
  product: (row) => products[row] ?? '',
  note: (row) => notes[row] ?? '',
  state: (row) => ['Nuevo', 'Nuevo', 'Cancelado'][row % 3] ?? '',
  cust: (row) => `C-${70 + (row % 4)}`,
  rowno: (row) => String(row + 1),
};
