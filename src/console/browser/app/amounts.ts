/** Amounts and lengths as people type them. */

/** Pence of `12`, `12.5`, `12,50` or `£ 12.50`; null of nothing; undefined of what is no amount. */
export function parsePence(text: string): number | null | undefined {
  const plain = text.replace(/[£€\s]/g, '').replace(',', '.');
  if (plain === '') return null;
  if (!/^\d{1,9}(\.\d{0,2})?$/.test(plain)) return undefined;
  return Math.round(Number(plain) * 100);
}

/** `12` of 1200 and `12.50` of 1250. */
export const penceText = (pence: number | null | undefined) =>
  pence == null ? '' : pence % 100 === 0 ? String(pence / 100) : (pence / 100).toFixed(2);

export const UNITS = { minutes: 1, hours: 60, days: 1440 } as const;
export type Unit = keyof typeof UNITS;

/** The largest unit that has no remainder. */
export function unitOf(minutes: number | null): Unit {
  if (!minutes) return 'minutes';
  return minutes % UNITS.days === 0 ? 'days' : minutes % UNITS.hours === 0 ? 'hours' : 'minutes';
}

/** `20:30` of 1230; of minutes after midnight the time of the next morning. */
export function clockOfMinute(minute: number): string {
  const inDay = minute % UNITS.days;
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
}

export function minuteOfClock(clock: string, isNextMorning = false): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes + (isNextMorning ? UNITS.days : 0);
}
