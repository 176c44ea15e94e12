/** A booking with its ETag, and writes that are refused if it has changed since it was read. */
import { useState } from 'preact/hooks';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { type ApiProblem, api, path, type Tagged } from '../../app/api.ts';
import { type Loaded, problemOf, useLoad } from '../../app/load.ts';
import { type Difference, differencesOf } from './edit/edit-values.ts';

export interface BookingHandle {
  loaded: Loaded<Tagged<ManagedBooking>>;
  operatorId: number;
  address: string;
  /** What the last write was refused with. */
  problem: ApiProblem | undefined;
  /** What another person changed while this was open. */
  meanwhile: readonly Difference[];
  isWriting: boolean;
  /** Runs a write with the ETag and reads again; false: it was refused. */
  write: (work: (etag: string | null) => Promise<unknown>) => Promise<boolean>;
  forgetProblem: () => void;
  reload: () => Promise<void>;
}

export function useBooking(
  operatorId: number,
  bookingId: string,
  { version, onChanged }: { version?: unknown; onChanged?: (() => void) | undefined } = {},
): BookingHandle {
  const address = path`/manage/operators/${operatorId}/bookings/${bookingId}`;
  const loaded = useLoad(() => api.getTagged<ManagedBooking>(address), [address, version]);
  const [problem, setProblem] = useState<ApiProblem>();
  const [meanwhile, setMeanwhile] = useState<readonly Difference[]>([]);
  const [isWriting, setWriting] = useState(false);
  return {
    loaded,
    operatorId,
    address,
    problem,
    meanwhile,
    isWriting,
    reload: loaded.reload,
    forgetProblem() {
      setProblem(undefined);
      setMeanwhile([]);
    },
    async write(work) {
      setWriting(true);
      setProblem(undefined);
      setMeanwhile([]);
      try {
        await work(loaded.data?.etag ?? null);
        await loaded.reload();
        onChanged?.();
        return true;
      } catch (error) {
        const refusal = problemOf(error);
        setProblem(refusal);
        const before = loaded.data?.data;
        // The first of two steps may have been done, so it is read again in any case.
        const fresh = await api.getTagged<ManagedBooking>(address).catch(() => undefined);
        if (fresh) loaded.setData(fresh);
        if (fresh && before && refusal.isChangedMeanwhile) setMeanwhile(differencesOf(before, fresh.data));
        if (fresh?.data.lastUpdate !== before?.lastUpdate) onChanged?.();
        return false;
      } finally {
        setWriting(false);
      }
    },
  };
}
