import { parseFieldPath } from '../../orders/field-path.ts';
import { isJsonObject, type Json, member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { possiblePhone } from '../../orders/phone.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import { headerProblem } from '../columns/header.ts';
import { createHashSet, hashText } from '../hash-set.ts';
import { fills, orderProblem } from '../mapping/column.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { addressMissing, customerIdShared, customersShareId } from '../order-texts.ts';
import type { Problem } from '../problem.ts';
import type { AcrossOrders, Check, PlannedOrder, PlanOptions } from './plan.ts';

const customerIdName = 'externalCustomerId';
const customerIdPath = `customer.${customerIdName}`;

/** This many phones are not of one customer; two may be. */
const minSharedPhones = 3;
/** Of more customers than that, the others are not counted. */
const maxCustomers = 100_000;

/**
 * Reads the orders that would be sent, and those to fix, so that all is said at once; in memory that hardly grows with
 * them. Warns of customers with two phones.
 */
export function createAcrossOrders(
  { header, columns }: Pick<Mapping, 'header' | 'columns'>,
  { fieldPaths }: Pick<PlanOptions, 'fieldPaths'>,
): Check & { value(): AcrossOrders | undefined } {
  const column = columns.find(fills(customerIdPath));
  const hasAddress = createAddressCheck(fieldPaths);
  const customers = createHashSet();
  const pairs = createHashSet();
  /** Customer ID → how many phones, for those with more than one. */
  const shared = new Map<string, number>();
  let haveAddresses = false;
  let lacksAddress = false;
  return {
    order: ({ order }) => {
      if (hasAddress(order)) haveAddresses = true;
      else lacksAddress = true;
      const customer = member(order, 'customer');
      const id = textField(customer, customerIdName);
      const phone = id === undefined ? undefined : possiblePhone(textField(customer, 'phone') ?? '');
      if (id === undefined || phone === undefined) return;
      const isNewCustomer = customers.add(hashText(id));
      if (!pairs.add(hashText(`${id}\n${phone}`)) || isNewCustomer) return;
      const count = shared.get(id);
      if (count !== undefined || shared.size < maxCustomers) shared.set(id, (count ?? 1) + 1);
    },
    /** Undefined when no order is refused for the others. */
    value: () => {
      const isMany = ([, phones]: [string, number]) => phones >= minSharedPhones;
      const sharedCustomers = new Set([...shared].filter(isMany).map(([id]) => id));
      const isMissing = haveAddresses && lacksAddress;
      return sharedCustomers.size > 0 || isMissing ? { sharedCustomers, haveAddresses } : undefined;
    },
    end: () => {
      const ids = [...shared].filter(([, phones]) => phones < minSharedPhones).map(([id]) => id);
      if (column === undefined || ids.length === 0) return [];
      const found = headerProblem(header, column.index, customersShareId(ids));
      return [{ ...found, severity: 'warning' }];
    },
  };
}

/** Whether an order has a street, or an address of one line. */
function createAddressCheck(fieldPaths: FieldPaths): (order: Order) => boolean {
  const street = parseFieldPath(fieldPaths['address.street']);
  return (order) => {
    const address = member(order, 'deliveryAddress');
    if (address !== undefined && !isJsonObject(address)) return true;
    // Another field may stand in the way of the place that the profile names.
    const text = street.reduce<Json | undefined>((found, segment) => member(found, String(segment)), order);
    return text !== undefined && text !== '';
  };
}

/** The problems of an order that only the others show. */
export function createAcrossCheck(
  { columns, addresses }: Pick<Mapping, 'columns' | 'addresses'>,
  {
    across,
    map,
    fieldPaths,
    checks,
    allowWithoutAddress = [],
  }: Pick<PlanOptions, 'across' | 'map' | 'fieldPaths' | 'checks' | 'allowWithoutAddress'>,
): ((planned: PlannedOrder) => Problem[]) | undefined {
  if (across === undefined || !checks) return undefined;
  const { sharedCustomers } = across;
  const needsAddress = across.haveAddresses && map?.address !== 'optional';
  const hasAddress = createAddressCheck(fieldPaths);
  const street = [...columns, ...addresses.flat()].find(fills('deliveryAddress.street'));
  const idColumn = columns.find(fills(customerIdPath));
  return (planned) => {
    const { order, externalOrderId, rows, problems: known } = planned;
    const id = textField(member(order, 'customer'), customerIdName);
    const problems: Problem[] = [];
    if (id !== undefined && sharedCustomers.has(id)) {
      const text = customerIdShared(id, minSharedPhones, idColumn?.header);
      problems.push(orderProblem(externalOrderId, rows[0], idColumn, text));
    }
    const isSaid = known.some(({ code }) => code === 'pickup_suspected');
    const isOptional = allowWithoutAddress.includes(externalOrderId);
    if (needsAddress && !isSaid && !isOptional && !hasAddress(order))
      problems.push(orderProblem(externalOrderId, rows[0], street, addressMissing));
    return problems;
  };
}
