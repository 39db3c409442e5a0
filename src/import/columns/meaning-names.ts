/** What the name of a header can mean. */
export type NamedMeaning = Exclude<Meaning, 'line'>;

/** What a column can change about an order although no field is filled from it (docs/import.md). */
export type Meaning =
  | 'quantity'
  | 'payment_method'
  | 'payment_status'
  | 'amount_due'
  | 'amount_paid'
  | 'currency'
  | 'state'
  | 'shipping_method'
  | 'address'
  | 'date'
  | 'name'
  | 'note'
  | 'line';

/** Headers in English, Mongolian, Russian and the languages of the shops. Case, spaces and punctuation do not matter. */
export const meaningNames: Record<NamedMeaning, string> = {
  quantity: `хэмжээ ширхэг|quantity|qty|item quantity|items quantity|product quantity|lineitem quantity|line item quantity|order quantity|quantity ordered|qty ordered|ordered qty|
    quantity purchased|quantity to ship|pieces|pcs|units|count|number of items|item count|no of items|amount of items|
    тоо|тоо ширхэг|тоо хэмжээ|ширхэг|барааны тоо|барааны тоо ширхэг|нийт тоо|нийт тоо ширхэг|тоо ш|захиалсан тоо|
    количество|кол во|кол-во|колво|шт|количество товара|количество товаров|саны|
    cantidad|cantidad del producto|cantidad comprada|unidades|quantidade|quantidade comprada|qtd|qtde|quantité|qté|menge|anzahl|stückzahl|quantità|qta|ilość|adet|miktar|cantitate|
    ποσότητα|الكمية|मात्रा|jumlah|số lượng|จำนวน|数量|수량|כמות|aantal|antal|
    how many|number of pieces|no of pieces|number of pcs|no of pcs|no of units|quantity pcs|cant|uds|ud|cdad|unid|unids|und|unds|pz|pzs|pza|pcs no|nos|quant|quant ty|order qty|ordered pcs|ad|adt|кол|кол шт|к во|т ш|тоо шт|хэд|хэдэн ширхэг|ш|ширхэгийн тоо|тоо шир|шт|pzas|piezas|pièces|stk|szt|sztuk|件数|個数`,
  payment_method: `cod|payment method|payment|payment type|paymentmethod|payment gateway|gateway|payment method title|pay method|payment option|payment mode|method of payment|paid by|paid with|payment provider|pay type|
    payment terms|cod prepaid|prepaid cod|
    төлбөрийн хэлбэр|төлбөрийн арга|төлбөр|төлбөрийн төрөл|төлбөрийн нөхцөл|төлбөр төлөх хэлбэр|төлөх хэлбэр|төлөлтийн хэлбэр|төлбөрийн хэрэгсэл|
    способ оплаты|оплата|тип оплаты|метод оплаты|форма оплаты|вид оплаты|төлем|төлем түрі|
    medio de pago|método de pago|forma de pago|pago|meio de pagamento|forma de pagamento|método de pagamento|pagamento|
    moyen de paiement|mode de paiement|paiement|zahlungsart|zahlungsmethode|zahlung|metodo di pagamento|metodo pagamento|
    metoda płatności|sposób płatności|płatność|ödeme yöntemi|ödeme şekli|ödeme|metoda de plată|modalitate de plată|
    τρόπος πληρωμής|طريقة الدفع|भुगतान का तरीका|metode pembayaran|phương thức thanh toán|วิธีชำระเงิน|付款方式|支付方式|支払方法|お支払い方法|결제방법|결제수단|אמצעי תשלום|תשלום|betaalmethode|
    pay|tender|tender type|zahlart|bezahlart|ödeme tipi|règlement|mode de règlement|forma de pgto|pgto|forma pagamento|forma pago|płatności|тооцоо|тооцооны хэлбэр|тооцоо хийсэн эсэх|оплаты|pod|is cod|payment cod prepaid|cod or prepaid|cash card|bank cash|카드 현금|pymt|f pago|төл хэлбэр|pymnt|pmt|опл|pay method title|cobrado`,
  payment_status: `payment status|financial status|paid|is paid|paid status|payment state|paymentstatus|status of payment|paid at|date paid|paid date|payment date|paid on date|payments date|paid on|
    төлбөрийн төлөв|төлбөрийн статус|төлөгдсөн эсэх|төлөгдсөн|төлсөн эсэх|төлбөр төлсөн эсэх|төлсөн|төлсөн огноо|төлбөр төлсөн огноо|төлбөрийн байдал|
    статус оплаты|оплачен|оплачено|состояние оплаты|дата оплаты|төлем мәртебесі|
    estado del pago|estado de pago|pagado|status do pagamento|situação do pagamento|pago em|statut du paiement|état du paiement|payé|
    zahlungsstatus|bezahlt|bezahlt am|stato pagamento|stato del pagamento|pagato|status płatności|zapłacono|ödeme durumu|status plată|stare plată|
    κατάσταση πληρωμής|حالة الدفع|भुगतान स्थिति|status pembayaran|trạng thái thanh toán|สถานะการชำระเงิน|付款状态|支付状态|支払状況|결제상태|סטטוס תשלום|
    has paid|prepaid|pre paid|төлсөн үү|төлбөр төлсөн|төлбөр орсон эсэх|төлбөр орсон|мөнгө орсон|мөнгө орсон эсэх|шилжүүлсэн|шилжүүлсэн эсэх|оплачено да нет`,
  amount_due: `хүргэлтээр авах|хүргэлтээр авах дүн|хүргэлтээр авах мөнгө|хүргэлтээс авах|авах төлбөр|amount due|outstanding balance|balance due|due|due amount|balance|to pay|amount to pay|remaining|unpaid amount|outstanding|cod collectible amount|amount to collect|collect amount|collectable amount|cod amount|cash on delivery amount|
    үлдэгдэл|үлдэгдэл төлбөр|төлөх дүн|төлөх мөнгө|дутуу төлбөр|хураах дүн|авах дүн|авах мөнгө|төлөх үлдэгдэл|
    к оплате|сумма к оплате|остаток|остаток к оплате|задолженность|saldo|saldo pendiente|importe pendiente|a pagar|total a pagar|valor a pagar|saldo devedor|reste à payer|montant dû|
    offener betrag|zu zahlen|restbetrag|importo dovuto|da pagare|do zapłaty|kalan tutar|ödenecek tutar|rest de plată|
    to collect|collect|cash to collect|amount collect|cod value|cod sum|collectable|collectible amount|авах төлбөр|хүргэлтээс авах|хүргэлтээс авах дүн|жолооч авах дүн|жолооч авах мөнгө|үлдсэн|үлдсэн дүн|үлдсэн төлбөр|төлөх ёстой|наложенный платеж|сумма наложенного платежа|pobranie|kwota pobrania|nachnahmebetrag|importe reembolso|tahsilat|tahsilat tutari|tahsil edilecek|contrassegno|cobrar|a cobrar|nachnahme betrag|代收金额|代收款`,
  amount_paid: `deposit|already paid|deposit paid|deposit amount|paid amount|amount paid|advance|advance paid|advance payment|prepayment|prepaid amount|gift card amount|store credit|partial payment|
    урьдчилгаа|урьдчилгаа төлбөр|урьдчилж төлсөн|урьдчилж төлсөн дүн|төлсөн дүн|төлсөн мөнгө|бэлэн урьдчилгаа|аванс|предоплата|внесено|оплаченная сумма|алдын ала төлем|
    anticipo|seña|señal|abono|importe pagado|sinal|entrada|valor pago|acompte|arrhes|montant payé|anzahlung|acconto|caparra|zaliczka|zadatek|kapora|ön ödeme|avans|定金|订金|예약금|계약금`,
  currency: `currency|currency code|order currency|order currency code|valuta|вальют|валют|мөнгөн тэмдэгт|валюта|moneda|moeda|devise|währung|para birimi|monedă|νόμισμα|العملة|मुद्रा|mata uang|tiền tệ|สกุลเงิน|货币|币种|通貨|통화|מטבע`,
  state: `refunded|is refunded|refund|refunds|refund amount|refunded amount|amount refunded|total refunded|refund date|refunded at|refund status|quantity refunded|refunded quantity|refunded qty|qty refunded|
    returned|is returned|return|returns|return status|quantity returned|returned quantity|returned qty|qty returned|fulfilled|is fulfilled|voided|is voided|expired|draft|is draft|test|is test|test order|completed|is completed|completed at|
    буцаалт|буцаасан|буцаасан эсэх|буцаагдсан|буцаагдсан эсэх|буцаалтын дүн|буцаалтын төлөв|буцаасан тоо|буцаасан дүн|дууссан|дууссан эсэх|возврат|возвращено|возвращен|сумма возврата|количество возврата|черновик|
    reembolso|reembolsado|devuelto|devolución|devolucion|estorno|devolvido|remboursé|remboursement|retour|erstattet|erstattung|retoure|rimborso|reso|zwrot|iade|
    status|state|order status|order state|fulfillment status|fulfilment status|delivery status|shipping status|shipment status|cancelled at|canceled at|cancelled|canceled|is cancelled|cancel reason|cancellation date|cancelled on|
    fulfilled at|date fulfilled|fulfilled on|shipped on date|shipped at|shipped on|shipped|date shipped|delivered at|date delivered|delivered on|delivered|
    completed at|date completed|completed date|completed on|date cancelled|date canceled|cancelled date|canceled date|refunded at|date refunded|order stage|stage|
    төлөв|төлөв байдал|захиалгын төлөв|захиалгын статус|статус|хүргэлтийн төлөв|хүргэлтийн статус|хүргэлтийн байдал|захиалгын байдал|цуцалсан|цуцалсан эсэх|цуцлагдсан|цуцалсан огноо|хүргэгдсэн|хүргэсэн|хүргэсэн эсэх|байдал|
    статус заказа|состояние|состояние заказа|статус доставки|отменен|отменено|күйі|тапсырыс күйі|
    estado|estado de la orden|estado del pedido|estado del envío|estado de envío|cancelado|status do pedido|status do envio|situação|situação do pedido|
    statut|statut de la commande|état|état de la commande|bestellstatus|lieferstatus|versandstatus|storniert|stato|stato ordine|stato dell ordine|
    status zamówienia|stan zamówienia|durum|sipariş durumu|kargo durumu|stare|stare comandă|status comandă|
    κατάσταση|κατάσταση παραγγελίας|الحالة|حالة الطلب|स्थिति|ऑर्डर स्थिति|status pesanan|trạng thái|trạng thái đơn hàng|สถานะ|สถานะคำสั่งซื้อ|
    状态|订单状态|状態|注文状況|ステータス|상태|주문상태|סטטוס|סטטוס הזמנה|bestelstatus|
    order situation|current status|order status name|shipping state of order|delivered on|delivery state|received by customer|явц|гүйцэтгэл|хүргэгдсэн эсэх|илгээсэн|илгээсэн эсэх|авсан эсэх|үлдсэн ажил|доставлено|доставлен|отгружен|отправлен|situacao|etat|enviado|entregado|entregue|livré|expédié|versendet|geliefert|teslim edildi|배송상태|발송상태|物流状态|发货状态`,
  shipping_method: `ирж авах|өөрөө ирж авах|өөрөө очиж авах|өөрөө авах|очиж авах|ирж авах эсэх|өөрөө авах эсэх|самовывоз|store pickup|local pickup|is pickup|in store pickup|retiro|retirada|abholung|selbstabholung|ritiro|shipping method|shipping method title|delivery method|delivery type|ship method|shipping|shipping service|delivery option|shipping option|fulfillment type|click and collect|ship service level|delivery|shipping type|
    pickup|pickup or delivery|delivery or pickup|fulfilment type|order type|
    хүргэлтийн хэлбэр|хүргэлтийн төрөл|хүргэлтийн арга|хүргэлт|авах хэлбэр|хүлээн авах хэлбэр|хүргэлтийн нөхцөл|
    способ доставки|доставка|тип доставки|метод доставки|вид доставки|жеткізу|жеткізу түрі|
    medio de envío|método de envío|forma de envío|envío|tipo de envío|forma de entrega|método de entrega|tipo de entrega|entrega|envio|
    mode de livraison|méthode de livraison|livraison|versandart|versandmethode|lieferart|lieferung|metodo di spedizione|spedizione|
    metoda dostawy|sposób dostawy|dostawa|teslimat yöntemi|teslimat şekli|kargo yöntemi|metoda de livrare|livrare|
    τρόπος αποστολής|طريقة الشحن|शिपिंग विधि|metode pengiriman|phương thức vận chuyển|วิธีจัดส่ง|配送方式|配送方法|배송방법|שיטת משלוח|משלוח|verzendmethode|
    ship option|ship via|ship by method|mode de retrait|mode d expédition|retrait|versand|wysyłka|sposób wysyłki|teslimat|teslimat tipi|kargo|хүргэх хэлбэр|авах арга|авах газар|хаанаас авах|авах байдал|хүргүүлэх хэлбэр|получение|способ получения|retirada|retiro|recogida|abholung|самовывоз|receiving method|取货方式|수령방법`,
  address: `address|address 1|address 2|address1|address2|address line 1|address line 2|delivery address|shipping address|ship address|shipping address 1|shipping address 2|shipping address1|shipping address2|customer address|full address|
    shipping street|delivery street|street|street address|street name|shipping city|delivery city|city|town|district|shipping district|province|shipping province|shipping state|region|khoroo|
    zip|zip code|postal code|postcode|shipping zip|shipping postcode|shipping country|country|ship city|ship address 1|ship to address 1|ship to city|recipient address|apartment|building|house number|
    хаяг|хүргэлтийн хаяг|хүргэх хаяг|хүлээн авагчийн хаяг|дэлгэрэнгүй хаяг|гэрийн хаяг|хот|аймаг|дүүрэг|хороо|сум|баг|гудамж|байр|хаалга|хаалганы дугаар|тоот|хот аймаг|аймаг хот|сум дүүрэг|дүүрэг сум|
    адрес|адрес доставки|полный адрес|адрес получателя|город|улица|дом|квартира|район|область|индекс|почтовый индекс|мекенжай|қала|көше|
    dirección|dirección de envío|direccion|direccion de envio|domicilio|calle|ciudad|localidad|provincia|código postal|codigo postal|provincia o estado|
    endereço|endereço de entrega|rua|bairro|cidade|estado de entrega|cep|logradouro|
    adresse|adresse de livraison|rue|ville|code postal|lieferadresse|straße|strasse|strasse und hausnummer|hausnummer|ort|stadt|plz|postleitzahl|
    indirizzo|indirizzo di spedizione|via|città|cap|comune|adres|adres dostawy|ulica|miasto|kod pocztowy|teslimat adresi|mahalle|ilçe|il|şehir|posta kodu|
    adresă|adresă de livrare|stradă|oraș|localitate|județ|cod poștal|διεύθυνση|πόλη|العنوان|المدينة|पता|शहर|alamat|kota|địa chỉ|thành phố|ที่อยู่|地址|收货地址|住所|配送先住所|주소|배송지|כתובת|עיר|רחוב|adres levering|straat|plaats|
    zone|area|neighborhood|neighbourhood|suburb|block|floor|ship to|deliver to|хаяг байршил|байршил|хүргэх газар|хаягийн дэлгэрэнгүй|орон сууц|куда|lieferanschrift|anschrift|versandadresse|hausanschrift|domicilio de entrega|dirección de entrega|dirección completa|endereço completo|配送先|地域`,
  date: `delivery date|requested delivery date|requested date|deliver on|ship by|deliver by|delivery day|expected delivery|expected delivery date|scheduled date|delivery time|fulfill by|preferred delivery date|
    хүргэх өдөр|хүргэх огноо|хүргэлтийн өдөр|хүргэлтийн огноо|хүргүүлэх өдөр|хүргүүлэх огноо|хүргэлт хийх өдөр|хүргэлт хийх огноо|хүргэх цаг|
    дата доставки|день доставки|желаемая дата доставки|жеткізу күні|fecha de entrega|fecha de envío|día de entrega|data de entrega|data da entrega|date de livraison|lieferdatum|liefertermin|wunschtermin|
    data di consegna|data consegna|data dostawy|teslimat tarihi|teslim tarihi|data livrării|data livrare|ημερομηνία παράδοσης|تاريخ التسليم|डिलीवरी की तारीख|tanggal pengiriman|ngày giao hàng|วันที่จัดส่ง|配送日期|送货日期|配達日|배송일|תאריך משלוח|leverdatum`,
  name: `customer|customer name|name|full name|recipient|recipient name|shipping name|ship to name|billing name|first name|last name|buyer name|contact name|
    нэр|харилцагчийн нэр|захиалагчийн нэр|хүлээн авагчийн нэр|хүлээн авагч|захиалагч|харилцагч|овог нэр|овог|
    имя|фио|получатель|клиент|покупатель|имя клиента|аты жөні|nombre|nombre del comprador|cliente|destinatario|nome|nome do comprador|nome do cliente|
    nom|client|destinataire|nom du client|kunde|empfänger|kundenname|nome cliente|klient|odbiorca|imię i nazwisko|müşteri|alıcı|ad soyad|client nume|nume|
    όνομα|الاسم|नाम|nama|tên|ชื่อ|姓名|收货人|氏名|お名前|이름|받는분|שם|שם לקוח|naam|
    receiver|receiver name|consignee|consignee name|addressee|customer full name|facebook нэр|фб нэр|аты|тегі|수취인|收件人|联系人|kupujący|alıcı adı`,
  note: `note|notes|customer note|order note|order notes|comment|comments|delivery note|delivery notes|delivery instructions|instructions|remark|remarks|message|customer message|note from customer|
    тэмдэглэл|тайлбар|нэмэлт тайлбар|хүргэлтийн тайлбар|санамж|нэмэлт мэдээлэл|анхааруулга|примечание|комментарий|комментарии|заметка|пожелания|ескерту|
    notas|nota|notas del comprador|notas de envío|observaciones|comentarios|observações|observação|notas do cliente|remarque|remarques|commentaire|notiz|notizen|bemerkung|anmerkung|kommentar|
    note cliente|osservazioni|uwagi|komentarz|not|açıklama|sipariş notu|observații|mențiuni|σχόλια|ملاحظات|टिप्पणी|catatan|ghi chú|หมายเหตุ|备注|留言|備考|메모|배송메모|הערות|opmerking|
    special instruction|special instructions|additional info|additional information|нэмэлт|сануулга|нэмэлт тэмдэглэл|хүсэлт|особые отметки|observación|comentario|observacao|bem|특이사항|요청사항`,
};
