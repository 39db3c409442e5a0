import { advice, again, commandFor, joinTexts, type Text, type Typed, t } from '../../advice/advice.ts';
import { ordersWithin, parseCreatedRange } from '../../api/pages/created-range.ts';
import { pageSize } from '../../api/pages/list-orders.ts';
import { walkCreated } from '../../api/pages/walk-created.ts';
import { createdAt } from '../../api/responses/order.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { readTypedDate } from '../../import/words/typed-date.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PastRun } from '../../ledger/run-history.ts';
import { formatCount } from '../../orders/decimal.ts';
import type { JsonObject } from '../../orders/json.ts';
import { localDay } from '../../output/times.ts';
import { deliveryDay, packingDays } from './local-filter.ts';
import { createTotals, type OrderTotals, totalTexts } from './order-totals.ts';

/** Errors: those of a read, after what could be read was shown. */
export async function runToday(context: Context): Promise<void> {
  const { connect, openLedger, print } = context;
  const problems: CliError[] = [];
  /** Undefined after an error, which is reported at the end. */
  const attempt = async <Result>(read: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === exitCodes.nothingSent || error.code === 'no_key')
        throw error;
      problems.push(error);
      return undefined;
    }
  };
  await using connection = await attempt(() => connect({ waitsForOutages: false }));
  const days = connection && (await attempt(() => readDays(context, connection)));
  const ledger = await attempt(async () =>
    connection === undefined ? openLedger('read') : connection.openLedger({ isDryRun: true }),
  );
  try {
    const local = ledger && (await attempt(() => readLocal(context, ledger)));
    show(context, days, local);
  } finally {
    ledger?.close();
  }
  if (days !== undefined) for (const note of days.notes) print.note(note);
  const [error, ...others] = problems;
  for (const { sentence } of others) print.note(t`warning: ${sentence}`);
  if (error !== undefined) throw error;
  if (days?.caveat !== undefined)
    throw new CliError('list_incomplete', days.caveat, { hint: t`Run the same command again.${again()}` });
}

type Days = Awaited<ReturnType<typeof readDays>>;

async function readDays({ clock }: Context, { client }: Connection) {
  const day = clock.today();
  const next = String(readTypedDate('tomorrow', day, 'nearest'));
  const created = parseCreatedRange({ createdFrom: packingDays }, clock);
  const { from: startOfDay } = parseCreatedRange({ createdFrom: 'today' }, clock);
  const [createdToday, deliverToday, deliverTomorrow] = [createTotals(), createTotals(), createTotals()];
  let [read, undated] = [0, 0];
  let caveat: Text | undefined;
  const wanted = Number.POSITIVE_INFINITY;
  for await (const page of walkCreated(client, {}, created, { wanted, pageSize, takesAll: true })) {
    const { orders } = page.areDays ? ordersWithin(created, page.orders) : page;
    for (const order of orders) {
      const moment = createdAt(order);
      if (moment === undefined) undated += 1;
      else if (moment >= startOfDay) createdToday.add(order);
      const date = deliveryDay(order);
      if (date === day) deliverToday.add(order);
      if (date === next) deliverTomorrow.add(order);
    }
    read += orders.length;
    caveat = page.caveat;
  }
  const since = localDay(new Date(created.from).toISOString()) ?? '';
  const notes = [
    t`Read ${formatCount(read)} {order|orders} created since ${since}.`,
    ...(undated === 0 ? [] : [t`The service does not show when ${undated} {order was|orders were} created.`]),
  ];
  return {
    createdToday: createdToday.value(),
    deliverToday: deliverToday.value(),
    deliverTomorrow: deliverTomorrow.value(),
    read: { orders: read, createdSince: since, isComplete: caveat === undefined },
    notes,
    caveat,
  };
}

interface LocalWork {
  unknown: number;
  stoppedImports: { file: string; run: string; notSent: number }[];
}

const maxRuns = 200;

async function readLocal(context: Context, ledger: Ledger): Promise<LocalWork> {
  const history = await context.history();
  try {
    const { from } = parseCreatedRange({ createdFrom: packingDays }, context.clock);
    const runs = history.list(maxRuns).filter(({ startedAt }) => startedAt >= from);
    // A later import of the same file sent what an earlier one did not.
    const latest = new Map<string, PastRun>();
    for (const run of runs)
      if (run.client === ledger.client && !latest.has(run.file)) latest.set(run.file, run);
    const stoppedImports = [...latest.values()].flatMap((run) => {
      const { not_sent: notSent = 0 } = run.progress === 'running' ? {} : history.count(run);
      return notSent === 0 ? [] : [{ file: run.file, run: run.id, notSent }];
    });
    return { unknown: ledger.orders.findOpen().length, stoppedImports };
  } finally {
    history.close();
  }
}

interface Line {
  name: Text;
  texts: Text[];
  command: Typed | undefined;
}

function show(context: Context, days: Days | undefined, local: LocalWork | undefined): void {
  const { report, clock, say } = context;
  const day = clock.today();
  const run = (...words: string[]) => commandFor(context, words);
  const line = (name: Text, totals: OrderTotals | undefined, command: Typed): Line =>
    totals === undefined
      ? { name, texts: [t`not read`], command: undefined }
      : { name, texts: totalTexts(totals), command: totals.orders === 0 ? undefined : command };
  const created = run('list', '--created-from', 'today', '--all');
  const courier = run('list', '--deliver-on', 'today', '--for', 'courier');
  const packing = run('list', '--deliver-on', 'tomorrow', '--for', 'packing');
  const settle = run('settle');
  const toImport = (file: string) => run('import', file);
  const lines: Line[] = [
    line(t`created today`, days?.createdToday, created),
    line(t`deliver today`, days?.deliverToday, courier),
    line(t`deliver tomorrow`, days?.deliverTomorrow, packing),
    {
      name: t`outcome unknown`,
      texts: [local === undefined ? t`not read` : t`${local.unknown} {order|orders}`],
      command: local === undefined || local.unknown === 0 ? undefined : settle,
    },
    ...(local?.stoppedImports ?? []).map(({ file, notSent }) => ({
      name: t`stopped import`,
      texts: [t`${cleanCell(file)}: ${notSent} {order|orders} not sent`],
      command: toImport(file),
    })),
  ];
  const written = (command: Typed) => say(joinTexts([command], ''));
  const withCommand = (totals: OrderTotals | undefined, command: Typed): JsonObject | null =>
    totals === undefined ? null : { ...totals, command: written(command) };
  const facts: JsonObject = {
    day,
    createdToday: withCommand(days?.createdToday, created),
    deliverToday: withCommand(days?.deliverToday, courier),
    deliverTomorrow: withCommand(days?.deliverTomorrow, packing),
    unknown: local === undefined ? null : { orders: local.unknown, command: written(settle) },
    stoppedImports:
      local?.stoppedImports.map((one) => ({ ...one, command: written(toImport(one.file)) })) ?? null,
    read: days === undefined ? null : { ...days.read },
  };
  report.facts(
    facts,
    lines.flatMap(({ name, texts, command }) => {
      const all = [...texts, ...(command === undefined ? [] : [advice`${command}`])];
      return all.map((text, index) => [index === 0 ? name : '', text] as const);
    }),
  );
}
