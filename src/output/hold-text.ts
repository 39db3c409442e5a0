const reasons = {
  asked: 'the service asks to wait',
  outage: 'the service does not answer as it should; it is asked again in',
};

/** Why nothing leaves for a while, and for how long. */
export function formatHold(reason: keyof typeof reasons, milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${reasons[reason]} ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}`;
}
