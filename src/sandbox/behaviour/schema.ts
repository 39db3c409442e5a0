import { z } from 'zod';
import { faults } from '../faults/schema.ts';
import { answers } from './answers.ts';
import { customers } from './customers.ts';
import { deliveries } from './deliveries.ts';
import { keys } from './keys.ts';
import { orders } from './orders.ts';
import { paging } from './paging.ts';
import { refusals } from './refusals.ts';

/** Every point that the interface document leaves open, each with the sandbox's own choice as its default. */
export const behaviourSchema = z.strictObject({
  name: z.string().min(1).optional().describe('What the sandbox calls it; the name of its file when absent'),
  description: z.string().optional().describe('What it resembles, for people'),
  customers,
  orders,
  deliveries,
  answers,
  paging,
  keys,
  refusals,
  faults,
});

/** All settings, each with its value. */
export type Behaviour = z.output<typeof behaviourSchema>;
/** The settings that differ from the default, as they stand in a file. */
export type BehaviourSettings = z.input<typeof behaviourSchema>;
