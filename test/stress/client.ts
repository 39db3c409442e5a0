import process from 'node:process';
import { tryLimits } from './client/limits.ts';
import { tryOutage } from './client/outage.ts';
import { tryOutcomes } from './client/outcomes.ts';
import { tryWaits } from './client/waits.ts';
import { showPromise } from './import/figures.ts';

/*
 * The promises of the client with figures, against a service that shares no code with this project and, where the
 * service's own log is needed, against the sandbox. With `--full`, hidden limits are learned in real time as well. Exits
 * with 1 when a promise is broken.
 */
const limits = process.argv.includes('--full') ? tryLimits() : [];
const kept = [await tryOutcomes(), await tryWaits(), await tryOutage(), ...(await limits)];
for (const { number, promise, figures, isKept } of kept) {
  const told = Object.entries(figures).map(([name, figure]) => `${name} ${figure}`);
  console.log(`${isKept ? 'kept  ' : 'BROKEN'} ${number}. ${promise}: ${told.join(', ')}`);
  showPromise({ promise: number, figures, isKept });
}
process.exitCode = kept.every(({ isKept }) => isKept) ? 0 : 1;
