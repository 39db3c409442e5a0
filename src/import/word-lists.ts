/** Phrases of English, Mongolian, Russian and the languages of the shops, separated by "|". */
export const onDelivery = phrases(`
  cash on delivery|cod|pod|c o d|pay on delivery|payment on delivery|paid on delivery|cash on receipt|pay at the door|
  card on delivery|collect on delivery|cash to courier|pay courier|cash at door|cash at the door|card at door|card at the door|cash on delivary|
  хүргэхэд төлөх|хүргэхэд төлнө|хүргэлтийн үед төлнө|хүргэлтээс авах|жолоочид төлөх|жолоочид төлнө|жолоочид өгөх|жолоочид бэлнээр|карт уншуулна|карт уншуулах|
  хүргэлтээр төлөх|хүргэлтийн үед төлөх|хүргэлтийн үед бэлнээр төлөх|хүргэлтийн үед|хүлээн авахдаа төлөх|
  хүлээж авахдаа төлөх|авахдаа төлөх|авахдаа төлнө|хүргэлтээр бэлнээр|хүргэлтэд бэлнээр|хүргэлтэнд бэлнээр|
  хүргэлтээр төлнө|хүргэлтэнд төлөх|хүргэлтэд төлөх|хүргэлтээр|
  оплата при доставке|оплата при получении|оплата наличными при доставке|оплата наличными при получении|
  наличными при доставке|наличными при получении|при получении|наложенный платеж|наложенным платежом|
  оплата курьеру|наличными курьеру|курьеру|алған кезде төлеу|жеткізгенде төлеу|
  kapıda ödeme|kapıda nakit ödeme|kapıda kartla ödeme|kapida odeme|kapıda nakit|kapıda kredi kartı|
  contra reembolso|contrareembolso|contra entrega|contraentrega|pago contra entrega|pago al recibir|
  pagamento na entrega|dinheiro na entrega|cartão na entrega|pix na entrega|pagar na entrega|efectivo al recibir|efectivo contra entrega|à cobrança|a cobranca|contra reembolso|
  paiement à la livraison|espèces à la livraison|carte à la livraison|bar bei lieferung|bar bei übergabe|barzahlung bei übergabe|contre remboursement|nachnahme|barzahlung bei lieferung|zahlung bei lieferung|
  contrassegno|pagamento alla consegna|płatność przy odbiorze|za pobraniem|pobraniem|pobranie|
  plata la livrare|ramburs|αντικαταβολή|الدفع عند الاستلام|الدفع عند التسليم|कैश ऑन डिलीवरी|
  pembayaran di tempat|bayar di tempat|thanh toán khi nhận hàng|เก็บเงินปลายทาง|
  货到付款|貨到付款|代收货款|배송시 현금 지불|代金引換|代引き|代引`);

/** They name a wallet, or who pays the freight, or a payment before the delivery, not cash at the door. */
export const falseFriends = phrases(`
  gcash|jazzcash|jazz cash|cash app|cash app pay|cashapp|cashfree|paycash|cashback|easypaisa|
  cash before delivery|cash in advance|payment in advance|oxxo|rapipago|pagofacil|pago fácil|boleto|konbini`);
export const freight = phrases('着払い|到付|착불|freight collect|freight on delivery|shipping collect');

/** Cash, but where it changes hands is not said. */
export const cashSomewhere = phrases(`
  cash|in cash|бэлэн|бэлэн мөнгө|бэлнээр|бэлэн төлбөр|наличные|наличными|наличка|efectivo|dinheiro|espèces|especes|bar|barzahlung|
  contanti|gotówka|nakit|numerar|tunai|tiền mặt|现金|現金|현금|후불`);

