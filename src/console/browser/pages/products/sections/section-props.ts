import type { Context } from '../context.ts';
import type { Draft } from '../draft.ts';

/** What the fields of every section are given. */
export interface SectionFieldsProps {
  draft: Draft;
  set: (part: Partial<Draft>) => void;
  errorsOf: (field: string) => string[];
  context: Context;
}
