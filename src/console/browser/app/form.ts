/** State of a form: values, what is wrong with them in the words of the service, and whether it is being sent. */
import { useState } from 'preact/hooks';
import type { ApiProblem } from './api.ts';
import { problemOf } from './load.ts';

export interface Form<T> {
  values: T;
  set: (changes: Partial<T>) => void;
  /** Messages for one field, by its path in the body, such as `guest.email`. */
  errorsOf: (field: string) => string[];
  problem: ApiProblem | undefined;
  isSending: boolean;
  /** For `onSubmit`. */
  submit: (event?: Event) => Promise<void>;
  reset: (values: T) => void;
  isChanged: boolean;
}

export function useForm<T extends object>(initial: T, send: (values: T) => Promise<unknown>): Form<T> {
  const [values, setValues] = useState(initial);
  const [start, setStart] = useState(initial);
  const [problem, setProblem] = useState<ApiProblem>();
  const [isSending, setSending] = useState(false);
  return {
    values,
    set: (changes) => setValues((before) => ({ ...before, ...changes })),
    errorsOf: (field) => problem?.errors[field] ?? [],
    problem,
    isSending,
    isChanged: JSON.stringify(values) !== JSON.stringify(start),
    reset: (next) => {
      setValues(next);
      setStart(next);
      setProblem(undefined);
    },
    async submit(event) {
      event?.preventDefault();
      if (isSending) return;
      setSending(true);
      setProblem(undefined);
      try {
        await send(values);
        // `send` may have reset the form, to what has nothing to save.
        setStart((before) => (before === start ? values : before));
      } catch (error) {
        setProblem(problemOf(error));
      } finally {
        setSending(false);
      }
    },
  };
}
