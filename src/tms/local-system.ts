/** What a system that lives in our database keeps of venues, besides what guests have booked. */
import type { Fragment, Tx } from '../db/database.ts';
import type { Notifications } from '../db/notifications.ts';
import type { ProductId, VenueId } from '../kernel/ids.ts';
import type { ProblemCode } from '../kernel/problem.ts';
import type { LocalConnector } from './contract.ts';
import type { DeskStore } from './desk.ts';
import type { LayoutStore } from './layout.ts';
import type { OccurrenceStore } from './occurrences.ts';

/** What is absent, the system does not have. */
export interface LocalSystem<Slug extends string = string> {
  /** Also the member that documents of venues and products have for it. */
  slug: Slug;
  /** Without notifications nothing is cached. */
  connect(notifications?: Notifications): LocalConnector;
  catalogue: SystemCatalogue;
  /**
   * Where the system itself knows when its venues are open: selects `date`, `opens_minute` and `closes_minute` of the
   * venue `v`. They replace the hours that the catalogue has.
   */
  hoursOf?(tx: Tx): Fragment;
  layout?: LayoutStore;
  desk?: DeskStore;
  occurrences?: OccurrenceStore;
}

/** What the document of a product has for its system, with the product's key. Each system knows its own members. */
export interface ProductPart {
  key: string;
}
/** The same of a venue. */
export type VenuePart = object;

/** Parts that have numbers of their own in documents. */
export type NumberedPart = 'zones' | 'areas' | 'tables';
export type CountedPart = NumberedPart | 'occurrences';

/** What a system keeps of venues and products in the catalogue. */
export interface SystemCatalogue {
  /** Throws where the product cannot be kept like this. */
  checkProduct(tx: Tx, venueId: VenueId, product: ProductPart): Promise<void>;
  /** Makes the product what its part says; it must exist. */
  saveProduct(tx: Tx, venueId: VenueId, product: ProductPart): Promise<void>;
  /** The members that products have for the system: all products of the venue, or one of them. */
  listProducts(tx: Tx, venueId: VenueId, productId?: ProductId): Promise<Map<ProductId, object>>;
  /** Writes the part of a venue whose products and spaces are already there. */
  importVenue(tx: Tx, venueId: VenueId, part: VenuePart): Promise<void>;
  /** As `importVenue` reads them. */
  exportVenues(tx: Tx, venueIds: readonly VenueId[]): Promise<Map<VenueId, VenuePart>>;
  /** Whether the part fits the venue and itself. */
  checkVenue(part: VenuePart, check: PartCheck): void;
  /** The list in the part that has an entry for every product. */
  productsIn(part: VenuePart): { list: string; entries: readonly ProductPart[] };
  /** The tables that give out the numbers of parts. */
  numbered: { [Part in NumberedPart]?: string };
  /** The numbers in a part, with where they stand. */
  numbersIn(part: VenuePart): { kind: NumberedPart; id: number; path: string }[];
  renumber(part: VenuePart, numbers: Renumbered): VenuePart;
  count(part: VenuePart): { [Part in CountedPart]?: number };
}

export type Renumbered = (kind: NumberedPart | 'spaces', id: number) => number;

export interface PartCheck {
  faults: FaultSink;
  /** Where the part stands in the document. */
  path: string;
  /** Undefined: that of the venue is none, which is a fault of its own. */
  timeZone: string | undefined;
  spaceIds: readonly number[];
}

/** Takes down what is wrong with a document. */
export interface FaultSink {
  add(path: string, message: string, code?: ProblemCode): void;
  /**
   * Runs a check that throws, and takes down what it says of a field below `path`. `within` is where the field stands
   * for other callers of the check.
   */
  attempt(path: string, check: () => unknown, within?: string): void;
}
