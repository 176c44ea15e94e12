import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';

export interface ChartProps {
  title: string;
  /** What it shows, in a sentence, for those who do not see it. */
  text: string;
  labels: readonly string[];
  values: readonly (number | null)[];
  format: (value: number) => string;
  kind: 'bars' | 'line';
}

const HEIGHT = 200;

/** Colours come from the style sheet through properties that resolve them, so that light and dark both work. */
function coloursOf(element: HTMLElement) {
  const { color, borderTopColor, caretColor } = getComputedStyle(element);
  return { mark: color, line: borderTopColor, text: caretColor };
}

function optionsOf(
  element: HTMLElement,
  { labels, format, kind }: ChartProps,
  onPoint: (index: number | undefined) => void,
): uPlot.Options {
  const { mark, line, text } = coloursOf(element);
  const font = '13px system-ui, sans-serif';
  const axis = { stroke: text, font, ticks: { show: false }, border: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [0.7, 36], radius: 0.15 });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [12, 36, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: false, range: [-0.6, labels.length - 0.4] },
      y: { range: (_, min, max) => [Math.min(0, min * 1.1), max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        space: 72,
        incrs: [1, 2, 7, 14, 28, 56],
        values: (_, places) => places.map((place) => labels[place] ?? ''),
      },
      {
        ...axis,
        size: 64,
        space: 44,
        grid: { stroke: line, width: 1 },
        values: (_, places) => places.map((place) => format(place)),
      },
    ],
    series: [
      {},
      {
        stroke: mark,
        width: kind === 'bars' ? 0 : 2,
        ...(kind === 'bars' ? { fill: mark, ...(bars && { paths: bars }) } : { spanGaps: true }),
        points: { show: kind === 'line' && labels.length < 40, size: 5, fill: mark, stroke: mark },
      },
    ],
    hooks: { setCursor: [(chart) => onPoint(chart.cursor.idx ?? undefined)] },
  };
}

/** A chart by day. The table of the page has the same values. */
export function Chart(props: ChartProps) {
  const { title, text, labels, values, format } = props;
  const element = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<number>();
  const key = JSON.stringify([labels, values]);
  useEffect(() => {
    const holder = element.current;
    if (!holder) return;
    let chart: uPlot | undefined;
    const draw = () => {
      chart?.destroy();
      chart = new uPlot(
        optionsOf(holder, props, setPlace),
        [labels.map((_, index) => index), [...values]],
        holder,
      );
    };
    draw();
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    const resized = new ResizeObserver(() => chart?.setSize({ width: holder.clientWidth, height: HEIGHT }));
    resized.observe(holder);
    return () => {
      scheme.removeEventListener('change', draw);
      resized.disconnect();
      chart?.destroy();
    };
  }, [key]);
  const value = place === undefined ? null : values[place];
  return html`
    <figure class="panel chart-panel">
      <figcaption>
        <h2>${title}</h2>
        <p class="small quiet" aria-hidden="true">
          ${place === undefined || value === null || value === undefined ? ' ' : `${labels[place]}: ${format(value)}`}
        </p>
      </figcaption>
      <div class="chart" ref=${element} role="img" aria-label=${text}></div>
    </figure>
  `;
}
