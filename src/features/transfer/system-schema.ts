import { Type } from 'typebox';
import { named } from '../../http/schema-words.ts';
import { areas, combinations, tables, zones } from '../layout/parts.ts';
import { CombinationInput, TableInput, ZoneInput } from '../layout/schema.ts';
import { MOST_SPACES } from '../layout/spaces.ts';
import { MOST_PARTS } from '../venues/manage-frame.ts';
import { NewOccurrenceBody, NewProductBody } from '../venues/manage-product-schema.ts';
import { closed, fieldsOf, listOf, membersOf, number } from './words.ts';

/** What the built-in systems keep of a venue. */

const { key, house, tickets } = NewProductBody.properties;

const TableDocument = Type.Object(
  { id: number('table'), ...fieldsOf(TableInput.properties, ['areaId']) },
  { ...closed, ...named('TableDocument', 'A table, and whom it seats') },
);

const AreaDocument = Type.Object(
  { id: number('area'), name: ZoneInput.properties.name, tables: listOf(TableDocument, tables.most) },
  { ...closed, ...named('AreaDocument', 'A room or corner of a zone') },
);

const ZoneDocument = Type.Object(
  { id: number('zone'), name: ZoneInput.properties.name, areas: listOf(AreaDocument, areas.most) },
  { ...closed, ...named('ZoneDocument', 'A part of the house') },
);

export const HouseDocument = Type.Object(
  {
    zones: listOf(ZoneDocument, zones.most),
    combinations: Type.Optional(
      listOf(Type.Object(fieldsOf(CombinationInput.properties), closed), combinations.most, {
        description: 'Tables of one area that can be pushed together',
      }),
    ),
    spaceZones: Type.Optional(
      listOf(Type.Object({ spaceId: number('space'), zoneId: number('zone') }, closed), MOST_SPACES, {
        description: 'Where the guests of a space sit',
      }),
    ),
    products: listOf(Type.Object({ key, ...fieldsOf(membersOf(house)) }, closed), MOST_PARTS.product, {
      description: 'How products of the venue are seated',
    }),
  },
  { ...closed, ...named('HouseDocument', 'How a venue of the system `house` is laid out and run') },
);

export const TicketsDocument = Type.Object(
  {
    occurrences: listOf(NewOccurrenceBody, MOST_PARTS.ticket_occurrence),
    ticketTypes: listOf(Type.Object({ key, ...fieldsOf(membersOf(tickets)) }, closed), MOST_PARTS.product, {
      description: 'How products of the event are sold',
    }),
  },
  {
    ...closed,
    ...named('TicketsDocument', 'When an event of the system `tickets` takes place, and its tickets'),
  },
);
