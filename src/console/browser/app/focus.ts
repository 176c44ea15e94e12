import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Typing can begin at once in a form that has been opened. `autofocus` works only once in a document. */
export function useFocusFirst<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, []);
  return element;
}
