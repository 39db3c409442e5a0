import {
  concurrencyLimitedServices,
  jitteredServices,
  type LimitedService,
  measure,
  randomAndLimitedServices,
  randomlyRejectingServices,
  rateLimitedServices,
} from '../../api/pacing/limiter-table.ts';

const parts: [string, LimitedService[]][] = [
  ['A limit of the rate', rateLimitedServices],
  ['A limit of the rate, and late requests', jitteredServices],
  ['A limit of the requests at a time', concurrencyLimitedServices],
  ['Rejections at random', randomlyRejectingServices],
  ['Rejections at random, and a limit of the rate', randomAndLimitedServices],
];

/** Prints what the limiter reaches with simulated services; returns whether that is enough for the first and fourth part. */
export function measureSimulatedServices(): boolean {
  const counts = parts.map(([title, services]) => {
    console.log(`\n${title}\n\n| service | allowed a second | share | throttled after 30 s | |`);
    console.log('| --- | --- | --- | --- | --- |');
    const reached = services.filter((service) => {
      const { share, throttledShare, isReached } = measure(service)(30);
      const figures = [service.allowedPerSecond, 100 * share, 100 * throttledShare];
      const [allowed, percent, throttled] = figures.map((figure) => figure.toFixed(1));
      const cells = [service.name, allowed, `${percent} %`, `${throttled} %`, isReached ? '' : 'missed'];
      console.log(`| ${cells.join(' | ')} |`);
      return isReached;
    });
    return { title, reached: reached.length, of: services.length };
  });
  console.log('');
  for (const { title, reached, of } of counts) console.log(`${title}: ${reached} of ${of}`);
  const [rates, , , random] = counts;
  return rates !== undefined && rates.reached >= 100 && random !== undefined && random.reached === random.of;
}
