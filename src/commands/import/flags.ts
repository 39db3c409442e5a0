import type { ErrorLimit, HiddenRowsChoice, PlanFlags } from '../../import/choices.ts';
import type { LanguageCode } from '../../settings.ts';

export interface ImportFlags extends PlanFlags {
  map?: string;
  writeMap?: string;
  listPresets?: boolean;
  delimiter?: string;
  encoding?: string;
  headerRow?: number;
  sheet?: string;
  hiddenRows?: HiddenRowsChoice;
  onInvalid: 'stop' | 'skip';
  maxErrors?: ErrorLimit;
  concurrency: number | 'auto';
  rate?: number;
  maxWait?: number;
  maxOutage?: number;
  results?: string;
  rejects?: string;
  lang?: LanguageCode;
  recreateCancelled?: boolean;
  dryRun?: boolean;
  details?: boolean;
  template?: boolean;
}
