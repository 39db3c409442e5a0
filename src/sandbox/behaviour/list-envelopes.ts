import { frameworkEnvelopes } from './framework-envelopes.ts';
import { namesOf } from './names-of.ts';
import type { ToListAnswer } from './order-page.ts';
import { simpleEnvelopes } from './simple-envelopes.ts';

/** The envelopes that lists have in the wild, by name. */
const all = { ...simpleEnvelopes, ...frameworkEnvelopes };

export const listEnvelopes: Record<keyof typeof all, ToListAnswer> = all;

export const listEnvelopeNames = namesOf(listEnvelopes);
