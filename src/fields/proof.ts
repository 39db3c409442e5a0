import { advice, command, type Text, t } from '../advice/advice.ts';
import { cancelOrder } from '../api/operations/cancel.ts';
import { getOrder } from '../api/operations/find.ts';
import { listPage } from '../api/pages/list-orders.ts';
import { nameOf, type ServiceOrder } from '../api/responses/order.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import type { Connection, Context } from '../context.ts';
import { CliError, PromptLeft } from '../errors.ts';
import { rolesOfHeader } from '../import/columns/header-roles.ts';
import { roles } from '../import/columns/roles.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { FieldPathError } from '../orders/field-path.ts';
import { isJsonObject } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import {
  defaultPaths,
  type FieldPaths,
  type FieldProof,
  fieldNames,
  isNeeded,
  isOfSameKind,
  merchantFields,
  resolvePaths,
  type UnnamedField,
} from '../orders/unnamed-fields.ts';
import { listFields } from './field-paths.ts';

type ProofContext = Pick<Context, 'print' | 'prompts' | 'interruption'>;

/** Why nothing more may be sent. */
export interface Dropped {
  error: CliError;
  isCancelled: boolean;
}

interface ProofParts {
  connection: Pick<Connection, 'client'>;
  ledger: Ledger;
  proof: FieldProof;
}

/**
 * Reads an order that was sent once more, when its response did not show all that it was sent with, and records what is
 * shown. When a quantity or an address is not, a person decides. Returns why nothing more may be sent. Error:
 * `ledger_not_writable`.
 */
export async function checkShown(
  context: ProofContext,
  parts: ProofParts,
  sent: Order,
  created: ServiceOrder,
): Promise<Dropped | undefined> {
  const { connection, proof } = parts;
  if (proof.openIn(sent).length > 0) {
    try {
      const found = await getOrder(
        connection.client.forOneOrder(),
        created.id,
        textField(sent, 'externalOrderId'),
      );
      proof.add(sent, found.order);
    } catch (error) {
      // Such as a key that may only create orders: then a person has to look.
      if (!(error instanceof CliError)) throw error;
    }
  }
  await recordShown(parts);
  const needed = proof.openIn(sent).filter(isNeeded);
  if (needed.length === 0) return undefined;
  return askAboutHidden(context, parts, needed, created);
}

/** At the end of a run: what else was shown. Error: `ledger_not_writable`. */
export function recordShown(parts: ProofParts): Promise<void> {
  return record(parts, parts.proof.result().shown, 'shown');
}

/** Warns once about what no order has shown, though it is not needed. Error: `ledger_not_writable`. */
export async function warnOfHidden({ print }: Pick<Context, 'print'>, parts: ProofParts): Promise<void> {
  const { ledger, proof } = parts;
  const hidden = proof.result().notShown.filter((field) => !isNeeded(field));
  if (hidden.length === 0) return;
  const known = new Map(ledger.fieldPaths.all().map(({ field, known }) => [field, known]));
  if (hidden.every((field) => known.get(field) === 'not_shown')) return;
  await record(parts, hidden, 'not_shown');
  print.note(
    t`warning: The service does not show ${listFields(hidden)} of the orders that were created. Ask your platform where it expects them: ${command('profiles', 'fields', '--help')}`,
  );
}

function record(
  { ledger, proof: { fieldPaths } }: ProofParts,
  fields: readonly UnnamedField[],
  known: 'set' | 'shown' | 'not_shown',
): Promise<void> {
  if (fields.length === 0) return Promise.resolve();
  return ledger.transaction(() =>
    ledger.fieldPaths.record(fields.map((field) => ({ field, path: fieldPaths[field], known }))),
  );
}

async function askAboutHidden(
  context: ProofContext,
  parts: ProofParts,
  fields: readonly UnnamedField[],
  created: ServiceOrder,
): Promise<Dropped | undefined> {
  const { print, prompts, interruption } = context;
  const { ledger } = parts;
  const name = cleanCell(nameOf(created));
  await record(parts, fields, 'not_shown');
  if (prompts === undefined || interruption.stopping.aborted) return leftAsItIs(created, fields);
  print.note('');
  print.note(
    t`${name} was created, but the service does not show ${listFields(fields)} that it was sent with. Open it on the platform, and see whether it is there.`,
  );
  try {
    const chosen = await prompts.choose(t`What does the platform show?`, [
      { value: 'cancel', name: t`it is not there: cancel ${name} and stop` },
      { value: 'shown', name: t`it is there: go on` },
      {
        value: 'other',
        name: t`it is not there, and belongs to another path: cancel ${name}, and name the path`,
      },
      { value: 'stop', name: t`I cannot say: stop, and leave ${name} as it is` },
    ]);
    if (chosen === 'shown') {
      parts.proof.accept(fields);
      await record(parts, fields, 'set');
      return undefined;
    }
    if (chosen === 'stop') return leftAsItIs(created, fields);
    if (chosen === 'other') {
      const fieldPaths = await askPaths(prompts, context, parts, fields);
      await ledger.transaction(() => ledger.fieldPaths.record(fieldPaths));
    }
    return await cancelHidden(parts, fields, created, chosen === 'other');
  } catch (error) {
    if (error instanceof PromptLeft) return leftAsItIs(created, fields);
    throw error;
  }
}

