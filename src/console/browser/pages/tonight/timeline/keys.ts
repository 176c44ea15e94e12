/** Keys on the timeline: arrows go from booking to booking, letters say how far the visit is. */
import { t } from '../../../app/language.ts';
import { useShortcuts } from '../../../app/shortcuts.ts';
import type { Actions } from '../actions.ts';
import type { DiaryBooking } from '../evening.ts';
import type { Evening } from '../live.ts';

const blocks = () => [...document.querySelectorAll<HTMLElement>('.tl-block, .arrival-who')];

/** The nearest block in a direction, measured from middle to middle; sideways counts less than across. */
function nearest(direction: 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'): HTMLElement | undefined {
  const all = blocks();
  const current = document.activeElement;
  if (!(current instanceof HTMLElement) || !all.includes(current)) return all[0];
  const middle = (element: HTMLElement) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  const from = middle(current);
  const isSideways = direction === 'ArrowLeft' || direction === 'ArrowRight';
  const sign = direction === 'ArrowLeft' || direction === 'ArrowUp' ? -1 : 1;
  let best: { element: HTMLElement; distance: number } | undefined;
  for (const element of all) {
    const to = middle(element);
    const [along, across] = isSideways ? [to.x - from.x, to.y - from.y] : [to.y - from.y, to.x - from.x];
    if (element === current || along * sign <= 4) continue;
    const distance = Math.abs(along) + 3 * Math.abs(across);
    if (!best || distance < best.distance) best = { element, distance };
  }
  return best?.element;
}

function focused(evening: Evening): DiaryBooking | undefined {
  const id = (document.activeElement as HTMLElement | null)?.dataset.id;
  return evening.diary.peek()?.bookings.find((booking) => booking.id === id);
}

export function useBookingKeys(evening: Evening, actions: Actions): void {
  const arrow = (key: Parameters<typeof nearest>[0], label: string) => ({
    key,
    label,
    run: () => nearest(key)?.focus(),
  });
  const visit = (key: string, state: DiaryBooking['visit']['state']) => ({
    key,
    label: t.tonight.verbs[state],
    run: () => {
      const booking = focused(evening);
      if (booking) void actions.visit(booking, state);
    },
  });
  useShortcuts(
    [
      arrow('ArrowLeft', t.tonight.toLeft),
      arrow('ArrowRight', t.tonight.toRight),
      arrow('ArrowUp', t.tonight.toUp),
      arrow('ArrowDown', t.tonight.toDown),
      visit('a', 'arrived'),
      visit('s', 'seated'),
      visit('l', 'left'),
    ],
    [evening],
  );
}
