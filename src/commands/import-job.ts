import type { Plan } from '../import/import-plan.ts';
import type { Spill } from '../system/spill.ts';
import type { ImportFiles } from './import-files.ts';
import type { ImportFlags } from './import-flags.ts';

/** What one import carries from step to step. */
export interface ImportJob {
  file: string;
  flags: ImportFlags;
  files: ImportFiles;
  run: string;
  /** Milliseconds since the epoch. */
  started: number;
  plan: Plan;
  /** Where outcomes are put aside; it is removed with the source. */
  openSpill(): Spill;
}