/** Methods that do not say whether the order is paid. */
export const otherMethods = phrases(`
  card|credit card|debit card|credit|visa|mastercard|amex|american express|stripe|paypal|paypal express checkout|shopify payments|klarna|afterpay|apple pay|google pay|
  bank|bank transfer|bank deposit|direct bank transfer|wire transfer|wire|transfer|cheque|check|check payments|bacs|invoice|manual|custom|
  gift card|store credit|mercado pago|mercadopago|pix|mercado pago transparente|mercado pago checkout pro|pago nube|nuvem pago|shop pay|ideal|sofort|giropay|bancontact|sepa|square|amazon pay|razorpay|payu|
  qpay|q pay|kaspi|kaspi pay|каспи|bizum|blik|przelewy24|cb|carte bleue|chèque|alipay|wechat pay|支付宝|微信支付|微信|银行卡|신용카드|무통장입금|카카오페이|네이버페이|картамен|online|онлайн|mobile banking|мобайл банк|интернет банк|хаан банк|голомт|social pay|socialpay|monpay|hipay|storepay|pocket|lendmn|most money|карт|картаар|банкны карт|дансаар|данс|банк|шилжүүлэг|банкны шилжүүлэг|
  дансны шилжүүлэг|дансаар шилжүүлэх|зээл|лизинг|дебет|карта|картой|банковская карта|перевод|банковский перевод|безналичный|сбп|
  tarjeta|tarjeta de crédito|tarjeta de débito|transferencia|transferencia bancaria|depósito|cartão|cartão de crédito|cartão de débito|transferência|transferência bancária|
  carte bancaire|carte|virement|virement bancaire|kreditkarte|überweisung|vorkasse|rechnung|lastschrift|carta di credito|bonifico|bonifico bancario|
  karta|przelew|kredi kartı|havale|eft|transfer bancar`);

/** Whole cells of payment states. */
export const paymentStates = {
  paid: cells(`
    paid|fully paid|payment received|received|captured|payment captured|settled|payment completed|paid in full|approved|success|succeeded|payed|payed online|paid online|payment done|
    төлөгдсөн|төлсөн|төлбөр төлөгдсөн|төлбөр төлсөн|төлбөр хийгдсэн|төлөгдсөн байна|бүрэн төлсөн|урьдчилж төлсөн|төлбөр орсон|мөнгө орсон|тооцоо хийсэн|тооцоотой|шилжүүлсэн|prepaid|pre paid|
    оплачен|оплачено|оплачена|предоплата|полностью оплачен|төленді|төленген|pagado|pagada|recibido|confirmado|pago|paga|recebido|pagamento confirmado|
    payé|payée|bezahlt|pagato|pagata|zapłacone|opłacone|ödendi|platit|plătit|已付款|支払済|支払い済み|결제완료`),
  partlyPaid: cells(`
    partially paid|partly paid|part paid|partial|partial payment|deposit paid|хагас төлсөн|дутуу төлсөн|хэсэгчлэн төлсөн|урьдчилгаа төлсөн|
    частично оплачен|частично оплачено|parcialmente pagado|parcialmente pago|teilweise bezahlt|partiellement payé|parzialmente pagato`),
  open: cells(`
    unpaid|not paid|pending|pending payment|awaiting payment|payment pending|open|due|outstanding|authorized|authorised|payment authorized|not payed|unpayed|to be paid|processing|
    төлөгдөөгүй|төлөөгүй|төлбөр төлөгдөөгүй|төлбөр хүлээгдэж байна|хүлээгдэж буй|хүлээгдэж байна|хүлээгдэж байгаа|төлбөр төлөөгүй|төлбөр ороогүй|мөнгө ороогүй|тооцоогүй|тооцоо хийгээгүй|шилжүүлээгүй|
    не оплачен|не оплачено|неоплачен|ожидает оплаты|в ожидании|төленбеген|
    pendiente|pendiente de pago|sin pagar|no pagado|pendente|aguardando pagamento|não pago|em aberto|
    en attente|impayé|non payé|offen|unbezahlt|ausstehend|in attesa|non pagato|nieopłacone|oczekuje|ödenmedi|beklemede|neplatit|neplătit`),
} as const;

export const yes = cells(
  'yes|true|y|1|тийм|тиймээ|да|иә|sí|sim|oui|ja|evet|tak|есть|ок|ok|done|是|はい|예|네',
);
export const no = cells('no|false|n|0|үгүй|нет|жоқ|não|non|nein|hayır|nie|否|いいえ|아니오|아니요');

