const EDGE_PX = 40;
const STEP_PX = 12;
/** Names of tables stay at the left while the rest scrolls below them. */
const NAMES_PX = 120;

/** The page follows a pointer that reaches its edge. */
export function scrollAtEdge(canvas: HTMLElement, event: PointerEvent): void {
  const scroller = canvas.closest<HTMLElement>('.timeline');
  if (!scroller) return;
  const box = scroller.getBoundingClientRect();
  const toward = (position: number, low: number, high: number) =>
    position < low + EDGE_PX ? -STEP_PX : position > high - EDGE_PX ? STEP_PX : 0;
  scroller.scrollBy(
    toward(event.clientX, box.left + NAMES_PX, box.right),
    toward(event.clientY, box.top, box.bottom),
  );
}
