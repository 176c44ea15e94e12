/** Collects all faults of a document, so that its author need not find them one by one. */

import { fieldReport } from '../../http/validation/messages.ts';
import { Problem, type ProblemCode, problem } from '../../kernel/problem.ts';
import type { FaultSink } from '../../tms/local-system.ts';
import type { Registry } from '../../tms/registry.ts';
import { isEventSystem, type VenueDocument } from '../venues/service.ts';
import type { Placed } from './ids.ts';
import type { OperatorDocument } from './schema.ts';

export interface Faults extends FaultSink {
  /** Throws if there is anything, under the code of the first; what is not even well-formed comes before all else. */
  refuse(): void;
}

export function collectFaults(): Faults {
  const report = fieldReport();
  const codes: ProblemCode[] = [];
  const add: Faults['add'] = (path, message, code = 'VALID-N-001') => {
    report.add(path, message);
    codes.push(code);
  };
  return {
    add,

    attempt(path, check, within = '') {
      try {
        check();
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const { errors } = error.options;
        if (!errors) add(path, error.message, error.code);
        for (const [field, messages] of Object.entries(errors ?? {})) {
          for (const message of messages) add(joined(path, field.replace(within, '')), message, error.code);
        }
      }
    },

    refuse() {
      const entries = report.entries();
      const [first] = entries;
      if (!first) return;
      const code = codes.includes('VALID-N-001') ? 'VALID-N-001' : (codes[0] ?? 'VALID-N-001');
      const rest = entries.length > 1 ? ` There are ${entries.length - 1} more in errors.` : '';
      throw problem(code, {
        detail: `${first[0]}: ${first[1].join('; ')}.${rest}`,
        errors: Object.fromEntries(entries),
      });
    },
  };
}

const joined = (path: string, field: string) => [path, field].filter((part) => part !== '').join('.');

/** What a document names and does not contain. */
export interface Surroundings {
  /** Ids of partners by reference. */
  partners: ReadonlyMap<string, number>;
  categories: ReadonlySet<string>;
  venueTypes: ReadonlySet<string>;
  registry: Registry;
}

export interface Check {
  faults: Faults;
  document: OperatorDocument;
  around: Surroundings;
  /** By system and resource. */
  venues: ReadonlyMap<string, VenueDocument>;
  /** Ids in the document of its categories of partners. */
  categoryIds: ReadonlyMap<string, number>;
}

export const keyOf = ({ tms, resourceId }: { tms: string; resourceId: string }) => `${tms}|${resourceId}`;

export function placed<Thing>(
  things: readonly Thing[],
  path: string,
  field: string,
  idOf: (thing: Thing) => string,
) {
  return things.map(
    (thing, index): Placed<string> => ({ id: idOf(thing), path: `${path}.${index}.${field}` }),
  );
}

export function refuseTwice<Id>(faults: Faults, places: readonly Placed<Id>[]): void {
  const seen = new Map<Id, string>();
  for (const { id, path } of places) {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, path);
    else faults.add(path, `is ${id}, like ${first}`);
  }
}

export function checkPartners(
  faults: Faults,
  { partners }: Surroundings,
  references: readonly string[],
  path: string,
): void {
  for (const [index, reference] of references.entries()) {
    if (!partners.has(reference))
      faults.add(`${path}.${index}`, `is ${reference}, which is no partner`, 'PMAP-N-004');
  }
}

/** The code that the system of a venue is refused with; undefined: the operator uses it. */
export function systemFault(
  { document, around }: Check,
  tms: string,
): ReturnType<typeof problem> | undefined {
  const { systems } = document;
  if (systems.includes(tms)) return undefined;
  if (systems.length === 0)
    return problem('BOOK-N-001', { detail: 'names a system, and the operator has none' });
  const code = isEventSystem(around.registry, tms) ? 'EVENT-N-001' : 'BOOK-N-003';
  return problem(code, { detail: `is not among the systems of the operator, ${systems.join(', ')}` });
}
