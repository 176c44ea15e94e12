import { useRef } from 'preact/hooks';
import { ApiProblem } from './api.ts';

/**
 * Sends under a key, so that what got no answer can be sent again and is done once. A refusal is an answer and is kept
 * under its key: what is sent after it has another one.
 */
export function useOnce(): <T>(send: (idempotencyKey: string) => Promise<T>) => Promise<T> {
  const key = useRef('');
  return async (send) => {
    key.current ||= crypto.randomUUID();
    try {
      return await send(key.current);
    } catch (error) {
      if (error instanceof ApiProblem && error.status < 500) key.current = '';
      throw error;
    }
  };
}
