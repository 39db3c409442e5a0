import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { presets } from '../../../src/import/mapping/shops/presets.ts';
import { helpOfBothLanguages } from '../../screens/help.ts';
import { sentencesOfBothLanguages } from '../../screens/messages.ts';

const url = new URL('../../../src/output/language/mn.json', import.meta.url);
const catalogue: Record<string, string> = JSON.parse(readFileSync(url, 'utf8'));
const entries = Object.entries(catalogue);
const ofShops = Object.values(presets).flatMap(({ title, explains }) => [title, explains ?? title]);
const said = new Map([
  ...(await helpOfBothLanguages()),
  ...sentencesOfBothLanguages(),
  ...ofShops.map((text) => [text, 1] as const),
]);

const placesOf = (text: string) => [...text.matchAll(/\{\d+\}/g)].map(([place]) => place).sort();
const commandLine = /^ {2}.*$/gm;

/** Latin that stays: names, keys, what the interface calls its fields and values, and what is typed. */
const latin = new Set(
  [
    'TAB map.json VALUE MERCHANT_ORDERS_CONFIG_DIR values fulfilled skip items .name lines .map.json to_deliver wide',
    'leave_out_lines Header total amount_due amount_paid UTF-8 Data From Text repeated_rows FILE sum true on_delivery open paid MB',
    'leave_out pick prefix first last quote send RAR ZIP gzip 7z PDF XML DOCTYPE xls xlsx xlsb ods rtf mht OpenDocument Numbers',
    'Amazon BigCommerce Etsy Magento Nuvemshop Odoo OpenCart PrestaShop Shopify Squarespace Tiendanube Wix eBay',
    'WooCommerce woocommerce woocommerce-webtoffee SkyVerge WebToffee Analytics Advanced Order Export Parameters Database',
    'deliveryAddress.city optional address false n :number json Save As Workbook comma delimited File Info Protect',
    'API SKU CSV JSON ID URL UTF UTF-32 Excel Node.js https Ctrl-C Ctrl-C-г Enter NONE COLLECT AMOUNT x none',
    'customer.phone customer.externalCustomerId collectionMode MERCHANT_ORDERS_API_KEY merchant-orders',
    'get list cancel TEA-001 ID-тай ID-г ID-гаар',
    'text ulimit n import orders write TLS HTTPS_PROXY NODE_EXTRA_CA_CERTS unlimited NODE_OPTIONS UUID-гаар',
    'MERCHANT_ORDERS_BASE_URL http USER PASSWORD HOST PORT csv SECONDS proxy.example VPN ID-гийн today yesterday',
    '7d 24h 2026-11-20T08 00Z Content-Length HTTP WebAssembly',
    'order_id order_number orderNumber external_order_id externalOrderId id sku quantity name Black tea path',
    'ORD-2026-000009 ub UB-1 utf-8 windows-1251 tab help COMMAND exit-codes environment key.txt UUID tomorrow',
    '.xlsx items .sku collectionAmount total requestedDeliveryDate number boolean k Header value auto',
    'MERCHANT_ORDERS_CONFIG_DIR HOME .bashrc .zshrc PROFILE PowerShell packing courier',
    'login mn en NAME FIELD PATH RUN fee net phone amount create show orders.status.csv _difference _cash_difference csv ndjson sandbox start',
    'profiles fields table bash zsh fish YYYY-MM-DD order LibreOffice',
    'TEXT UUID http host path localhost key.txt MERCHANT_ORDERS_BASE_URL orders write today tomorrow import sku all ulimit',
  ].flatMap((line) => line.split(' ')),
);
const wordWithLatin = /[\p{L}\d_.-]*[A-Za-z][\p{L}\d_.-]*/gu;

describe('the Mongolian sentences', () => {
  it('are one for each sentence of both languages, in the order of the alphabet', () => {
    const sorted = Object.fromEntries([...said.keys()].sort().map((key) => [key, catalogue[key] ?? '']));
    const text = `${JSON.stringify(sorted, null, 2)}\n`;
    if (process.env.UPDATE_LANGUAGE === '1') writeFileSync(url, text);
    const how =
      'UPDATE_LANGUAGE=1 npx vitest run --config test/vitest.config.ts test/output/language sorts it, adds what is missing and removes what nobody says';
    expect(readFileSync(url, 'utf8'), how).toBe(text);
    expect(entries.filter(([, mongolian]) => mongolian === '').map(([english]) => english)).toEqual([]);
  });

  it('have the places of the English ones, each once', () => {
    expect(
      entries.filter(([english, mongolian]) => `${placesOf(english)}` !== `${placesOf(mongolian)}`),
    ).toEqual([]);
  });

  it('have no ending on a place, which depends on how its value is read aloud', () => {
    expect(entries.filter(([, mongolian]) => /\}(?!-р )-?\p{L}/u.test(mongolian))).toEqual([]);
  });

  it('have no Latin words but names, codes and what is typed', () => {
    const foreign = entries.flatMap(([, mongolian]) =>
      [...mongolian.replaceAll(commandLine, '').matchAll(wordWithLatin)]
        .map(([word]) => word.replace(/[.-]+$/, '').replace(/^-+/, ''))
        .filter((word) => !latin.has(word) && !/^--/.test(word)),
    );
    expect([...new Set(foreign)].filter((word) => !isFlag(word))).toEqual([]);
  });

  it('have no letters of two scripts in a word', () => {
    const mixed = entries.filter(([, mongolian]) =>
      /[A-Za-z]\p{Script=Cyrillic}|\p{Script=Cyrillic}[A-Za-z]/u.test(mongolian),
    );
    expect(mixed).toEqual([]);
  });

  it('end as the English ones do, or with the question', () => {
    const endOf = (text: string) => /[.?:…]?$/u.exec(text)?.[0];
    const others = entries.filter(([english, mongolian]) => endOf(english) !== endOf(mongolian));
    const isQuestion = (text: string) => text.includes('?');
    expect(others.filter(([english, mongolian]) => !isQuestion(english) || !mongolian.endsWith('?'))).toEqual(
      [],
    );
  });

  it('have at most one sentence for places alone, which says nothing about what stands in them', () => {
    const wordless = [...said].filter(([english]) => !/\p{L}/u.test(english.replaceAll(/\{\d+\}/g, '')));
    expect(wordless.filter(([, count]) => count > 1)).toEqual([]);
  });
});

function isFlag(word: string): boolean {
  return entries.some(([english]) => english.includes(`--${word}`));
}
