import { advice, again, command, t } from '../../advice/advice.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { parseAssignment, parseCountedSku, parseLineSpec, textFlags } from '../../orders/assignment.ts';
import { FieldPathError, setField } from '../../orders/field-path.ts';
import { describeJsonError, isJsonObject, type JsonObject, parseJson } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';

export interface DraftFlags {
  externalOrderId?: string;
  phone?: string;
  externalCustomerId?: string;
  item?: string[];
  collect?: string;
  prepaid?: boolean;
  total?: string;
  deliveryDate?: string;
  set?: string[];
  file?: string;
}

/** Flags win over the file, and over the order that it is to be like. Errors: `usage`, `file_not_readable`, `file_invalid`. */
export async function buildDraft(context: Context, flags: DraftFlags, like: Order = {}) {
  if (flags.collect !== undefined && flags.prepaid) {
    throw new CliError('usage', t`--collect and --prepaid cannot be used together.`, {
      hint: t`Remove one of them.`,
    });
  }
  const draft = flags.file === undefined ? like : await readDraft(flags.file, context.system);
  const counted = flags.item?.filter((item) => parseCountedSku(item) !== undefined) ?? [];
  const used = counted.length === 0 ? [] : await readSkusInUse(context);
  try {
    const lines = flags.item?.map((item) => parseLine(item, used));
    applyFlags(draft, flags, lines);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new CliError('usage', advice`${error.problem}.`, { hint: t`Run: ${command('create', '--help')}` });
  }
  /** `hasCounts`: `SKU x N` names no path for the quantity. */
  return { draft, hasCounts: counted.some((item) => !used.includes(item.trim())) };
}

export function parseLine(spec: string, skus?: readonly string[]): JsonObject {
  const line: JsonObject = {};
  for (const { path, value } of parseLineSpec(spec, skus)) setField(line, path, value);
  return line;
}

async function readSkusInUse(context: Context): Promise<readonly string[]> {
  const { profile, baseUrl } = await context.identity();
  const { readUsedSkus } = await import('./used-skus.ts');
  return readUsedSkus(context, { profile, baseUrl: baseUrl?.value });
}

function applyFlags(draft: Order, flags: DraftFlags, lines: JsonObject[] | undefined): void {
  for (const { option, path } of textFlags) {
    const value = flags[option];
    if (value !== undefined) setField(draft, path, value);
  }
  if (lines !== undefined) draft.items = lines;
  if (flags.prepaid) {
    draft.collectionMode = 'NONE';
    delete draft.collectionAmount;
  }
  if (flags.collect !== undefined) {
    draft.collectionMode = 'COLLECT';
    draft.collectionAmount = flags.collect;
  }
  for (const { path, value } of (flags.set ?? []).map(parseAssignment)) setField(draft, path, value);
}

async function readDraft(file: string, { files, stdin, interruption }: Context['system']): Promise<Order> {
  const name = file === '-' ? 'Standard input' : file;
  const text =
    file === '-' ? await files.readStream(stdin, name) : await files.readText(file, interruption.stopping);
  const value = parseDraft(text, name);
  if (isJsonObject(value)) {
    // `create --json` adds it to what it prints.
    delete value._outcome;
    return value;
  }
  throw new CliError('file_invalid', t`${name} is not an order: it is JSON, but not an object.`, {
    hint: t`Write one order as {"externalOrderId": "...", ...}. To create many orders, use: ${command('import')}`,
  });
}

function parseDraft(text: string, name: string) {
  try {
    return parseJson(text);
  } catch (error) {
    throw new CliError('file_invalid', advice`${name} ${describeJsonError(error)}.`, {
      hint: t`Fix the file and run the same command again.${again()}`,
    });
  }
}
