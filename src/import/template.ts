/** A CSV that imports as it is: two orders, one of two lines. `day` is `YYYY-MM-DD`. */
export function formatTemplate(day: string): string {
  return [
    'externalOrderId,customer.phone,customer.name,items[].sku,items[].name,items[].quantity:number,collectionMode,collectionAmount,total,requestedDeliveryDate,deliveryAddress.city,deliveryAddress.street',
    `EXAMPLE-1,99112233,Б.Өлзийбаяр,TEA-001,Сүүтэй цай,2,COLLECT,26700,26700,${day},Улаанбаатар,"Сөүлийн гудамж 12, 4 тоот"`,
    'EXAMPLE-1,,,TEA-002,Ногоон цай,1,,,,,,',
    `EXAMPLE-2,+976 8811 4455,Г.Үүрцайх,TEA-001,Сүүтэй цай,1,NONE,,8900,${day},Улаанбаатар,Энхтайваны өргөн чөлөө 3`,
  ].join('\n');
}