/** By the reason why an order is left out. */
export const orderStates = {
  cancelled: cells(`
    cancelled|canceled|cancel|cancelled by customer|cancelled by merchant|annulled|declined|failed|failure|payment failed|rejected|trash|deleted|wc cancelled|wc failed|wc trash|
    цуцлагдсан|цуцалсан|цуцлагдав|цуцалагдсан|буцаасан захиалга|хүчингүй|татгалзсан|болиулсан|
    отменен|отменён|отменено|отмена|аннулирован|отклонен|бас тартылды|
    cancelado|cancelada|anulado|anulada|rechazado|rechazada|recusado|recusada|annulé|annulée|storniert|abgebrochen|annullato|annullata|
    anulowane|anulowano|iptal|iptal edildi|anulat|anulată|ακυρώθηκε|ملغي|已取消|交易关闭|已关闭|取消|キャンセル|キャンセル済み|취소|취소완료|주문취소|cancelado pelo cliente|cancelado por el cliente|отменен покупателем|отменен клиентом|отказ|canceld|цуцлав|цуцалсан захиалга|хэрэглэгч цуцалсан|авахгүй болсон|больсон`),
  voided: cells('voided|void'),
  expired: cells('expired|abandoned|хугацаа дууссан|истек|expirado|expirada|abgelaufen|expiré'),
  refunded: cells(`
    refunded|refund|fully refunded|wc refunded|буцаан олгосон|буцаалт хийсэн|мөнгө буцаасан|возвращен|возврат|возврат средств|
    reembolsado|reembolsada|remboursé|remboursée|erstattet|rimborsato|zwrócone|iade edildi|rambursat|已退款|退款成功|返金済み|환불|환불완료|мөнгө буцаасан|буцаан олголт|буцаан олгосон захиалга`),
  returned: cells(
    'returned|return|буцаагдсан|буцаасан|возвращено|devuelto|devuelta|devolvido|retourné|retourniert|reso|iade|return requested|return received|refused on delivery|буцаж ирсэн|буцаалт|已退货|退货|반품|반품완료',
  ),
  test: cells('test|тест|туршилт'),
  draft: cells(
    'draft|checkout draft|wc checkout draft|quotation|quote|incomplete|ноорог|черновик|borrador|rascunho|brouillon|entwurf|bozza',
  ),
  fulfilled: cells(`
    fulfilled|shipped|sent|delivered|dispatched|in transit|out for delivery|хүргэгдсэн|хүргэсэн|хүргэж өгсөн|илгээсэн|илгээгдсэн|явуулсан|хүргэлтэнд гарсан|хүргэлтэнд гарсан|
    доставлен|доставлено|отправлен|отправлено|жеткізілді|enviado|enviada|entregado|entregada|entregue|
    expédié|expédiée|livré|livrée|versandt|versendet|geliefert|zugestellt|spedito|spedita|consegnato|consegnata|
    wysłane|wysłano|dostarczone|kargolandı|teslim edildi|expediat|livrat|已发货|已签收|发货中|運送中|発送済み|배송완료|배송중|deliverd|kargoya verildi|kargoda|teslim edilmiş|доставляется|в пути|хүргэлтэнд|хүргэлтэд|хүргэлтэд гарсан|хүргэлтэнд яваа|жолоочид өгсөн|хүргэгдсэн захиалга|хүлээлгэж өгсөн|хүлээлгэн өгсөн|авсан|жолоочид хүлээлгэсэн`),
  completed: cells(`
    completed|complete|done|closed|finished|archived|wc completed|дууссан|биелсэн|гүйцэтгэсэн|хаагдсан|дуусгасан|выполнен|выполнено|завершен|завершён|завершено|закрыт|
    completado|completada|finalizado|finalizada|concluído|concluido|terminé|terminée|abgeschlossen|erledigt|completato|zrealizowane|zakończone|tamamlandı|finalizat|已完成|交易成功|完了|완료|구매확정`),
  pickup: cells(
    'collected in store|collected by customer|ready to collect|ready for collection|ready for pickup|awaiting pickup|picked up|авахад бэлэн',
  ),
};

