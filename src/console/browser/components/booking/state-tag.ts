import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { Icon, type IconName } from '../icon.ts';
import { type ShownState, type Stateful, stateOf } from './booking-facts.ts';

const LOOKS: Record<ShownState, { icon: IconName; look: string }> = {
  expected: { icon: 'clock', look: 'expected' },
  arrived: { icon: 'walk', look: 'arrived' },
  seated: { icon: 'check', look: 'seated' },
  left: { icon: 'out', look: 'left' },
  no_show: { icon: 'warning', look: 'no_show' },
  unpaid: { icon: 'money', look: 'unpaid' },
  enquiry: { icon: 'enquiry', look: 'enquiry' },
  in_progress: { icon: 'enquiry', look: 'enquiry' },
  rejected: { icon: 'close', look: 'cancelled' },
  cancelled: { icon: 'close', look: 'cancelled' },
};

/** The state as a word with its sign and colour. */
export function StateTag({ booking }: { booking: Stateful }) {
  const state = stateOf(booking);
  const { icon, look } = LOOKS[state];
  return html`<span class=${`tag ${look}`}><${Icon} name=${icon} size=${14} /> ${t.booking.states[state]}</span>`;
}
