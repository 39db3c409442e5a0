import { Sentence, type Text } from '../../../advice/advice.ts';
import { type PlanFlags, type PresetName, presetNames } from '../../choices.ts';
import { createHeader, mappingProblem } from '../../columns/header.ts';
import { exportNotDeliverable, listOfOrders } from '../../file-texts.ts';
import type { HeaderRow } from '../../read/read-table.ts';
import { type Bound, bind } from '../bind.ts';
import { listOf } from '../conditions.ts';
import type { MappingFile, Preset } from '../language.ts';
import type { MappedFlags } from '../mapping.ts';
import amazon from './amazon.json' with { type: 'json' };
import bigcommerce from './bigcommerce.json' with { type: 'json' };
import ebay from './ebay.json' with { type: 'json' };
import etsy from './etsy.json' with { type: 'json' };
import magento from './magento.json' with { type: 'json' };
import nuvemshop from './nuvemshop.json' with { type: 'json' };
import odoo from './odoo.json' with { type: 'json' };
import opencart from './opencart.json' with { type: 'json' };
import prestashop from './prestashop.json' with { type: 'json' };
import shopify from './shopify.json' with { type: 'json' };
import squarespace from './squarespace.json' with { type: 'json' };
import tiendanube from './tiendanube.json' with { type: 'json' };
import wix from './wix.json' with { type: 'json' };
import woocommerce from './woocommerce.json' with { type: 'json' };
import woocommerceReport from './woocommerce-report.json' with { type: 'json' };
import woocommerceSkyverge from './woocommerce-skyverge.json' with { type: 'json' };
import woocommerceWebtoffee from './woocommerce-webtoffee.json' with { type: 'json' };

/** A test holds the data to its schema. */
const data: Record<PresetName, unknown> = {
  shopify,
  woocommerce,
  'woocommerce-webtoffee': woocommerceWebtoffee,
  'woocommerce-skyverge': woocommerceSkyverge,
  'woocommerce-report': woocommerceReport,
  squarespace,
  wix,
  tiendanube,
  nuvemshop,
  bigcommerce,
  amazon,
  ebay,
  odoo,
  magento,
  prestashop,
  etsy,
  opencart,
};

export const presets = data as Readonly<Record<PresetName, Preset>>;

/** The texts of the data are in both languages. */
function said(text: string): Sentence {
  return new Sentence([text], []);
}

/** An export without a signature is never recognised. */
export function hasSignature(row: HeaderRow, { signature }: Preset): boolean {
  const header = createHeader(row);
  const has = (name: string) => header.indexOf(name) !== undefined;
  return listOf(signature).some(
    ({ all, any = [], none = [] }) =>
      all.every(has) && (any.length === 0 || any.some(has)) && !none.some(has),
  );
}

/** The shop of the export, and whether the header alone shows it. */
export interface Shop {
  name: PresetName;
  title: Text;
  isRecognised: boolean;
}

/** A recognised export is not read by the usual field names, which would find only a part of it. */
export function mapTable(header: HeaderRow, flags: MappedFlags): { shop?: Shop; mapped: Bound } {
  const { preset: given, map, mapColumn = [] } = flags;
  const recognised =
    given === undefined && !mapsOrderId(map)
      ? presetNames.find((name) => hasSignature(header, presets[name]))
      : undefined;
  const name = given ?? recognised ?? 'none';
  if (name === 'none') return { mapped: withoutList(header, bind(header, flags)) };
  if (recognised !== undefined && mapColumn.length > 0) {
    const explicit = bind(header, flags, undefined, false);
    if (explicit.problems.length + explicit.missing.length === 0) return { mapped: explicit };
  }
  const preset = presets[name];
  const shop = { name, title: said(preset.title), isRecognised: recognised !== undefined };
  return { shop, mapped: withExplanation(preset, bind(header, flags, preset)) };
}

/** A mapping file without the order ID only adds to the preset of the shop. */
function mapsOrderId(map: MappingFile | undefined): boolean {
  if (map === undefined) return false;
  const { columns, group_by: groupBy } = map;
  return (
    groupBy !== undefined || Object.keys(columns).some((path) => path.toLowerCase() === 'externalorderid')
  );
}

/** For an export without readable orders, the reason instead of all other problems. */
function withExplanation({ title, explains }: Preset, mapped: Bound): Bound {
  if (explains === undefined) return mapped;
  const problem = mappingProblem(exportNotDeliverable(said(title), said(explains)));
  return { ...mapped, problems: [problem], missing: [] };
}

/** What `list --output` writes, whose orders exist already, lacks more than questions about its columns could find. */
function withoutList({ cells }: HeaderRow, mapped: Bound): Bound {
  const isList = cells.includes('orderNumber') && cells.some((name) => listColumns.includes(name));
  if (!isList || mapped.missing.length === 0) return mapped;
  const lacking = [...mapped.problems, ...mapped.missing].flatMap(({ path }) => path ?? []).join(', ');
  return { ...mapped, problems: [mappingProblem(listOfOrders(lacking))], missing: [] };
}

/** With the order number, columns that no shop names like this. */
const listColumns = ['customer.phone', 'created_date', 'delivery.status'];

/** The mapping file fills in what the flags leave open. */
export function withMapping<Flags extends PlanFlags>(flags: Flags, map: MappingFile | undefined) {
  return {
    ...flags,
    map,
    unpaid: flags.unpaid ?? map?.unpaid,
    dateOrder: flags.dateOrder ?? map?.date_order,
    constants: [...(map?.constants ?? []), ...(flags.set ?? [])],
  };
}
