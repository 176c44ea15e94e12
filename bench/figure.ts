/** One measured figure. It means nothing by itself, only against a reference that was measured in the same run. */
export interface Figure {
  name: string;
  ours: number;
  reference: number;
  unit: string;
  /** What `reference` is. */
  against: string;
  /** What the figure is meant to be; without one it is for information. */
  goal?: Goal;
}

/**
 * Further than what is asked for: to be tried in earnest and reported as it is. Kept in one place, because they are
 * about the whole and not about one benchmark.
 */
const STRETCH: Record<string, Goal> = {
  'availability.live': { atLeast: 0.6 },
  'bookings.create': { atLeast: 0.6 },
  deliveries: { atLeast: 0.6 },
};

/** Of the ratio of ours to the reference or, where the issue is an absolute limit, of ours alone. */
export type Goal = { atLeast: number } | { atMost: number } | { oursBelow: number };

const ratioOf = ({ ours, reference }: Figure): number => ours / reference;

function meets(figure: Figure, goal: Goal): boolean {
  if ('oursBelow' in goal) return figure.ours < goal.oursBelow;
  return 'atLeast' in goal ? ratioOf(figure) >= goal.atLeast : ratioOf(figure) <= goal.atMost;
}

function goalText(goal: Goal): string {
  if ('oursBelow' in goal) return `ours < ${goal.oursBelow}`;
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}

export function jsonLine(figure: Figure): string {
  const { name, ours, reference, unit, against, goal } = figure;
  const ratio = ratioOf(figure);
  return JSON.stringify({
    name,
    ours: rounded(ours),
    reference: rounded(reference),
    ratio: Number(ratio.toFixed(3)),
    unit,
    against,
    ...(goal && { goal: goalText(goal), met: meets(figure, goal) }),
    ...(STRETCH[name] && { stretch: verdictOf(figure, STRETCH[name]) }),
  });
}

const rounded = (value: number) => Number(value.toPrecision(4));

function verdictOf(figure: Figure, goal: Goal | undefined): string {
  return goal ? `${goalText(goal)} ${meets(figure, goal) ? 'met' : 'MISSED'}` : '';
}

const HEADER = ['name', 'ours', 'reference', 'ratio', 'unit', 'goal', 'stretch', 'against'];

const cellsOf = (figure: Figure): string[] => [
  figure.name,
  String(rounded(figure.ours)),
  String(rounded(figure.reference)),
  ratioOf(figure).toFixed(2),
  figure.unit,
  verdictOf(figure, figure.goal),
  verdictOf(figure, STRETCH[figure.name]),
  figure.against,
];

export function markdownOf(figures: readonly Figure[]): string {
  const aligned = HEADER.map((_, column) => (isNumber(column) ? '---:' : '---'));
  return [HEADER, aligned, ...figures.map(cellsOf)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const isNumber = (column: number) => column >= 1 && column <= 3;

export function tableOf(figures: readonly Figure[]): string {
  const all = [HEADER, ...figures.map(cellsOf)];
  const widths = HEADER.map((_, column) => Math.max(...all.map((line) => (line[column] ?? '').length)));
  return all
    .map((line) =>
      line
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
