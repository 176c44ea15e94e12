import Type, { type TSchema } from 'typebox';
import { Defaulted } from './query-schema.ts';
import { COMPONENT } from './schema-helpers.ts';

/** The highest page keeps offsets within PostgreSQL's range. */
const MAX_PAGE_NUMBER = 1_000_000;

/** The query fields of every list; spread them into the route's querystring. */
export const pageQuery = {
  pageNumber: Defaulted(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_NUMBER,
      default: 1,
      description: 'Which page, counted from 1.',
    }),
  ),
  pageSize: Defaulted(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Entries on a page.' }),
  ),
};

export interface PageQuery {
  pageNumber: number;
  pageSize: number;
}

const PageMeta = Type.Object(
  {
    currentPage: Type.Integer({ minimum: 1 }),
    pageSize: Type.Integer({ minimum: 1 }),
    totalItems: Type.Integer({ minimum: 0 }),
    totalPages: Type.Integer({ minimum: 0 }),
  },
  { [COMPONENT]: 'PageMeta', description: 'Where this page stands in the whole list.' },
);

type PageMeta = Type.Static<typeof PageMeta>;

/** The schema of one page of `item`s; a named item names its page too. */
export function Page<Item extends TSchema>(item: Item) {
  const name = COMPONENT in item ? { [COMPONENT]: `${item[COMPONENT]}Page` } : {};
  return Type.Object({ data: Type.Array(item), meta: PageMeta }, { ...name, description: 'One page' });
}

export interface PageOf<Item> {
  data: Item[];
  meta: PageMeta;
}

export function pageOf<Item>(items: Item[], totalItems: number, query: PageQuery): PageOf<Item> {
  const { pageNumber, pageSize } = query;
  const totalPages = Math.ceil(totalItems / pageSize);
  return { data: items, meta: { currentPage: pageNumber, pageSize, totalItems, totalPages } };
}

/** How a store cuts the page out of its rows. */
export function windowOf(query: PageQuery): { limit: number; offset: number } {
  return { limit: query.pageSize, offset: (query.pageNumber - 1) * query.pageSize };
}
