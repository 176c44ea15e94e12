/** Reading what a page shows. What is known stays on the screen while it is read again. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiProblem, isConnected } from './api.ts';

export interface Loaded<T> {
  data: T | undefined;
  problem: ApiProblem | undefined;
  isLoading: boolean;
  reload: () => Promise<void>;
  /** Shows what a write has answered, without reading again. */
  setData: (data: T) => void;
}

/** Reads again when one of `keys` changes, and when a lost connection is back. */
export function useLoad<T>(read: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data?: T; problem?: ApiProblem; isLoading: boolean }>({
    isLoading: true,
  });
  const latest = useRef(0);
  const load = async () => {
    const mine = ++latest.current;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const data = await read();
      if (mine === latest.current) setState({ data, isLoading: false });
    } catch (error) {
      if (mine !== latest.current) return;
      const problem = problemOf(error);
      setState((before) => ({ ...before, problem, isLoading: false }));
    }
  };
  const connected = isConnected.value;
  useEffect(() => {
    if (connected) load();
    return () => {
      latest.current++;
    };
  }, [...keys, connected]);
  return {
    data: state.data,
    problem: state.problem,
    isLoading: state.isLoading,
    reload: load,
    setData: (data) => setState({ data, isLoading: false }),
  };
}

/** Anything that was thrown as something that can be shown. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  // A call without an answer is shown by the banner of the frame.
  if (error instanceof TypeError) return new ApiProblem(0, { title: 'offline', code: '' });
  throw error;
}

/** A page of a list, as `/manage` answers them. */
export interface Page<T> {
  data: T[];
  meta: { currentPage: number; pageSize: number; totalItems: number; totalPages: number };
}
