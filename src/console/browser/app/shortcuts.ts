/** Keys of the view that is open. `?` lists them. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Shortcut {
  /** As `KeyboardEvent.key` has it, such as `n`, `/` or `ArrowLeft`. */
  key: string;
  label: string;
  run: (event: KeyboardEvent) => void;
}

export const shortcuts = signal<readonly Shortcut[]>([]);

export function useShortcuts(own: readonly Shortcut[], keys: readonly unknown[] = []): void {
  useEffect(() => {
    shortcuts.value = [...shortcuts.peek(), ...own];
    return () => {
      shortcuts.value = shortcuts.peek().filter((shortcut) => !own.includes(shortcut));
    };
  }, keys);
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

export function startShortcuts(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    // The view that was opened last comes first.
    const found = shortcuts.peek().findLast(({ key }) => key.toLowerCase() === event.key.toLowerCase());
    if (!found) return;
    event.preventDefault();
    found.run(event);
  });
}
