/** Pictures on their way: one after the other, in the order in which they were chosen. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Upload } from '../../../../features/media/schema.ts';
import type { ApiProblem } from '../../app/api.ts';
import { problemOf } from '../../app/load.ts';
import { begunWith } from './parts.ts';
import { sendPicture } from './upload.ts';

export interface Task {
  id: number;
  name: string;
  /** From 0 to 1; undefined: it waits for its turn. */
  share?: number;
  problem?: ApiProblem;
}

export interface Uploading {
  tasks: readonly Task[];
  /** `unfinished` are those of an earlier visit: the same file goes on where it was. */
  add: (files: Iterable<File>, unfinished: readonly Upload[]) => void;
  /** Stops one that is on its way, or puts away one that was refused. */
  stop: (id: number) => void;
}

let lastId = 0;

export function useUploads(venueId: string, onDone: () => Promise<unknown>): Uploading {
  const [tasks, setTasks] = useState<readonly Task[]>([]);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const stops = useRef(new Map<number, AbortController>());
  const finished = useRef(onDone);
  finished.current = onDone;
  const change = (id: number, part: Partial<Task>) =>
    setTasks((before) => before.map((task) => (task.id === id ? { ...task, ...part } : task)));
  const forget = (id: number) => setTasks((before) => before.filter((task) => task.id !== id));

  useEffect(
    () => () => {
      for (const controller of stops.current.values()) controller.abort();
    },
    [],
  );

  async function send(id: number, file: File, begun: Upload | undefined): Promise<void> {
    const controller = stops.current.get(id);
    if (!controller || controller.signal.aborted) return;
    const { signal } = controller;
    try {
      change(id, { share: 0 });
      await sendPicture({ venueId, file, begun, signal, onProgress: (share) => change(id, { share }) });
      await finished.current();
      forget(id);
    } catch (error) {
      if (!signal.aborted) change(id, { problem: problemOf(error) });
    }
  }

  return {
    tasks,
    add(files, unfinished) {
      let left = [...unfinished];
      for (const file of files) {
        const id = ++lastId;
        const begun = begunWith(left, file);
        left = left.filter((upload) => upload !== begun);
        stops.current.set(id, new AbortController());
        setTasks((before) => [...before, { id, name: file.name }]);
        queue.current = queue.current.then(() => send(id, file, begun));
      }
    },
    stop(id) {
      stops.current.get(id)?.abort();
      forget(id);
      // What was begun remains, and is offered to be continued or dropped.
      void finished.current();
    },
  };
}
