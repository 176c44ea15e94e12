import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import { t } from '../app/language.ts';
import { Icon } from './icon.ts';

export interface DragHandleProps {
  /** Of what is moved. */
  name: string;
  index: number;
  count: number;
  /** While it is dragged, and with every arrow key. */
  onMove: (from: number, to: number) => void;
  /** It has been let go at its new place. */
  onDrop: () => void;
}

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

/** Moves an entry of a list, whose elements carry `data-place`, by mouse, finger or arrow keys. */
export function DragHandle({ name, index, count, onMove, onDrop }: DragHandleProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isDragging, setDragging] = useState(false);
  // The listeners of a drag outlive many renderings.
  const now = useRef({ index, onMove, onDrop });
  now.current = { index, onMove, onDrop };

  function begin(event: PointerEvent): void {
    if (event.button !== 0) return;
    const list = button.current?.closest('[data-places]');
    const start = now.current.index;
    setDragging(true);
    const follow = (at: PointerEvent) => {
      const over = document.elementFromPoint(at.clientX, at.clientY)?.closest('[data-place]');
      const to = Number(over?.getAttribute('data-place') ?? -1);
      if (!over || !list?.contains(over) || to === now.current.index) return;
      now.current.onMove(now.current.index, to);
    };
    const end = () => {
      removeEventListener('pointermove', follow);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      setDragging(false);
      if (now.current.index !== start) now.current.onDrop();
    };
    // On the window: an element that changes its place in the document loses the pointer.
    addEventListener('pointermove', follow);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }

  function step(event: KeyboardEvent): void {
    const to = index + (STEPS[event.key] ?? 0);
    if (to === index || to < 0 || to >= count) return;
    event.preventDefault();
    onMove(index, to);
    onDrop();
    // An element that changes its place in the document loses the focus, too.
    setTimeout(() => button.current?.focus());
  }

  return html`
    <button
      ref=${button}
      type="button"
      class=${isDragging ? 'button quiet icon-only drag-handle is-dragging' : 'button quiet icon-only drag-handle'}
      aria-label=${t.shop.move(name, index + 1, count)}
      title=${t.shop.moveHint}
      onPointerDown=${begin}
      onKeyDown=${step}
    >
      <${Icon} name="drag" />
    </button>
  `;
}
