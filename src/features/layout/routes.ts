import { type TSchema, Type } from 'typebox';
import { DryRunQuery, type ManageRoutes, manageRoutes, venueId, venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import {
  Area,
  AreaInput,
  areaExample,
  Combination,
  CombinationInput,
  combinationExample,
  ids,
  Layout,
  LayoutInput,
  LayoutPreview,
  layoutExample,
  listOf,
  Table,
  TableInput,
  tableExample,
  Zone,
  ZoneInput,
  zoneExample,
} from './schema.ts';
import type { LayoutService, Parts } from './service.ts';

/** The documentation of one kind of parts. */
interface Words<Document extends TSchema, Input extends TSchema> {
  noun: 'zone' | 'area' | 'table' | 'combination';
  document: Document;
  input: Input;
  example: Type.Static<Document>;
  /** The descriptions of the operations that create, change and remove one. */
  creating: string;
  changing: string;
  removing: string;
  /** When there is none with the id. */
  missing: ProblemCode;
  /** What a body can name that is not there. */
  refers?: ProblemCode;
  inUse?: ProblemCode;
}

const WORDS = {
  zones: {
    noun: 'zone',
    document: Zone,
    input: ZoneInput,
    example: zoneExample,
    creating: 'A part of the house. Areas are put into it, and products and spaces are placed in it.',
    changing: 'Gives it another name.',
    removing:
      'It goes with its areas, their tables and the combinations of those. Products that name other zones too lose it. Refused while a space is placed in it or a product names no other, and where a table has bookings, also past ones.',
    missing: 'VENUE-N-003',
    inUse: 'VENUE-N-005',
  },
  areas: {
    noun: 'area',
    document: Area,
    input: AreaInput,
    example: areaExample,
    creating: 'A room or corner of a zone. Only tables of one area can be pushed together.',
    changing: 'Gives it another name, or moves it with its tables into another zone.',
    removing:
      'It goes with its tables and the combinations of those. Refused where a table has bookings, also past ones.',
    missing: 'HTTP-N-404',
    refers: 'VENUE-N-003',
  },
  tables: {
    noun: 'table',
    document: Table,
    input: TableInput,
    example: tableExample,
    creating: 'A table, and the parties that it is given to.',
    changing:
      'Bookings stay where they are, whatever changes. A table with `isActive` false takes no new ones, alone or joined with others; a booking at it that is moved is seated elsewhere.',
    removing:
      'It goes with the combinations it is part of. Refused where it has bookings, also past ones: set `isActive` to false instead.',
    missing: 'HTTP-N-404',
  },
  combinations: {
    noun: 'combination',
    document: Combination,
    input: CombinationInput,
    example: combinationExample,
    creating: 'Tables of one area that can be pushed together, and the parties that the result is given to.',
    changing: 'Bookings stay where they are.',
    removing: 'Its tables stay, and so do bookings that have them.',
    missing: 'HTTP-N-404',
  },
} as const satisfies Record<string, Words<TSchema, TSchema>>;

export function layoutRoutes(app: App, layout: LayoutService): void {
  const routes = manageRoutes(app, 'Manage: layout');

  routes.get('/manage/venues/:venueId/layout', {
    access: 'manage:staff',
    operationId: 'getLayout',
    summary: 'See how a venue is laid out',
    description:
      'Zones, areas, tables and combinations in one document. Only for venues on `house`; other systems keep their own layout.',
    params: venuePath,
    problems: ['VENUE-N-001'],
    result: Layout,
    example: layoutExample,
    run: ({ params }) => layout.get(params.venueId),
  });

  routes.put('/manage/venues/:venueId/layout', {
    access: 'manage:manager',
    operationId: 'replaceLayout',
    summary: 'Change the whole layout of a venue',
    description:
      'Takes what `GET` answers, changed as you like, and stores all of it or nothing. A part without `id` is new; give it a `ref` of your own and name it by that where another part needs an id. A part that is not sent is removed, which is refused where `DELETE` of it would be. Bookings stay at their tables. With `dryRun=true` nothing is stored, and the answer says what would change, which bookings to come sit at tables that are removed, switched off or made too small, and why it would be refused.',
    params: venuePath,
    query: DryRunQuery,
    body: LayoutInput,
    problems: ['VALID-N-001', 'VENUE-N-001', 'VENUE-N-003', 'VENUE-N-005'],
    result: Type.Union([Layout, LayoutPreview]),
    example: layoutExample,
    run: ({ params, query, body, ...by }) =>
      query.dryRun ? layout.preview(by, params.venueId, body) : layout.replace(by, params.venueId, body),
  });

  partRoutes(routes, 'zones', WORDS.zones, layout.zones);
  partRoutes(routes, 'areas', WORDS.areas, layout.areas);
  partRoutes(routes, 'tables', WORDS.tables, layout.tables);
  partRoutes(routes, 'combinations', WORDS.combinations, layout.combinations);
}

function partRoutes<Document extends TSchema, Input extends TSchema>(
  routes: ManageRoutes,
  plural: keyof typeof WORDS,
  words: Words<Document, Input>,
  parts: Parts<Type.Static<Document>, Type.Static<Input>>,
): void {
  const { noun, document: result, input: body, example, missing, refers, inUse } = words;
  const one = `${noun === 'area' ? 'an' : 'a'} ${noun}`;
  const name = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  const names = `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
  const url = `/manage/venues/:venueId/${plural}`;
  const partUrl = `${url}/:${noun}Id`;
  const params = Type.Object({ venueId, [`${noun}Id`]: ids[`${noun}Id`] });
  const keyIn = (path: object): [VenueId, number] => {
    const { venueId: venue, [`${noun}Id`]: id } = path as { venueId: VenueId } & Record<string, number>;
    return [venue, id as number];
  };
  const venueProblems: ProblemCode[] = ['VALID-N-001', 'VENUE-N-001'];
  const ownProblems = [...new Set<ProblemCode>([...venueProblems, missing])];
  const bodyProblems = [...new Set<ProblemCode>([...ownProblems, ...(refers ? [refers] : [])])];

  routes.list(url, {
    access: 'manage:staff',
    operationId: `list${names}`,
    summary: `List the ${plural} of a venue`,
    description: 'All of them, in the order of their ids. Only for venues on `house`.',
    params: venuePath,
    problems: venueProblems,
    result: listOf(result),
    example: { data: [example] } as never,
    run: async ({ params: path }) => ({ data: await parts.list(path.venueId) }) as never,
  });

  routes.get(partUrl, {
    access: 'manage:staff',
    operationId: `get${name}`,
    summary: `Read ${one}`,
    description: `One of the ${plural} of a venue on \`house\`. Send its \`ETag\` back as \`If-Match\` to change exactly what you have read.`,
    params,
    problems: ownProblems,
    result,
    example: example as never,
    run: ({ params: path }) => parts.get(...keyIn(path)),
  });

  routes.create(url, {
    access: 'manage:manager',
    operationId: `create${name}`,
    summary: `Make ${one}`,
    description: words.creating,
    params: venuePath,
    body,
    problems: refers ? [...venueProblems, refers] : venueProblems,
    result,
    example: example as never,
    run: (call) => parts.create(call, call.params.venueId, call.body),
  });

  routes.put(partUrl, {
    access: 'manage:manager',
    operationId: `replace${name}`,
    summary: `Change ${one}`,
    description: words.changing,
    params,
    body,
    problems: bodyProblems,
    result,
    example: example as never,
    run: (call) => parts.replace(call, ...keyIn(call.params), call.body),
  });

  routes.remove(partUrl, {
    access: 'manage:manager',
    operationId: `delete${name}`,
    summary: `Remove ${one}`,
    description: words.removing,
    params,
    problems: inUse ? [...ownProblems, inUse] : ownProblems,
    run: (call) => parts.remove(call, ...keyIn(call.params)),
  });
}
