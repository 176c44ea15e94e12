import { api, type Query } from './api.ts';
import type { Page } from './load.ts';

const ON_A_PAGE = 100;
/** A list that is longer is searched by name, not shown. */
const MOST_PAGES = 20;

/** All entries of a list that comes in pages. */
export async function loadAll<T>(address: string, query: Query = {}): Promise<T[]> {
  const found: T[] = [];
  for (let pageNumber = 1; pageNumber <= MOST_PAGES; pageNumber++) {
    const page = await api.get<Page<T>>(address, { ...query, pageNumber, pageSize: ON_A_PAGE });
    found.push(...page.data);
    if (pageNumber >= page.meta.totalPages) break;
  }
  return found;
}
