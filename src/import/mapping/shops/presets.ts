import { type PresetName, presetNames } from '../../choices.ts';
import type { Problem } from '../../problem.ts';
import type { HeaderRow } from '../../read/read-table.ts';
import { listOf } from '../conditions.ts';
import { createHeader } from '../header.ts';
import type { Preset } from '../language.ts';
import type { MappedHeader } from '../map-header.ts';
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

export function recogniseShop(
  row: HeaderRow,
): { name: PresetName; title: string; preset: Preset } | undefined {
  const name = presetNames.find((candidate) => hasSignature(row, presets[candidate]));
  return name === undefined ? undefined : { name, title: presets[name].title, preset: presets[name] };
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

/** For an export without readable orders, the reason instead of all other problems. */
export function withExplanation({ title, explains }: Preset, mapped: MappedHeader): MappedHeader {
  if (explains === undefined) return mapped;
  const problem: Problem = {
    about: 'header',
    severity: 'error',
    code: 'export_not_deliverable',
    problem: `it is the ${title}, from which no orders can be read`,
    fix: explains,
  };
  return { ...mapped, problems: [problem], missing: [] };
}
