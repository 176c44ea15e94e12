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

/** Of the ratio of ours to the reference or, where the issue is an absolute limit, of ours alone. */
export type Goal = { atLeast: number } | { atMost: number } | { oursBelow: number };

export const ratioOf = ({ ours, reference }: Figure): number => ours / reference;

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
  });
}

const rounded = (value: number) => Number(value.toPrecision(4));

export function tableOf(figures: readonly Figure[]): string {
  const header = ['name', 'ours', 'reference', 'ratio', 'unit', 'goal', 'against'];
  const lines = figures.map((figure) => {
    const ratio = ratioOf(figure);
    const { goal } = figure;
    const verdict = goal ? `${goalText(goal)} ${meets(figure, goal) ? 'met' : 'MISSED'}` : '';
    return [
      figure.name,
      String(rounded(figure.ours)),
      String(rounded(figure.reference)),
      ratio.toFixed(2),
      figure.unit,
      verdict,
      figure.against,
    ];
  });
  const all = [header, ...lines];
  const widths = header.map((_, column) => Math.max(...all.map((line) => (line[column] ?? '').length)));
  const isNumber = (column: number) => column >= 1 && column <= 3;
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
