import type {
  DateOrder,
  DecimalMark,
  ErrorLimit,
  HiddenRowsChoice,
  LeftOutReason,
  PresetName,
  Shard,
  UnpaidChoice,
} from '../../import/choices.ts';
import type { MappedFlag } from '../../import/map/explicit-mapping.ts';
import type { LeaveOutFlag } from '../../import/map/rules.ts';
import type { Assignment } from '../../orders/assignment.ts';

export interface ImportFlags {
  set?: Assignment[];
  map?: string;
  writeMap?: string;
  mapColumn?: MappedFlag[];
  preset?: PresetName | 'none';
  listPresets?: boolean;
  ignoreColumn?: string[];
  leaveOut?: LeaveOutFlag[];
  include?: LeftOutReason[];
  unpaid?: UnpaidChoice;
  delimiter?: string;
  encoding?: string;
  headerRow?: number;
  sheet?: string;
  hiddenRows?: HiddenRowsChoice;
  decimal?: DecimalMark;
  dateOrder?: DateOrder;
  endsHere?: boolean;
  onInvalid: 'stop' | 'skip';
  maxErrors?: ErrorLimit;
  rows?: (row: number) => boolean;
  limit?: number;
  shard?: Shard;
  concurrency: number | 'auto';
  rate?: number;
  maxWait?: number;
  maxOutage?: number;
  results?: string;
  rejects?: string;
  recreateCancelled?: boolean;
  checks: boolean;
  dryRun?: boolean;
  details?: boolean;
  template?: boolean;
}
