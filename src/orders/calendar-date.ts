const dateShape = /^(\d{4})-(\d{2})-(\d{2})$/;
const lastDays = '31 28 31 30 31 30 31 31 30 31 30 31'.split(' ');
const months = '01 02 03 04 05 06 07 08 09 10 11 12'.split(' ');
const multipleOfFour = /^(?:[02468][048]|[13579][26])$/;

/** Whether the text is an existing day written `YYYY-MM-DD` (interface section 2.2). Time zones play no part. */
export function isCalendarDate(text: string): boolean {
  const [, year = '0000', month = '', day = '00'] = dateShape.exec(text) ?? [];
  if (year === '0000' || day === '00') return false;
  const lastDay = month === '02' && isLeapYear(year) ? '29' : lastDays[months.indexOf(month)];
  return lastDay !== undefined && day <= lastDay;
}

export function isBefore(date: string, other: string): boolean {
  return date < other;
}

function isLeapYear(year: string): boolean {
  const century = year.slice(0, 2);
  const rest = year.slice(2);
  return multipleOfFour.test(rest === '00' ? century : rest);
}
