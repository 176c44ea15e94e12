/** The order of a list while one of its entries is being moved; it is saved when the entry is let go. */
import { useRef, useState } from 'preact/hooks';
import { moved } from './order.ts';

export interface Reorder<T> {
  shown: readonly T[];
  onMove: (from: number, to: number) => void;
  onDrop: () => void;
}

export function useReorder<T>(list: readonly T[], save: (list: T[]) => void): Reorder<T> {
  const [moving, setMoving] = useState<T[]>();
  // A key moves and lets go before anything is rendered.
  const latest = useRef<T[]>(undefined);
  return {
    shown: moving ?? list,
    onMove(from, to) {
      latest.current = moved(latest.current ?? list, from, to);
      setMoving(latest.current);
    },
    onDrop() {
      const next = latest.current;
      latest.current = undefined;
      setMoving(undefined);
      if (next) save(next);
    },
  };
}
