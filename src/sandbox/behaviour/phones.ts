import { phoneToE164 } from '../../orders/phone.ts';
import type { Behaviour } from './schema.ts';

/** A phone → the form in which phones are compared. */
export const normalisePhone: Record<Behaviour['customers']['phone'], (phone: string) => string> = {
  libphonenumber: (phone) => phoneToE164(phone) ?? phone.trim(),
  digits: (phone) => phone.replace(/\D/g, '') || phone.trim(),
  as_typed: (phone) => phone,
};
