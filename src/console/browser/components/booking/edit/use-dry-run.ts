/** What would become of a change, asked for a moment after the last key was pressed. */
import { useEffect, useState } from 'preact/hooks';
import type { BookingEdit, ChangedBooking } from '../../../../../features/bookings/operator/desk-schema.ts';
import { type ApiProblem, api } from '../../../app/api.ts';
import { problemOf } from '../../../app/load.ts';

const PAUSE_MS = 350;

export interface DryRun {
  result?: ChangedBooking;
  problem?: ApiProblem;
  isAsking: boolean;
}

export function useDryRun(address: string, edit: BookingEdit | null, version: string): DryRun {
  const [state, setState] = useState<DryRun>({ isAsking: false });
  useEffect(() => {
    if (edit === null) {
      setState({ isAsking: false });
      return;
    }
    let isWanted = true;
    setState((before) => ({ ...before, isAsking: true }));
    const timer = setTimeout(async () => {
      try {
        const result = await api.patch<ChangedBooking>(address, edit, { query: { dryRun: true } });
        if (isWanted) setState({ result, isAsking: false });
      } catch (error) {
        if (isWanted) setState({ problem: problemOf(error), isAsking: false });
      }
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [address, JSON.stringify(edit), version]);
  return state;
}
