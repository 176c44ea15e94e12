import type { Sql } from '../../../src/db/database.ts';
import type { RemoteConnector } from '../../../src/tms/remote.ts';

/**
 * What a node reaches the world by, until it is cut: then every statement, transaction and call fails before anything
 * is sent, as if the process had died. In between nothing leaves a node, so these are all the moments there are.
 */
export function createLifeline() {
  let left = Number.POSITIVE_INFINITY;
  let isCut = false;

  function step(): void {
    isCut ||= left <= 0;
    left -= 1;
    if (isCut) throw new Error('The node is dead.');
  }

  function stepping<Args extends unknown[], Result>(
    call: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result> {
    return async (...args) => {
      step();
      return call(...args);
    };
  }

  return {
    isCut: () => isCut,
    cutAfter(steps: number): void {
      left = steps;
    },
    sql(sql: Sql): Sql {
      return new Proxy(sql, {
        apply(target, self, args) {
          step();
          return Reflect.apply(target, self, args);
        },
        get(target, name) {
          const member = Reflect.get(target, name);
          return name === 'begin' ? stepping(member.bind(target) as never) : member;
        },
      });
    },
    connector(connector: RemoteConnector): RemoteConnector {
      const { availability, book, amend, cancel, find, holds, changes } = connector;
      return {
        ...connector,
        availability: stepping(availability),
        book: stepping(book),
        amend: stepping(amend),
        cancel: stepping(cancel),
        find: stepping(find),
        ...(changes && { changes: stepping(changes) }),
        ...(holds && {
          holds: {
            hold: stepping(holds.hold),
            extend: stepping(holds.extend),
            confirm: stepping(holds.confirm),
            release: stepping(holds.release),
          },
        }),
      };
    },
  };
}
