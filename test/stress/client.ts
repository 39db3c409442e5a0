import process from 'node:process';
import { measureLimits } from './client/limits.ts';
import { measureOutcomes } from './client/outcomes.ts';
import { measureWaits } from './client/waits.ts';
import { reportPromise } from './import/figures.ts';

/*
 * Measures the promises of the client against a service that shares no code with this project or, where the service's
 * own log is needed, against the sandbox. `--full` adds the hidden limits, in real time. Exits with 1 when a promise is
 * broken.
 */
const limits = process.argv.includes('--full') ? measureLimits() : [];
const results = [await measureOutcomes(), await measureWaits(), ...(await limits)];
for (const { number, promise, figures, isKept } of results) {
  const text = Object.entries(figures).map(([name, figure]) => `${name} ${figure}`);
  console.log(`${isKept ? 'kept  ' : 'BROKEN'} ${number}. ${promise}: ${text.join(', ')}`);
  reportPromise({ promise: number, figures, isKept });
}
process.exitCode = results.every(({ isKept }) => isKept) ? 0 : 1;
