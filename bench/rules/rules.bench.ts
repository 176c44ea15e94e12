/** What the rules of operators cost, in this process and without a database. */
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { measureBook } from './rules-book.ts';
import { measureExpression } from './rules-expression.ts';
import { measureWorst } from './rules-worst.ts';

export const name = 'rules';

export async function run(context: Context): Promise<Figure[]> {
  context.progress('rules.expression …');
  const figures = await measureExpression();
  context.progress('rules.expression.worst …');
  const worst = measureWorst();
  context.progress('rules.book …');
  return [...figures, worst, measureBook()];
}
