import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { Icon } from '../icon.ts';
import type { Difference } from './edit/edit-values.ts';
import { Changes } from './history-changes.ts';

/** Says that the booking is not what was on the screen, with both. */
export const ChangedMeanwhile = ({
  differences,
  currency,
}: {
  differences: readonly Difference[];
  currency: string;
}) => html`
  <div class="notice warn" role="alert">
    <${Icon} name="warning" />
    <div>
      <p><strong>${t.booking.changedMeanwhile}</strong></p>
      <p class="small">${t.booking.changedMeanwhileText}</p>
      <${Changes} changes=${differences} currency=${currency} />
    </div>
  </div>
`;