export const stillToDeliver = cells(`
  new|open|unfulfilled|not fulfilled|unshipped|not shipped|pending|processing|in progress|in process|confirmed|accepted|approved|created|placed|ready|ready to ship|ready to send|to ship|
  awaiting fulfillment|awaiting fulfilment|awaiting shipment|awaiting processing|packed|packing|preparing|scheduled|paid|active|submitted|received|wc processing|wc pending|
  шинэ|шинэ захиалга|хүлээгдэж буй|хүлээгдэж байна|хүлээгдэж байгаа|баталгаажсан|баталсан|бэлтгэж байна|бэлтгэгдэж байна|бэлэн|бэлэн болсон|идэвхтэй|хүргэх|хүргэгдээгүй|захиалсан|
  савласан|савлаж байна|боловсруулж байна|боловсруулагдаж байна|төлөгдсөн|
  новый|новая|в обработке|в работе|подтвержден|подтверждён|принят|собран|ожидает отправки|ожидает|готов к отправке|комплектуется|жаңа|
  abierta|abierto|aberto|aberta|nuevo|nueva|novo|nova|procesando|processando|confirmado|por enviar|listo para enviar|no está empaquetado|en preparación|pronto para enviar|
  nouveau|nouvelle|en cours|en préparation|neu|in bearbeitung|bestätigt|offen|nuovo|in lavorazione|nowe|w realizacji|do wysłania|yeni|sipariş alındı|em separação|em preparação|pendiente de envío|por preparar|待发货|待处理|已付款待发货|배송준비중|상품준비중|신규주문|出荷待ち|未発送|хүргүүлэх|хүргэлт хүлээж буй|хүргэлт хүлээж байна|proccessing|hazırlanıyor|nou|în procesare`);

export const pickups = phrases(`
  pickup|pick up|picked up by customer|local pickup|store pickup|in store|instore|store collection|self collection|self collect|store collect|customer collection|
  click & collect|click and collect|click collect|curbside|collect in store|
  өөрөө очиж авах|өөрөө ирж авах|өөрөө авах|өөрийн биеэр авах|өөрийн биеэр очиж авах|өөрийн биеэр ирж авах|очиж авах|ирж авах|очиж авна|ирж авна|өөрөө авна|
  өөрөө очиж авна|өөрөө ирж авна|салбараас авах|салбараас авна|агуулахаас авах|дэлгүүрээс авах|дэлгүүрээс авна|оффисоос авах|оффисоос авна|
  самовывоз|пвз|пункт выдачи|пункта выдачи|до пункта выдачи|өзі алып кету|дүкеннен алып кету|
  mağazadan teslim|gel al|retiro en tienda|retiro en local|retiro|recogida|recogida en tienda|punto de retiro|punto retiro|sucursal|
  retirar na loja|retirada|retirada na loja|ponto de retirada|retrait en magasin|retrait|point relais|relais colis|click et collect|
  abholung|selbstabholung|abholen|packstation|paketshop|ritiro|ritiro in negozio|ritiro in sede|punto di ritiro|
  odbiór osobisty|paczkomat|paczkomaty|ridicare personală|παραλαβή από κατάστημα|استلام من المتجر|استلام من الفرع|स्टोर पिकअप|
  ambil di toko|nhận tại cửa hàng|รับที่ร้าน|自提|到店自取|매장 픽업|방문수령|店頭受取`);

export const totals = cells(`
  бүгд|нийтдээ|бүгд нийт|өдрийн нийт|өдрийн дүн|сарын нийт|нийт тоо|нийт орлого|
  total|totals|grand total|subtotal|sub total|sum|нийт|нийт дүн|дүн|нийлбэр|итого|всего|барлығы|жиыны|toplam|total general|suma|total geral|soma|
  total général|somme|summe|gesamt|totale|razem|σύνολο|الإجمالي|المجموع|कुल|योग|jumlah|tổng cộng|รวม|ยอดรวม|合计|总计|합계|合計`);

/** Text for comparison: without case, accents and punctuation, with one space between words. */
export function normaliseWords(text: string): string {
  if (isPlain(text)) return normalisePlain(text);
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .replace(/ı/g, 'i')
    .replace(/ł/g, 'l')
    .replace(/[^\p{L}\p{M}\p{N}&]+/gu, ' ')
    .trim();
}

/** Whether a text has no other letters than those of most cells. */
export function isPlain(text: string): boolean {
  return /^[ -~А-ЯЁа-яёӨөҮү]*$/.test(text);
}

/** Without the slow rules for every script: NFKD changes only й and ё of these letters. */
function normalisePlain(text: string): string {
  return text
    .toLowerCase()
    .replace(/й/g, 'и')
    .replace(/ё/g, 'е')
    .replace(/[^a-z0-9а-яөү&]+/g, ' ')
    .trim();
}

function phrases(text: string): string[] {
  return text.split('|').map(normaliseWords);
}

function cells(text: string): ReadonlySet<string> {
  return new Set(phrases(text));
}
