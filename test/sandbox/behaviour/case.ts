import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';
import type { Service } from './serve.ts';

/** One value of one setting, and a check of its effect. */
export interface Case {
  /** Such as `keys.repeated`. */
  setting: string;
  value: unknown;
  /** Other settings that the check needs. */
  otherSettings?: BehaviourSettings;
  check(service: Service): Promise<void>;
}

type Group = Record<string, unknown>;

/** The settings of a case. */
export function settingsOf({ setting, value, otherSettings }: Case): BehaviourSettings {
  const nested = setting
    .split('.')
    .reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as BehaviourSettings;
  return merge((otherSettings ?? {}) as Group, nested as Group) as BehaviourSettings;
}

function merge(left: Group, right: Group): Group {
  const entries = Object.entries(right).map(([name, value]) => {
    const isGroup = isObject(value) && isObject(left[name]);
    return [name, isGroup ? merge(left[name] as Group, value as Group) : value];
  });
  return { ...left, ...Object.fromEntries(entries) };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