/** The order exists, and a person has to decide about it. `why`: it could not be cancelled. */
function leftAsItIs(created: ServiceOrder, fields: readonly UnnamedField[], why?: Text): Dropped {
  const name = cleanCell(nameOf(created));
  const sentence = t`${name} was created, but the service does not show ${listFields(fields)} that it was sent with. Nothing more was sent.`;
  const error = new CliError('fields_dropped', why === undefined ? sentence : advice`${sentence} ${why}`, {
    hint: t`If it is not on the platform either, cancel the order:\n  ${command('cancel', nameOf(created))}`,
  });
  return { error, isCancelled: false };
}

async function cancelHidden(
  { connection, ledger }: ProofParts,
  fields: readonly UnnamedField[],
  created: ServiceOrder,
  hasPath: boolean,
): Promise<Dropped> {
  const result = await cancelOrder(
    connection.client.forOneOrder(),
    created,
    'The service did not take all fields',
  ).catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    return { outcome: 'unknown', error } as const;
  });
  const { outcome } = result;
  const cancelled = { orderId: created.id, externalOrderId: textField(created.order, 'externalOrderId') };
  const isDone = outcome === 'cancelled' || outcome === 'already_cancelled';
  if (isDone || outcome === 'cancel_pending')
    await ledger.transaction(() => ledger.cancellations.add(cancelled, isDone));
  if ('error' in result) return leftAsItIs(created, fields, result.error.sentence);
  const error = new CliError(
    'fields_dropped',
    t`${cleanCell(nameOf(created))} was created without ${listFields(fields)}, and cancelled. Nothing more was sent.`,
    {
      hint: hasPath
        ? createAgain
        : advice`${t`Ask your platform where it expects them, then store it: ${command('profiles', 'fields', '--help')}`}\n${createAgain}`,
    },
  );
  return { error, isCancelled: true };
}

const createAgain = t`Create it again under a new ID, or in an import with --recreate-cancelled, if the service accepts the ID of a cancelled order.`;

/** A path for each field; a blank answer leaves it as it is. */
async function askPaths(
  prompts: NonNullable<Context['prompts']>,
  { print }: Pick<Context, 'print'>,
  { connection, proof }: ProofParts,
  fields: readonly UnnamedField[],
) {
  const proposed = await findCarried(connection, fields, proof.fieldPaths);
  const chosen: Partial<Record<UnnamedField, string>> = {};
  for (const field of fields) {
    const others = proposed.get(field) ?? [];
    if (others.length > 0) {
      const list = others.map(({ path, text }) => `  ${cleanCell(path)}   ${shorten(cleanCell(text), 40)}`);
      print.note(t`Orders of the platform carry:\n${list.join('\n')}`);
    }
    const check = (path: string): Text | undefined => {
      try {
        resolvePaths({ ...proof.fieldPaths, ...chosen, [field]: path });
        return undefined;
      } catch (error) {
        if (error instanceof FieldPathError) return advice`${error.problem}.`;
        throw error;
      }
    };
    const message = t`Path of ${fieldNames[field]} (Enter leaves it as ${proof.fieldPaths[field]})`;
    const path = await prompts.text({ message, check });
    if (path !== '') chosen[field] = path;
  }
  return Object.entries(chosen).map(
    ([field, path]) => ({ field: field as UnnamedField, path, known: 'chosen' }) as const,
  );
}

const maxProposed = 3;

/** Where orders that the service lists carry such fields. Empty when it cannot be asked. */
async function findCarried(
  { client }: Pick<Connection, 'client'>,
  fields: readonly UnnamedField[],
  fieldPaths: FieldPaths,
): Promise<Map<UnnamedField, { path: string; text: string }[]>> {
  const found = new Map<UnnamedField, { path: string; text: string }[]>();
  const page = await listPage(client.forOneOrder(), {}).catch((error: unknown) => {
    if (error instanceof CliError) return undefined;
    throw error;
  });
  for (const order of (page?.orders ?? []).filter(isJsonObject)) {
    for (const { path, shown: text } of merchantFields(order)) {
      const header = path.slice(path.lastIndexOf('.') + 1);
      const named = [...rolesOfHeader(header).keys()].map((role) =>
        roles[role].field?.replace(/:number$/, ''),
      );
      for (const field of fields) {
        const known = found.get(field) ?? [];
        if (!named.includes(defaultPaths[field]) || !isOfSameKind(field, path) || path === fieldPaths[field])
          continue;
        if (known.length === maxProposed || known.some((one) => one.path === path)) continue;
        found.set(field, [...known, { path, text }]);
      }
    }
  }
  return found;
}
