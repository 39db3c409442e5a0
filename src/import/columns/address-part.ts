const addressParts: [part: string, words: RegExp][] = [
  [
    'city',
    /city|town|хот|ciudad|localidad|cidade|ville|stadt|^ort$|città|comune|miasto|şehir|город|қала|oraș|עיר/i,
  ],
  ['postalCode', /zip|post ?code|postal|индекс|шуудан|cep|plz|postleitzahl|^cap$|posta kodu/i],
  ['country', /country|улс|страна|país|pays|land$|paese|kraj|ülke/i],
  ['district', /district|дүүрэг|сум|район|bairro|barrio|mahalle|ilçe|suburb|khoroo|хороо/i],
  ['province', /province|state|region|аймаг|область|provincia|estado|județ/i],
];

/** The part of an address that a header names; the street when it names none. */
export function addressPart(header: string): string {
  return addressParts.find(([, words]) => words.test(header))?.[0] ?? 'street';
}
