import { isPhoneLike, kindOfPhone } from '../../orders/phone.ts';
import { readMoney } from './money.ts';

/** What the text of a cell can be. One text can be several of these. */
export const textKinds = [
  'phone',
  /** A phone and hardly anything else: of Mongolia, or with a country code. */
  'certain_phone',
  'id',
  'sku',
  'count',
  'money',
  'date',
  'email',
  'name',
  'words',
] as const;
export type TextKind = (typeof textKinds)[number];

const maxLength = 200;
const emailText = /^[^\s@]{1,64}@[^\s@]{1,190}$/;
const countText = /^(?:[1-9]\d{0,2}|0)(?:[.,]0{1,2})?(?:\s?(?:ш|шт|ширхэг|pcs?|szt|stk|uds?)\.?)?$/i;
const dateText = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:\D|$)/;
const moneyText = /^[^\d-]{0,5}\d[\d.,'’ \u00a0\u202f]{0,20}[^\d]{0,5}$/;
/** `A12`, `Z-7` */
const codeText = /^\p{L}{1,4}-?\d+$/u;
const decimalText = /^\d[\d ,]*[.,]\d{1,2}$/;
const nameText = /^[\p{L}\p{M}][\p{L}\p{M}.'’-]*(?: [\p{L}\p{M}.'’-]+){0,4}$/u;

export function kindsOf(text: string): TextKind[] {
  const kinds: TextKind[] = [];
  if (/\p{L}/u.test(text)) kinds.push('words');
  if (text.length > maxLength) return kinds;
  const isDate = dateText.test(text);
  if (emailText.test(text)) return [...kinds, 'email'];
  if (isDate) return [...kinds, 'date'];
  const isCode = codeText.test(text) && readMoney(text) === undefined;
  if (!isCode && moneyText.test(text)) kinds.push('money');
  if (countText.test(text)) kinds.push('count');
  if (nameText.test(text)) kinds.push('name');
  const isAmount = decimalText.test(text);
  if (!isAmount && isPhone(text)) {
    kinds.push('phone');
    const kind = kindOfPhone(text);
    const isMarked = /^(?:\+|00)/.test(text) || /\d[ ()-]+\d/.test(text);
    if (kind === 'mongolian' || (kind === 'possible' && isMarked)) kinds.push('certain_phone');
  }
  if (!isAmount && /\d/.test(text) && text.length <= 60 && text.split(' ').length <= 3) kinds.push('id');
  if (!isAmount && isSku(text)) kinds.push('sku');
  return kinds;
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return isPhoneLike(text) && digits >= 8 && digits <= 15 && text.length <= 24;
}

function isSku(text: string): boolean {
  return text.length <= 40 && !/\s{2}|[!?]/.test(text) && text.split(' ').length <= 2;
}
