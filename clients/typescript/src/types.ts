/** Made from openapi.json by `npm run client:types`. Do not edit. */

/** What can be had now */
export type Availability = {
  /** Name of the product */
  name: string;
  deposit: Deposit | null;
  /** House rules */
  policy: string | null;
  cancellationPolicy: string | null;
  times: AvailabilityTimeSlot[];
  /** A sentence for guests, when `times` is empty */
  noAvailabilityReason: string | null;
  /** When `times` is empty: `NO_AVAILABILITY`, `NO_ELIGIBLE_PRODUCTS`, `FILTERED_BY_OPERATOR_RULES`, `FILTERED_BY_CAPACITY`; treat others as the first */
  noAvailabilityCode: string | null;
};

/** Questions about several products; `date`, `quantity` and `time` hold for entries that say nothing else */
export type AvailabilityRequest = {
  /** Trading day */
  date?: string | null;
  /** Covers or tickets */
  quantity?: number | null;
  /** For tables, only starts within an hour of this local time; for events it has no effect */
  time?: string | null;
  bookableProducts: AvailabilityRequestEntry[];
};

/** A product, and for when and how many */
export type AvailabilityRequestEntry = {
  /** A product or a ticket type, by its id of four segments */
  compositeId: string;
  /** Trading day `YYYY-MM-DD`, if not that of the request */
  date?: string | null;
  /** 1 to 1000 covers or tickets, if not those of the request */
  quantity?: number | null;
  /** Local time `HH:MM`, if not that of the request */
  time?: string | null;
};

/** What became of one entry: `availability` or `error`, never both */
export type AvailabilityResult = {
  /** As it was sent */
  compositeId: string;
  availability: Availability;
} | {
  /** As it was sent */
  compositeId: string;
  error: Problem;
};

/** What can be had now of each product */
export type AvailabilityResults = {
  /** One for each entry, in the same order */
  results: AvailabilityResult[];
};

/** Times that the operator does not offer; which fields are set follows from `type` */
export type AvailabilityRule = {
  id: string;
  type: "date_range" | "recurring" | "time_based" | "specific_dates" | "specific_dates_with_time" | "date_range_with_time" | "recurring_with_time";
  /**
   * `disable`: out of sale; `reserve`: kept for others than you
   */
  effect: "disable" | "reserve";
  /** The one product it concerns; null: the whole venue */
  productId: string | null;
  /** The one space it takes away; null: the whole time */
  spaceId: number | null;
  startDate: string | null;
  endDate: string | null;
  weekdays: number[] | null;
  dates: string[] | null;
  startTime: string | null;
  endTime: string | null;
  reason: string | null;
};

/** A start that can be booked or requested */
export type AvailabilityTimeSlot = {
  /** Start, local time `HH:MM` */
  time: string;
  /** Trading day of the start */
  date: string;
  /** The true start, with UTC offset */
  dateTime: string;
  /** Minutes */
  duration: number;
  /** Minutes */
  minDuration: number;
  /** Minutes */
  maxDuration: number;
  /** Minutes */
  durationInterval: number;
  /**
   * `book` is confirmed at once, `request` by the operator
   */
  type: "book" | "request";
  /** With type `request`: `fully_booked`, `exceeds_auto_confirm`, `request_only` or another reason */
  requestReason?: string;
  product: {
    /** Product id */
    id: string;
    name: string;
    /** The spaces that can be had then; minimum spends are those that the stay crosses */
    spaces: Space[];
  };
  /** With `includeUnavailable`: why it cannot be had, mostly codes of the catalogue; empty when it can */
  unavailableReasons?: string[];
  /**
   * @deprecated
   * Use `product.id`
   */
  productId: string;
};

/** A product or a ticket type */
export type Bookable = {
  /** The id for availability and orders: that of the listing and a fourth segment */
  compositeId: string;
  name: string;
  /** Names the product across venues; rules refer to it */
  slug: string | null;
  category: Category | null;
  /** Minutes between two slot times; null for tickets */
  timeInterval: number | null;
  preOrderRequiredType: "none" | "package" | "menu" | "packageAndMenu";
  /** Every booking owes a deposit */
  depositRequired: boolean;
  paymentRules: PaymentRule[];
  /** Null for tickets */
  spaces: Space[] | null;
  /** Of one ticket, in pence; null for tables */
  price: number | null;
  /** Of `price` */
  currency: string | null;
  /** Fewest covers or tickets of one booking; null: not told */
  minQuantity: number | null;
  /** Most covers or tickets of one booking on your channel; null: not told */
  maxQuantity: number | null;
};

/** Where they sit */
export type BookedArea = {
  id: number;
  name: string;
};

/** A dish or drink that was ordered */
export type BookedItem = {
  id: number;
  name: string;
  quantity: number;
  /** Price of one, options included, in pence */
  price: number;
  options: BookedOption[];
  /** All of them, in pence */
  total: number;
};

/** What was ordered of a menu */
export type BookedMenu = {
  id: number;
  slug: string | null;
  name: string;
  /**
   * `pre`: with the booking, `post`: later
   */
  submitted: "pre" | "post";
  items: BookedItem[];
  /** All items, in pence */
  total: number;
};

/** A choice that the guest made */
export type BookedOption = {
  id: string;
  name: string;
  value: string;
  /** Included in the item, in pence */
  price: number;
};

/** A package that was ordered, at the price of that day */
export type BookedPackage = {
  id: number;
  slug: string | null;
  name: string;
  quantity: number;
  /** Price of one, in pence */
  price: number;
  pricePer: "guest" | "booking";
  /** All of them, in pence */
  total: number;
};

/** What was ordered ahead */
export type BookedPreorders = {
  packages: BookedPackage[];
  menus: BookedMenu[];
};

/** A booking or an enquiry */
export type Booking = {
  id: string;
  /** The booked product */
  compositeId: string;
  /**
   * Confirmed at once, or requested from the operator
   */
  type: "book" | "request";
  /** Trading day */
  date: string;
  /** Start, local time `HH:MM` */
  time: string;
  /** The true start, with UTC offset */
  dateTime: string;
  /** Adults */
  partySize: number;
  children: number;
  /**
   * An enquiry is `pending` until the operator answers, and a booking with `paymentDue` until it is paid; more values may come
   */
  status: "pending" | "in_progress" | "confirmed" | "rejected" | "cancelled" | "completed" | "no_show";
  /** Null once the guest was forgotten; so are the other things a guest told */
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  company: string | null;
  /** The operator */
  venueGroupName: string;
  venueName: string;
  location: Location;
  /** Minutes */
  duration: number;
  productName: string;
  /** The requested space */
  spaceId: number | null;
  /** The requests of the guest */
  notes: string | null;
  labels: string[];
  /** When it was made */
  createdDate: string;
  /** When the system of the venue took it; null for an enquiry */
  tmsCreatedDate: string | null;
  /** Later with every change */
  lastUpdate: string;
  preorders: BookedPreorders;
  /** Your id for it */
  partnerBookingId: string | null;
  /** The number that the system of the venue gave it */
  operatorBookingId: string | null;
  /**
   * @deprecated
   * Use `operatorBookingId`
   */
  reference: string | null;
  payments: Payment[];
  /** What the partner has taken, in pence */
  depositAmount: number | null;
  paymentDue: PaymentDue | null;
  /** How many came; null until the operator says so */
  actualGuests: number | null;
  /** What they spent, in pence */
  actualSpend: number | null;
  /** Shown to the operator alone */
  admin_notes?: string | null;
  /** What booking rules have marked it with; shown to the operator alone */
  flags?: string[];
  /** A booking rule says that the guest gets no mail about pre-orders; shown to the operator alone */
  skipsPreorderEmail?: boolean;
};

/** The booking as it is to be; what is left out is cleared */
export type BookingAmendment = {
  /** A product of the same venue */
  compositeId: string;
  /**
   * What live availability said of the start; `request` is always possible
   */
  type: "book" | "request";
  /** Adults */
  partySize: number;
  /** Children, besides the adults */
  children?: number | null;
  /** The start, RFC 3339 with offset or `Z`; or send `date` and `time` */
  dateTime?: string | null;
  /** Trading day `YYYY-MM-DD` */
  date?: string | null;
  /** Local time `HH:MM` */
  time?: string | null;
  /** Minutes; left to the venue when absent */
  duration?: number | null;
  /** A space of the product */
  spaceId?: number | null;
  /** First name of the guest */
  firstName: string;
  /** Last name of the guest */
  lastName: string;
  email?: string | null;
  /** Telephone, like that of a new booking; one that is stored already may stay */
  phone?: string | null;
  /** For channels that need one, a name of their list */
  company?: string | null;
  /** Your own id for it; it stays used, also when the booking is cancelled */
  partnerBookingId?: string | null;
  /** What the guest wishes */
  notes?: string | null;
  /**
   * @deprecated
   * The older name of `notes`; where both are sent they must say the same
   */
  comments?: string | null;
  /** For the operator alone */
  admin_notes?: string | null;
  labels?: string[] | null;
  /** What you have taken, in pence */
  depositAmount?: number | null;
  preorders?: PreorderChoice | null;
  /** Of `MANDT-N-002`, once a person has said yes to just this; it works once, for ten minutes */
  confirmationToken?: string | null;
};

/** A booking that may be made, as `createBooking` takes it; the guest may be left out */
export type BookingDraft = {
  /** Adults */
  partySize: number;
  /** Children, besides the adults */
  children?: number | null;
  /** The start, RFC 3339 with offset or `Z`; or send `date` and `time` */
  dateTime?: string | null;
  /** Trading day `YYYY-MM-DD` */
  date?: string | null;
  /** Local time `HH:MM` */
  time?: string | null;
  /** Minutes; left to the venue when absent */
  duration?: number | null;
  /** A space of the product */
  spaceId?: number | null;
  email?: string | null;
  /** Telephone: 5 to 15 digits, with a leading `+`, separators and an extension as people write them */
  phone?: string | null;
  /** For channels that need one, a name of their list */
  company?: string | null;
  /** Your own id for it; it stays used, also when the booking is cancelled */
  partnerBookingId?: string | null;
  /** What the guest wishes */
  notes?: string | null;
  /**
   * @deprecated
   * The older name of `notes`; where both are sent they must say the same
   */
  comments?: string | null;
  /** For the operator alone */
  admin_notes?: string | null;
  labels?: string[] | null;
  /** What you have taken, in pence */
  depositAmount?: number | null;
  preorders?: PreorderChoice | null;
  /** Of `MANDT-N-002`, once a person has said yes to just this; it works once, for ten minutes */
  confirmationToken?: string | null;
  /**
   * `book` when absent
   */
  type?: "book" | "request";
  /** First name of the guest */
  firstName?: string | null;
  /** Last name of the guest */
  lastName?: string | null;
};

/** A booking to be made */
export type BookingRequest = {
  /**
   * What live availability said of the start; `request` is always possible
   */
  type: "book" | "request";
  /** Adults */
  partySize: number;
  /** Children, besides the adults */
  children?: number | null;
  /** The start, RFC 3339 with offset or `Z`; or send `date` and `time` */
  dateTime?: string | null;
  /** Trading day `YYYY-MM-DD` */
  date?: string | null;
  /** Local time `HH:MM` */
  time?: string | null;
  /** Minutes; left to the venue when absent */
  duration?: number | null;
  /** A space of the product */
  spaceId?: number | null;
  /** First name of the guest */
  firstName: string;
  /** Last name of the guest */
  lastName: string;
  email?: string | null;
  /** Telephone: 5 to 15 digits, with a leading `+`, separators and an extension as people write them */
  phone?: string | null;
  /** For channels that need one, a name of their list */
  company?: string | null;
  /** Your own id for it; it stays used, also when the booking is cancelled */
  partnerBookingId?: string | null;
  /** What the guest wishes */
  notes?: string | null;
  /**
   * @deprecated
   * The older name of `notes`; where both are sent they must say the same
   */
  comments?: string | null;
  /** For the operator alone */
  admin_notes?: string | null;
  labels?: string[] | null;
  /** What you have taken, in pence */
  depositAmount?: number | null;
  preorders?: PreorderChoice | null;
  /** Of `MANDT-N-002`, once a person has said yes to just this; it works once, for ten minutes */
  confirmationToken?: string | null;
  /** A hold of yours for just this booking, which takes over its place, its terms and its id */
  holdId?: string | null;
  /** That of the hold; where it is sent, it is checked */
  offerToken?: string | null;
};

/** What your channel must send along with a booking */
export type BookingRequirements = {
  /** Members that a booking at this venue cannot do without */
  requiredFields: string[];
  company: {
    mode: "none" | "single" | "list";
    isRequired: boolean;
    /** The names a booking may carry on your channel */
    companyNames: string[];
  };
};

/** What an operator demands of bookings */
export type BookingRule = {
  /** A refusal names it in `violations[].ruleId` */
  id: string;
  /** The first segment of the ids of its venues */
  operatorId: number;
  effect: "route_to_enquiry" | "require_deposit" | "same_package" | "booking_window" | "party_size_limit" | "require_preorder" | "suppress_preorder_email" | "expression";
  appliesTo: RuleReach;
  /** What a fixed effect needs to know, complete; empty for an expression */
  params: {
    [key: string]: number | string | null;
  };
  name: string;
  description: string | null;
  /** What a guest may be told when it refuses */
  message: string | null;
  /** The rule in a sentence or two, generated */
  summary: string;
  whenApplied: ("booking_create" | "booking_amend" | "booking_payment" | "booking_cancel")[];
  consequence: "rejects_booking" | "requires_deposit" | "turns_booking_into_enquiry" | "skips_preorder_email" | "conditional";
  /**
   * What it refuses with; absent when it never does
   */
  errorCode?: "AVAIL-N-007" | "AVAIL-N-008" | "BKRUL-N-001" | "BKRUL-N-002" | "BKRUL-N-003" | "BKRUL-N-004" | "BKRUL-N-005" | "BKRUL-N-006" | "BKRUL-N-100";
  /** Rules with a lower one come first */
  priority: number;
  /**
   * Expression rules: the operation that they apply to
   */
  hook?: "booking.create" | "booking.amend" | "payment";
  /** Expression rules: JsonLogic over the facts of the hook */
  when?: unknown;
  /** Expression rules: what they do when `when` holds */
  then?: RuleAction[];
  outcomes?: RuleOutcomes;
};

/** The rules that concern you */
export type BookingRules = {
  generatedAt: string;
  caller: RuleCaller;
  /** By operator; fixed effects before expressions, each by priority and id, which is the order in which they are carried out */
  rules: BookingRule[];
  hooks: RuleHook[];
};

/** When something can be had, or cannot. On a date that has hours of its own, those take the place of weekly ones. Hours of a bookable take the place of those of its listing; blackouts of the listing hold for all its bookables */
export type CalendarRule = {
  /**
   * `opening_hours`: guests are received; `occurrence`: the event takes place; `blackout`: nothing is to be had, whatever the other rules say
   */
  kind: "opening_hours" | "occurrence" | "blackout";
  /** The one bookable that it is about; null: the whole listing */
  compositeId: string | null;
  /** Null: whatever the weekday */
  weekdays: number[] | null;
  /** First trading day; null: since ever */
  startDate: string | null;
  /** Last trading day, included; null: for good. A rule for one date has it in both */
  endDate: string | null;
  /** Local time, `HH:MM`; null: the whole day */
  startTime: string | null;
  /** Local time, `HH:MM`, excluded; at or before `startTime` it is on the next day; null with `startTime` */
  endTime: string | null;
  /** What the venue says about it; the act, where it is an occurrence */
  reason: string | null;
};

export type CancelOrderQuery = {
  /** The same as in the body, for clients that send none with DELETE */
  bookingIds?: string[];
};

/** Guests in this layout; both null where the space is not laid out so */
export type Capacity = {
  min: number | null;
  max: number | null;
};

/** Product category */
export type Category = {
  id: number;
  name: string;
  slug: string;
};

/** All categories */
export type CategoryList = {
  data: Category[];
};

/** How to go on */
export type CursorMeta = {
  /** The `cursor` of the next page; null when there is none yet */
  nextCursor: string | null;
};

/** Hours of one date */
export type DatedHours = {
  /** Trading day */
  date: string;
  isClosed: boolean;
  periods: Period[];
  reason: string | null;
};

/** The deposit that this party owes */
export type Deposit = {
  /** Amount, in pence */
  amount: number;
  currency: string;
  per: "booking" | "guest" | "adult" | "child";
  /** What this party would pay, in pence */
  total: number;
};

/** A rule that refuses, as the refusal would name it */
export type ForeseenViolation = {
  ruleId: string;
  /** Expression rules: the rule as it is worded now */
  analyticsRuleId?: string;
  /** Expression rules */
  rejectMessages?: string[];
};

/** A start that can be had now */
export type FoundTable = {
  /** What to book */
  compositeId: string;
  venue: string;
  product: string;
  area: string;
  city: string;
  date: string;
  /** Local start */
  time: string;
  /**
   * `book` is confirmed at once, `request` by the venue
   */
  type: "book" | "request";
  /** Send it when booking */
  spaceId?: number;
  space?: string;
  /** Least that a guest has to spend, in pence */
  price?: number;
  /** For the whole party, in pence */
  deposit?: number;
  /** Of the deposit */
  currency?: string;
  /** What a booking here cannot do without */
  needs?: ("preorder" | "company")[];
  /** How it fits, and how it does not */
  why: string[];
};

/** Tables over many venues */
export type FoundTables = {
  /** The closest to the question first */
  tables: FoundTable[];
  /** What these tables do not meet, because nothing did among the 60 venues that come closest; `day`: any time of it */
  relaxed: ("time" | "place" | "text" | "types" | "day")[];
  /** Venues whose system does not answer at the moment */
  unanswered?: string[];
  /**
   * None of your venues is in that city, or fits what is never relaxed
   */
  noVenues?: true;
  /** There may be more */
  nextCursor?: string;
};

export type GetAvailabilityQuery = {
  /** Adults */
  partySize: number;
  /** Children, who need seats as well */
  children?: number;
  /** Trading day; needed unless `startDateTime` is given */
  date?: string;
  /** Only starts within an hour of this local time */
  time?: string;
  /** Wished stay, in minutes */
  duration?: number;
  /** Earliest start, local time */
  startTime?: string;
  /** Latest start, local time; before `startTime` it is after midnight */
  endTime?: string;
  /** Earliest start as an instant with UTC offset; needed unless `date` is given */
  startDateTime?: string;
  /** Latest start as an instant with UTC offset, at most 48 hours after `startDateTime` */
  endDateTime?: string;
  /** Most that the space may demand, in pence */
  minimumSpend?: number;
  /** Spaces that welcome guests under 18, or those that do not */
  under18s?: boolean;
  /** Occasions separated by commas; a space must take all of them */
  occasionTypes?: string[];
  /** Spaces that take promoted events, or those that do not */
  promotedEvents?: boolean;
  /** Spaces that are step-free, or those that are not */
  accessibility?: boolean;
  /** Spaces where food is served, or those where it is not */
  servesFood?: boolean;
  /** Also return starts that cannot be had, with the reasons */
  includeUnavailable?: boolean;
  /** What to return, for example `times(time,type,product(spaces(id)))` */
  fields?: string;
};

export type GetBookingQuery = {
  /** What to return, for example `id,status,preorders(menus(submitted))` */
  fields?: string;
};

export type GetVenueQuery = {
  /** What to return, for example `id,name,products(compositeId,spaces(id,capacitySeated(max)))` */
  fields?: string;
};

/** What is held */
export type HeldSlot = {
  /** The product */
  compositeId: string;
  /** Trading day */
  date: string;
  /** Start, local time `HH:MM` */
  time: string;
  /** The true start, with UTC offset */
  dateTime: string;
  /** Minutes */
  duration: number;
  /** Adults */
  partySize: number;
  children: number;
  /** The requested space */
  spaceId: number | null;
};

/** A place that is kept for a booking which is not made yet */
export type Hold = {
  /** The booking will have the same id */
  id: string;
  /**
   * Only an `open` hold keeps the place
   */
  status: "open" | "used" | "released" | "expired";
  /** When it ends by itself */
  expiresAt: string;
  /** A hold can be extended once */
  isExtended: boolean;
  slot: HeldSlot;
  offer: Offer;
  /** The offer as a signed JWT (ES256), to be checked with our public keys; null once the hold has ended */
  offerToken: string | null;
  /** The booking that has used it */
  bookingId: string | null;
};

/** For how long from now a place is to be kept */
export type HoldExtension = {
  /** For how long; 300 when absent */
  ttlSeconds?: number | null;
};

/** A place to be kept for a while; its start is `dateTime`, or `date` and `time` */
export type HoldRequest = {
  /** Adults */
  partySize: number;
  /** Children, besides the adults */
  children?: number | null;
  /** The start, RFC 3339 with offset or `Z`; or send `date` and `time` */
  dateTime?: string | null;
  /** Trading day `YYYY-MM-DD` */
  date?: string | null;
  /** Local time `HH:MM` */
  time?: string | null;
  /** Minutes; left to the venue when absent */
  duration?: number | null;
  /** A space of the product */
  spaceId?: number | null;
  /** For how long; 300 when absent */
  ttlSeconds?: number | null;
  /** Of `MANDT-N-002`, once a person has said yes to just this; it works once, for ten minutes */
  confirmationToken?: string | null;
};

/** An item of the menu */
export type ItemChoice = {
  id: number;
  quantity: number;
  options?: OptionChoice[] | null;
};

/** Steps that are carried out in order, all or none (RFC 6902) */
export type JsonPatch = PatchOperation[];

export type ListBookingRulesQuery = {
  /** Rules of this operator */
  operatorId?: number;
  /** Rules that can concern this venue, or, with a product id of four segments, this product; the pipes may be percent-encoded or sent as they are */
  venueId?: string;
  /**
   * Rules with this effect
   */
  effect?: "route_to_enquiry" | "require_deposit" | "same_package" | "booking_window" | "party_size_limit" | "require_preorder" | "suppress_preorder_email" | "expression";
  /**
   * Expression rules of this hook
   */
  hook?: "booking.create" | "booking.amend" | "payment";
};

export type ListBookingsQuery = {
  /** Which page, counted from 1. */
  pageNumber?: number;
  /** Entries on a page. */
  pageSize?: number;
  /** Only bookings of this product */
  compositeId?: string;
  /** The number that the system of the venue gave */
  operatorBookingId?: string;
  /** The id that the partner gave */
  partnerBookingId?: string;
  /** Only these bookings, as far as they are yours */
  id?: string[];
  /** Only bookings of this venue */
  venueId?: string;
  /** Any of these */
  status?: ("pending" | "in_progress" | "confirmed" | "rejected" | "cancelled" | "completed" | "no_show")[];
  /** Trading day; from this one on */
  dateFrom?: string;
  /** Trading day; up to and including this one */
  dateTo?: string;
  /** Only bookings whose `lastUpdate` is this or later */
  updatedSince?: string;
  /** What to return of each booking */
  fields?: string;
};

export type ListListingsQuery = {
  /** Which page, counted from 1. */
  pageNumber?: number;
  /** Entries on a page. */
  pageSize?: number;
  /**
   * By what is said of the venue of an item. `default`: its id; `city` and `area`: then by name; `relevance` needs `query`
   */
  sortBy?: "default" | "name" | "city" | "area" | "relevance";
  /**
   * `ASC` unless given; by relevance, the best match first unless given
   */
  sortDirection?: "ASC" | "DESC";
  /**
   * Only listings of this kind; venues without one are left out
   */
  capability?: "table_reservation" | "event_ticket";
  /** Part of the name, in any case */
  venueName?: string;
  /** Part of the name of the operator, in any case */
  operatorName?: string;
  /** Name of the city, in any case */
  city?: string;
  /** Name of the area, in any case */
  area?: string;
  /** Slugs of venue types separated by commas; a venue must have all of them */
  features?: string[];
  /** Only what trades or takes place on this day (the trading day) */
  date?: string;
  /** Free text; keeps venues that match any of its words, synonyms and near spellings included */
  query?: string;
  /** What to return of each group, for example `groupName,items(name,capabilities(id,bookableProducts(compositeId)))` */
  fields?: string;
};

export type ListRequestsQuery = {
  /** Only calls with this `X-Correlation-ID` */
  correlationId?: string;
  /** Only answers with this status, such as `404`, or of this class, such as `4xx` */
  status?: string;
  /** Only answers with this problem code */
  code?: string;
  /** Only calls by this method */
  method?: string;
  /** Only calls of this pattern, such as `/venues/{venueId}` */
  route?: string;
  /** Only calls of this client */
  clientId?: string;
  /** Only calls that arrived then or later */
  from?: string;
  /** Only calls that arrived before then */
  to?: string;
  /** Entries on a page. */
  limit?: number;
  /** `nextCursor` of the page before this one */
  cursor?: string;
};

export type ListVenuesQuery = {
  /** Which page, counted from 1. */
  pageNumber?: number;
  /** Entries on a page. */
  pageSize?: number;
  /**
   * `default`: by id; `city` and `area`: then by name; `venueGroup` needs `venueGroupName`; `relevance` needs `query`, and gives the best 600 at most
   */
  sortBy?: "default" | "name" | "city" | "area" | "venueGroup" | "relevance";
  /**
   * `ASC` unless given; by relevance, the best match first unless given
   */
  sortDirection?: "ASC" | "DESC";
  /** Only venues that trade on this day (their trading day) */
  date?: string;
  /** With `date`: only venues that are open at this local time, `HH:MM` */
  time?: string;
  /** Name of the operator, in any case */
  venueGroupName?: string;
  /** Free text; keeps venues that match any of its words, synonyms and near spellings included */
  query?: string;
  /** Part of the name, in any case */
  venueName?: string;
  /** Name of the city, in any case */
  city?: string;
  /** Name of the area, in any case */
  area?: string;
  /** Part of the name of one of the products, in any case */
  productName?: string;
  /** Slugs of venue types separated by commas; a venue must have all of them */
  features?: string[];
  /** With `lng` and `radius` */
  lat?: number;
  /** With `lat` and `radius` */
  lng?: number;
  /** Metres around `lat` and `lng` */
  radius?: number;
  /** What to return of each venue, for example `id,name,products(compositeId,productName)` */
  fields?: string;
};

export type ListWaitlistQuery = {
  /** Which page, counted from 1. */
  pageNumber?: number;
  /** Entries on a page. */
  pageSize?: number;
  /** Only this trading day */
  date?: string;
  /** Any of these */
  status?: ("waiting" | "offered" | "booked" | "expired" | "removed")[];
};

export type ListWebhookDeliveriesQuery = {
  /** Only to this subscription, which may be gone */
  webhookId?: string;
  /** Only of this event */
  eventId?: string;
  /**
   * Only those
   */
  status?: "pending" | "delivered" | "dropped";
  /** Entries on a page. */
  limit?: number;
  /** Only what comes after this delivery of the list */
  cursor?: string;
};

export type ListWebhookEventsQuery = {
  /** Only this event */
  eventId?: string;
  /**
   * Only these
   */
  eventType?: "booking.updated" | "message.received" | "venue.updated" | "hold.expired" | "waitlist.offered";
  /** Only what happened then or later */
  since?: string;
  /** Only what happened before then */
  until?: string;
  /** Entries on a page. */
  limit?: number;
  /** Only what comes after this event of the log */
  cursor?: string;
};

/** A booking as lists show it */
export type ListedBooking = {
  id: string;
  /** The booked product */
  compositeId: string;
  /**
   * Confirmed at once, or requested from the operator
   */
  type: "book" | "request";
  /** Trading day */
  date: string;
  /** Start, local time `HH:MM` */
  time: string;
  /** The true start, with UTC offset */
  dateTime: string;
  /** Adults */
  partySize: number;
  children: number;
  /**
   * An enquiry is `pending` until the operator answers, and a booking with `paymentDue` until it is paid; more values may come
   */
  status: "pending" | "in_progress" | "confirmed" | "rejected" | "cancelled" | "completed" | "no_show";
  /** Null once the guest was forgotten; so are the other things a guest told */
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  company: string | null;
  /** The operator */
  venueGroupName: string;
  venueName: string;
  location: Location;
  /** Minutes */
  duration: number;
  productName: string;
  /** The requested space */
  spaceId: number | null;
  /** The requests of the guest */
  notes: string | null;
  labels: string[];
  /** When it was made */
  createdDate: string;
  /** When the system of the venue took it; null for an enquiry */
  tmsCreatedDate: string | null;
  /** Later with every change */
  lastUpdate: string;
  preorders: BookedPreorders;
  /** Your id for it */
  partnerBookingId: string | null;
  /** The number that the system of the venue gave it */
  operatorBookingId: string | null;
  /**
   * @deprecated
   * Use `operatorBookingId`
   */
  reference: string | null;
  payments: Payment[];
  /** What the partner has taken, in pence */
  depositAmount: number | null;
  paymentDue: PaymentDue | null;
  /** How many came; null until the operator says so */
  actualGuests: number | null;
  /** What they spent, in pence */
  actualSpend: number | null;
  /** Shown to the operator alone */
  admin_notes?: string | null;
  /** What booking rules have marked it with; shown to the operator alone */
  flags?: string[];
  /** A booking rule says that the guest gets no mail about pre-orders; shown to the operator alone */
  skipsPreorderEmail?: boolean;
  area: BookedArea | null;
  /** Shown to the operator alone */
  tmsTables?: string[];
  /** Confirmed without a decision of the operator; shown to the operator alone */
  autoConfirmed?: boolean;
};

/** One page */
export type ListedBookingPage = {
  data: ListedBooking[];
  meta: PageMeta;
};

/** A venue as it stands in a list */
export type ListedVenue = {
  /** Venue group, system and venue, three segments joined by `|` */
  id: string;
  name: string;
  /** The operator */
  venueGroupName: string;
  content: VenueContent;
  phone_number: string | null;
  website: string | null;
  /** You can book here now */
  reservable: boolean;
  /** IANA zone of every local time of this venue */
  timeZone: string;
  location: Location;
  /** What kind of place it is; the `features` filter takes these slugs */
  types: VenueType[];
  photos: Photo[];
  /** Another name of `photos` */
  media: Photo[];
  /**
   * @deprecated
   * Use `reservable`
   */
  is_active: boolean;
  /** @deprecated */
  created_at: string;
  updated_at: string;
  products: Product[];
  preorders: Preorders;
  opening_times: OpeningTimes;
  /** Where your channel is narrower than the venue’s own settings */
  bookingOverrides: {
    maxPartySize: number | null;
    requestOnly: boolean;
  };
  operatorAvailabilityRules: AvailabilityRule[];
  bookingRequirements?: BookingRequirements;
};

/** One page */
export type ListedVenuePage = {
  data: ListedVenue[];
  meta: PageMeta;
};

/** One thing that a venue offers, tables or an event */
export type Listing = {
  /** Three segments, those of the venue or of the event itself. It is not a `compositeId`: what is booked are the bookable products */
  id: string;
  /**
   * What is booked here; one thing for each listing
   */
  capability: "table_reservation" | "event_ticket";
  name: string;
  content: VenueContent;
  /** IANA zone of every local time of this venue */
  timeZone: string;
  /** You can book here now */
  reservable: boolean;
  phoneNumber: string | null;
  website: string | null;
  /** What kind of place it is; the `features` filter takes these slugs */
  types: VenueType[];
  photos: Photo[];
  /** What can be booked, and where its ids are */
  bookableProducts: Bookable[];
  /** Opening hours, occurrences and days without; what is still free only live availability says */
  availabilityOccurrence: CalendarRule[];
  preorders: Preorders;
};

/** The items of one operator on this page; more of them may follow on the next */
export type ListingGroup = {
  /** The operator */
  groupName: string;
  items: ListingItem[];
};

/** A venue with the events it hosts, or an event by itself */
export type ListingItem = {
  name: string;
  location: Location;
  /** The venue’s own first, then the events it hosts */
  capabilities: Listing[];
};

/** One page; `meta` counts items */
export type ListingPage = {
  meta: PageMeta;
  listings: ListingGroup[];
};

/** Where the venue is */
export type Location = {
  lat: number;
  lng: number;
  address: string | null;
  area: string;
  city: string;
  postcode: string | null;
  /** ISO 3166-1, two letters */
  countryCode: string;
};

/** One call and how it was answered */
export type LoggedRequest = {
  id: string;
  /** When it arrived */
  at: string;
  /** The client that called: one of the partner, or an agent */
  clientId: string;
  method: string;
  /** The pattern of the address, without the ids in it and the query */
  route: string;
  /** The venue that the address names; null: it names none */
  venueId: string | null;
  /** Of the answer; null: the caller disconnected before there was one */
  status: number | null;
  /** Of the problem that was answered; null: there was none */
  code: string | null;
  /** `X-Correlation-ID` of the call and its answer; null where it had other characters than letters, digits and `._:/+=~-` */
  correlationId: string | null;
  /** From the arrival of the call to the end of the answer */
  durationMs: number;
};

/** A page of the request log */
export type LoggedRequests = {
  /** The newest first */
  data: LoggedRequest[];
  meta: {
    /** The `cursor` of the next page; null: this is the last one */
    nextCursor: string | null;
  };
};

/** What a client may do at most; a limit that is left out does not apply */
export type Mandate = {
  /** Guests of one booking, children included */
  maxPartySize?: number | null;
  /** All that is paid ahead for one booking, at once or in parts, in pence */
  maxDepositPence?: number | null;
  /** Bookings and enquiries whose visit is still to come, with the places that are held for some */
  maxOpenBookings?: number | null;
  /** Bookings and enquiries made within 24 hours, also those cancelled since */
  maxBookingsPerDay?: number | null;
  /** Days from today, at the venue, to the day of the visit; 0: today only */
  maxDaysAhead?: number | null;
  /** The only venues where it may book */
  venueIds?: string[] | null;
  /** The only cities where it may book, as venues name them, in upper or lower case */
  cities?: string[] | null;
  /** Above these a booking is confirmed by a person: see `MANDT-N-002` */
  confirmAbove?: {
    /** Larger parties are confirmed */
    partySize?: number | null;
    /** Larger deposits are confirmed */
    depositPence?: number | null;
  } | null;
};

/** A menu that guests can order from ahead */
export type Menu = {
  id: number;
  /** Names the menu across venues; rules refer to it */
  slug: string | null;
  name: string;
  description: string | null;
  items: MenuItem[];
};

/** A menu of the product, by `id` or `slug`, and what is ordered of it */
export type MenuChoice = {
  id?: number | null;
  /** Instead of `id` */
  slug?: string | null;
  items: ItemChoice[];
};

/** A dish or drink of a menu */
export type MenuItem = {
  id: number;
  name: string;
  /** Price, in pence */
  price: number;
  description: string | null;
  diet_types: string[];
  allergens: string[];
  configurable_options: MenuOption[];
  type: string;
  subType: string | null;
  displayOrder: number;
};

/** A choice that an item leaves to the guest */
export type MenuOption = {
  id: string;
  name: string;
  required: boolean;
  values: MenuOptionValue[];
};

/** One of the values to choose from */
export type MenuOptionValue = {
  value: string;
  /** Added to the price of the item, in pence */
  price: number;
};

/** What guests spend at least, within a band of the day */
export type MinimumSpend = {
  weekdays: number[];
  /** Local time, `HH:MM` */
  startTime: string;
  /** Local time, `HH:MM`; at or before `startTime` it is on the next day */
  endTime: string;
  /** Least spend for the band, in pence */
  amount: number;
};

/** A party that is to wait for a place */
export type NewWaitlistEntry = {
  /** Trading day `YYYY-MM-DD` */
  date: string;
  /** The first start that would do, local time `HH:MM` */
  from: string;
  /** The last start that would do, local time `HH:MM`, on the same trading day */
  to: string;
  /** Adults */
  partySize: number;
  /** Children, besides the adults */
  children?: number | null;
  /** A space of the product */
  spaceId?: number | null;
  /** First name of the guest */
  firstName: string;
  /** Last name of the guest */
  lastName: string;
  email?: string | null;
  /** Telephone: 5 to 15 digits, with a leading `+`, separators and an extension as people write them */
  phone?: string | null;
  /** Your own id for the booking it may become */
  partnerBookingId?: string | null;
};

/** A booking as it is after the change */
export type NotifiedBooking = {
  /** Id of the booking; with `lastUpdate` it tells whether you have seen this before */
  id: string;
  /** Composite id of the venue */
  venueId: string;
  /** Trading day */
  date: string;
  /** Local time of the start, `HH:MM` */
  time: string;
  /** Adults */
  partySize: number;
  status: "pending" | "confirmed" | "cancelled" | "completed" | "no_show";
  /** The booking's number in the system of the venue */
  reference: string | null;
  /** Of the guest */
  firstName: string | null;
  /** Of the guest */
  lastName: string | null;
  /** Of the guest */
  email: string | null;
  /** Of the guest */
  phone: string | null;
  /** How many came; null until the operator says so */
  actualGuests: number | null;
  /** What they spent, in pence */
  actualSpend: number | null;
  /** Minutes */
  duration: number;
  /** What the guest has said */
  notes: string | null;
  /** When it was made */
  createdDate: string;
  /** When it was last changed; always later than before */
  lastUpdate: string;
};

/** A hold that has ended without a booking */
export type NotifiedHold = {
  /** Id of the hold */
  id: string;
  /** The product */
  compositeId: string;
  /** Trading day */
  date: string;
  /** Local time of the start, `HH:MM` */
  time: string;
  /** Adults */
  partySize: number;
  children: number;
  /** When it ended */
  expiresAt: string;
};

/** Something that the operator says about a booking */
export type NotifiedMessage = {
  /** Id of the message */
  id: string;
  /** The booking that it is about */
  bookingId: string;
  /** What the operator says */
  text: string;
  /** Where an answer goes */
  replyTo: string | null;
};

/** A place that is kept for a party */
export type NotifiedOffer = {
  /** Sent as `holdId` with a booking of this slot, it makes the booking */
  holdId: string;
  /** Until when the place is kept */
  expiresAt: string;
  slot: NotifiedSlot;
};

/** The start that is kept */
export type NotifiedSlot = {
  /** Trading day */
  date: string;
  /** Local time of the start, `HH:MM` */
  time: string;
  /** The start, local time with its offset */
  dateTime: string;
  /** Minutes */
  duration: number;
};

/** A venue that has closed */
export type NotifiedVenue = {
  /** Id of the venue */
  compositeId: string;
  /** False: it has closed */
  active: boolean;
};

/** An entry of a waiting list, without its guest */
export type NotifiedWaitlistEntry = {
  /** Id of the entry */
  id: string;
  /** Id of the product */
  compositeId: string;
  /** Trading day */
  date: string;
  /** The first start that would do */
  from: string;
  /** The last start that would do */
  to: string;
  /** Adults */
  partySize: number;
  children: number;
  spaceId: number | null;
  status: "waiting" | "offered" | "booked" | "expired" | "removed";
  offer: NotifiedOffer | null;
  /** Of the booking that it has become */
  bookingId: string | null;
  /** The id that the partner gave */
  partnerBookingId: string | null;
};

/** On which terms a booking of the held place is made, whatever changes meanwhile */
export type Offer = {
  currency: string;
  /** What each guest pays; null where guests pay for what they have, in pence */
  pricePerGuest: number | null;
  /** What the booking costs, without what is ordered ahead, in pence */
  balance: number;
  /** What has to be paid of it in advance; 0: nothing, in pence */
  deposit: number;
  /**
   * `declared`: you take the deposit and say so with `depositAmount`; `before_confirmation`: the guest pays it here, which confirms the booking
   */
  depositTerms: "declared" | "before_confirmation";
  /** The best that is met holds; none: all goes back */
  refundTerms: OfferedRefund[];
  /** House rules */
  policy: string | null;
  cancellationPolicy: string | null;
  preorder: OfferedPreorder;
  /** The booking has to name a company of your list */
  companyRequired: boolean;
};

/** What can be paid for a booking, and through whom */
export type OfferedPayments = {
  /** What the booking costs in all, in pence */
  finalBalance: number;
  currency: string;
  /** Paid so far, with what the partner has taken and with payments that are still open, in pence */
  paid: number;
  /** What is left of the balance, in pence */
  due: number;
  options: PaymentOption[];
  /** Null: payments cannot be taken here */
  provider: PaymentProvider | null;
  /** The same in a sentence */
  message: string;
};

/** What has to be ordered ahead */
export type OfferedPreorder = {
  /**
   * What has to be ordered with the booking; `any`: a package or a menu
   */
  required: "none" | "package" | "menu" | "packageAndMenu" | "any";
  /** Until when; null where nothing has to be ordered */
  until: string | null;
};

/** What goes back when a booking is cancelled in time */
export type OfferedRefund = {
  /** Cancelled at least this long before the start */
  hoursBefore: number;
  /** How much of what was paid goes back */
  percent: number;
};

/** When the venue trades, in its own time zone */
export type OpeningTimes = {
  /** Seven entries, Monday first */
  weekly: WeeklyHours[];
  /** Dates on which the weekly hours do not hold */
  exceptions: DatedHours[];
};

/** A choice that an item leaves to the guest */
export type OptionChoice = {
  /** Id of the option */
  id: string;
  /** One of its values */
  value: string;
};

/** Which bookings to cancel */
export type OrderCancellation = {
  /** Left out or empty: all of the order */
  bookingIds?: string[] | null;
};

/** Changes of bookings of the order, each on its own */
export type OrderChange = {
  items: OrderItemChange[];
};

/** A booking to be made; its start is `dateTime`, or `date` and `time` */
export type OrderItem = {
  /** A product or a ticket type, by its id of four segments; never the id of a listing */
  compositeId: string;
  /** Covers or tickets; `children` come on top */
  quantity: number;
  /** Children, besides the adults */
  children?: number | null;
  /** The start, RFC 3339 with offset or `Z`; or send `date` and `time` */
  dateTime?: string | null;
  /** Trading day `YYYY-MM-DD` */
  date?: string | null;
  /** Local time `HH:MM` */
  time?: string | null;
  /**
   * `book` is confirmed at once, `request` is decided by the operator. Left out: `book` where that can be had, else `request`; with `atomic`, `book`
   */
  type?: "book" | "request" | null;
  /** Minutes; left to the venue when absent */
  duration?: number | null;
  /** A space of the product */
  spaceId?: number | null;
  /** First name of the guest */
  firstName?: string | null;
  /** Last name of the guest */
  lastName?: string | null;
  email?: string | null;
  /** Telephone: 5 to 15 digits, with a leading `+`, separators and an extension as people write them */
  phone?: string | null;
  /** For channels that need one, a name of their list */
  company?: string | null;
  /** What the guest wishes */
  notes?: string | null;
  /** What is ordered ahead; means nothing for tickets */
  preorders?: PreorderChoice | null;
  /** Your own id for it; it stays used, also when the booking is cancelled */
  partnerBookingId?: string | null;
  /** What you have taken, in pence */
  depositAmount?: number | null;
  /** A hold of yours for just this booking, which takes over its place, its terms and its id */
  holdId?: string | null;
  /** That of the hold; where it is sent, it is checked */
  offerToken?: string | null;
  /** Of `MANDT-N-002`, once a person has said yes to just this; it works once, for ten minutes */
  confirmationToken?: string | null;
};

/** What is to change of one booking; what is left out stays. Null clears `children`, `duration`, `spaceId`, `email`, `phone`, `company` and `notes` */
export type OrderItemChange = {
  /** A booking of this order */
  bookingId: string;
  /** Another product of the same venue or event */
  compositeId?: string | null;
  /** Covers or tickets; `children` come on top */
  quantity?: number | null;
  /** Children, besides the adults */
  children?: number | null;
  /** The start, RFC 3339 with offset or `Z`; or send `date` and `time` */
  dateTime?: string | null;
  /** Trading day `YYYY-MM-DD` */
  date?: string | null;
  /** Local time `HH:MM` */
  time?: string | null;
  /**
   * With `request`, the operator decides on what can no longer be confirmed at once; left out, that fails
   */
  type?: "book" | "request" | null;
  /** Minutes; left to the venue when absent */
  duration?: number | null;
  /** A space of the product */
  spaceId?: number | null;
  /** First name of the guest */
  firstName?: string;
  /** Last name of the guest */
  lastName?: string;
  email?: string | null;
  /** Telephone: 5 to 15 digits, with a leading `+`, separators and an extension as people write them */
  phone?: string | null;
  /** For channels that need one, a name of their list */
  company?: string | null;
  /** What the guest wishes */
  notes?: string | null;
  /** Takes the place of all that was ordered ahead; empty arrays clear it, left out it stays */
  preorders?: PreorderChoice | null;
  /** Packages and menus one by one, instead of `preorders` */
  preorderChanges?: PreorderChanges | null;
  /** Of `MANDT-N-002`, once a person has said yes to just this; it works once, for ten minutes */
  confirmationToken?: string | null;
};

/** What became of one item: its `booking` once there is one, or `error` where it failed */
export type OrderItemResult = {
  /** Its place in the request, from 0; in this answer, where the request named none */
  index: number;
  /** What is booked, or was to be; null where the order has no booking of the `bookingId` */
  compositeId: string | null;
  /** Null where nothing was booked; in a refusal, the id that was sent */
  bookingId: string | null;
  /**
   * `booked`: confirmed; `requested`: an enquiry that waits for the operator; `cancelled`: or turned down by the operator; `failed`: nothing was done or changed; `pending`: not done yet, read the order again
   */
  status: "booked" | "requested" | "failed" | "cancelled" | "pending";
  booking?: Booking;
  error?: Problem;
  /** With `atomic`, what was done: its place was `held`, then `confirmed`, or `released` because another item failed; `refused`: it could not be had; `skipped`: another had failed */
  trail?: ("held" | "confirmed" | "released" | "refused" | "skipped")[];
};

/** Several bookings. Guest fields at the root hold for items that have none; `firstName` and `lastName` are needed in one of the two places */
export type OrderRequest = {
  /** Your own id for the order, used once; sent again under it, the order is not made twice */
  partnerOrderId?: string | null;
  /** All items are booked or none is; `ORDER-N-009` where a system cannot take part */
  atomic?: boolean | null;
  /** First name of the guest */
  firstName?: string | null;
  /** Last name of the guest */
  lastName?: string | null;
  email?: string | null;
  /** Telephone: 5 to 15 digits, with a leading `+`, separators and an extension as people write them */
  phone?: string | null;
  /** For channels that need one, a name of their list */
  company?: string | null;
  items: OrderItem[];
};

/** What became of an order */
export type OrderResult = {
  orderId: string;
  /** Your id for it */
  partnerOrderId: string | null;
  /**
   * Of the whole order. `complete`: all of it stands; `partial`: some of it; `failed`: nothing was booked; `cancelled`: nothing is left; `pending`: not done yet
   */
  status: "complete" | "partial" | "failed" | "cancelled" | "pending";
  /** In the order of the request; with PATCH and DELETE, of the bookings it named */
  items: OrderItemResult[];
};

/** What the calling client may do, and what it has done of it */
export type OwnMandate = {
  /** Null: nothing is limited */
  mandate: Mandate | null;
  /** What counts towards `maxOpenBookings` at this moment */
  openBookings: number;
  /** How many more it may have; null: no limit */
  openBookingsLeft: number | null;
  /** What counts towards `maxBookingsPerDay` at this moment */
  bookingsInLastDay: number;
  /** How many more it may make now; null: no limit */
  bookingsLeft: number | null;
};

/** A package that guests can order ahead */
export type Package = {
  id: number;
  /** Names the package across venues; rules refer to it */
  slug: string | null;
  name: string;
  description: string | null;
  /** Price, in pence */
  price: number;
  currency: string;
  pricePer: "guest" | "booking";
};

/** A package of the product, by `id` or `slug` */
export type PackageChoice = {
  id?: number | null;
  /** Instead of `id` */
  slug?: string | null;
  quantity: number;
};

/** Where this page stands in the whole list. */
export type PageMeta = {
  currentPage: number;
  pageSize: number;
  totalItems: number;
  totalPages: number;
};

/** One step of a JSON Patch (RFC 6902) */
export type PatchOperation = {
  op: "add" | "remove" | "replace";
  /** A JSON pointer into the document that PUT takes */
  path: string;
  value?: unknown;
};

/** A payment for a booking */
export type Payment = {
  id: string;
  /**
   * `requires_action`: the guest has something to do; `processing`: the provider has yet to say how it went; `refunded`: all of it went back
   */
  status: "requires_action" | "processing" | "succeeded" | "failed" | "refunded";
  /** Amount, in pence */
  amount: number;
  /** How much of it is given back, in pence */
  refunded: number;
  currency: string;
  option: "full" | "deposit_25" | "deposit";
  method: string | null;
  createdAt: string;
  /** Where the guest completes it, while it requires action */
  nextActionUrl: string | null;
  /** The same as `nextActionUrl` */
  checkoutUrl: string | null;
  /** For the form of the provider on the page of the partner; only in the answer to the payment itself */
  clientSecret: string | null;
  /** The key that this form needs; only in the answer to the payment itself */
  publishableKey: string | null;
  /** The account at the provider that this form needs; only in the answer to the payment itself */
  account: string | null;
  /** Why it failed */
  failureReason: string | null;
};

/** The payment that confirms the booking; null: it waits for none */
export type PaymentDue = {
  /**
   * To be sent to `/payments`
   */
  option: "deposit";
  /** What is to be paid, in pence */
  amount: number;
  currency: string;
  /** Until then the place is kept */
  until: string;
};

/** A way to pay now */
export type PaymentOption = {
  id: "full" | "deposit_25" | "deposit";
  /** Amount, in pence */
  amount: number;
  /** A few words for guests */
  label: string;
};

/** Who takes payments */
export type PaymentProvider = {
  /** Its name, such as `stripe` or `sandbox` */
  name: string;
  /** What your page needs for the form of the provider */
  publishableKey: string | null;
  /** The account of the operator at the provider, which the form needs too; null: the platform takes it */
  account: string | null;
};

/** A payment to be made */
export type PaymentRequest = {
  /**
   * One of the options that are offered now
   */
  option: "full" | "deposit_25" | "deposit";
  /** What the guest was shown. If the option costs something else now, nothing is charged, in pence */
  amount?: number;
  /** Of the amount */
  currency?: string;
  /** What the provider gave your page in place of a card. Without it the guest completes the payment */
  token?: string;
  /** How the guest wishes to pay */
  method?: string | null;
  /** Where the guest goes afterwards */
  returnUrl?: string | null;
  /** The guest is not present and cannot authenticate */
  offSession?: boolean;
};

/** A deposit that is due when every condition that is not null holds */
export type PaymentRule = {
  /** Deposit, in pence */
  amount: number;
  currency: string;
  per: "booking" | "guest" | "adult" | "child";
  minPartySize: number | null;
  maxPartySize: number | null;
  weekdays: number[] | null;
};

/** One stretch of a trading day */
export type Period = {
  /** Local time, `HH:MM` */
  opens: string;
  /** Local time, `HH:MM`; at or before `opens` it is on the next day */
  closes: string;
};

/** A photo */
export type Photo = {
  url: string;
  caption: string | null;
  width: number | null;
  height: number | null;
};

/** What comes and what goes of what is ordered ahead; adding one that is there takes its place */
export type PreorderChanges = {
  add?: PreorderChoice | null;
  remove?: {
    packages?: RemovedPreorder[] | null;
    menus?: RemovedPreorder[] | null;
  } | null;
};

/** What is ordered ahead */
export type PreorderChoice = {
  packages?: PackageChoice[] | null;
  menus?: MenuChoice[] | null;
};

/** What guests can order ahead */
export type Preorders = {
  packages: Package[];
  menus: Menu[];
};

/** What went wrong, in the form of RFC 9457 */
export type Problem = {
  /** Address of a page about the code */
  type: string;
  /** The same words for every problem with this code */
  title: string;
  /** The HTTP status that goes with the code */
  status: number;
  /** What was wrong this time; for people, and worded freely */
  detail: string;
  /** Stable; write your handling against it. More codes can come with any version */
  code: string;
  /** The same request may succeed later */
  isRetryable: boolean;
  /** With `VALID-N-001`: messages by the path of the field they are about */
  errors?: {
    [key: string]: string[];
  };
  /** With `HTTP-R-503`: false where the database went away in the middle of a change, which may have been carried out; absent: it was not */
  isOutcomeKnown?: boolean;
  /** With `AVAIL-N-005` for a time that is no start: the nearest starts of that trading day that you can have at this moment, local times in order; empty where there are none */
  nearestTimes?: string[];
  /** With `AVAIL-N-005` or `BKRUL-N-005` for a party that is too large: the largest that can be had the way it was asked for, children included */
  largestPartySize?: number;
  /** With `AVAIL-N-005` or `BKRUL-N-005`: whether the same can be asked of the operator, with `type` `request` */
  enquiryPossible?: boolean;
  /** With `BOOK-N-002`: your booking that has the `partnerBookingId` already */
  bookingId?: string;
  /** With `BOOK-N-002` on orders: your order that has the `partnerOrderId` already */
  orderId?: string;
  /** With `MANDT-N-001`: the limit of your mandate */
  limit?: string;
  /** With `MANDT-N-001`: what it allows */
  allowed?: number | string[];
  /** With `MANDT-N-002`: to be sent with the same request, once a person has said yes */
  confirmationToken?: string;
  /** With `MANDT-N-002`: until when that works */
  expiresAt?: string;
  deposit?: RequiredDeposit;
  /** With `BKRUL-N-*`: every booking rule that was violated */
  violations?: RuleViolation[];
};

/** Something that a venue lets you book */
export type Product = {
  /** Venue id and product, four segments */
  compositeId: string;
  productName: string;
  /** Names the product across venues; rules refer to it */
  slug: string | null;
  /** Minutes between two slot times */
  timeInterval: number;
  preOrderRequired: boolean;
  preOrderRequiredType: "none" | "package" | "menu" | "packageAndMenu";
  /** Every booking owes a deposit */
  depositRequired: boolean;
  paymentRules: PaymentRule[];
  availabilityRules: {
    /** Seven entries, Monday first */
    weekly: WeeklyHours[];
    /** Imposed by the table management system */
    exceptions: DatedHours[];
    /** Set by the operator, as far as they concern the caller */
    rules: AvailabilityRule[];
  };
  category: Category | null;
  preorders: Preorders;
  spaces: Space[];
  /** Index of the availability feed; null until there is one */
  feedUrl: string | null;
};

/** A package or menu of the booking, by `id` or `slug` */
export type RemovedPreorder = {
  id?: number | null;
  slug?: string | null;
};

/** With `BKRUL-N-001`: the deposit that the booking lacks */
export type RequiredDeposit = {
  /** Where to say what you have taken */
  field: string;
  /** In pence, for each that `per` names */
  amount: number;
  /** ISO 4217 */
  currency: string;
  per: "booking" | "guest";
  /** What this party pays, in pence: the least that `field` must be */
  total: number;
};

/** What an expression rule does when it holds */
export type RuleAction = {
  set: {
    /** Fact that is written */
    fact: string;
    /** A literal or a JsonLogic expression */
    value: unknown;
  };
} | {
  reject: {
    message: string;
  };
} | {
  flag: {
    name: string;
  };
};

/** What rules know about you */
export type RuleCaller = {
  /** The fact `partner.id` */
  partnerId: number | null;
  /** All categories that you are in, of all operators */
  partnerCategoryIds: number[];
  /** By operator id; the fact `partner.categoryIds` for the rules of that operator */
  categoryIdsByOperator: {
    [key: string]: number[];
  };
};

/** The first thing that would make something else of the rule. `value` is the closest one with which it would be applied where it is not, or not applied where it is; where more than this keeps a rule from being applied, the closest with which this no longer does. It is null when no value of the fact alone is enough, or none can be told */
export type RuleChange = {
  /** The fact that would have to be different */
  fact: string;
  value: (string | number | boolean | (string | number)[]) | null;
  /** What the fact is, and what the rule applies to or requires */
  sentence: string;
};

/** Something that must be so for the rule to concern a booking */
export type RuleCondition = {
  /**
   * `partySize` counts children too, `weekday` is 1 (Monday) to 7 of the trading day, `time` is local, `category` is a slug
   */
  field: "partySize" | "daysAhead" | "weekday" | "time" | "duration" | "category";
  /**
   * `between` includes both ends; with times from late to early it goes over midnight
   */
  operator: "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "in" | "between";
  /** A list for `in`, two values for `between` */
  value: (string | number) | (string | number)[];
};

/** What came of one rule, and why */
export type RuleExplanation = {
  id: string;
  effect: "route_to_enquiry" | "require_deposit" | "same_package" | "booking_window" | "party_size_limit" | "require_preorder" | "suppress_preorder_email" | "expression";
  name: string;
  /** The rule in a sentence or two */
  summary: string;
  /**
   * `not_applied`: it does not concern the booking, or the booking meets it; `skipped`: a fact is missing or of another type
   */
  result: "applied" | "not_applied" | "skipped";
  /** What it does; null when it does nothing */
  does: string | null;
  /** All that it looks at, with what rules before it have written */
  facts: UsedFact[];
  change: RuleChange | null;
};

/** A fact that expressions can use */
export type RuleFact = {
  /** As `var` names it */
  name: string;
  type: string;
  /** Where you find the value that the rules are given */
  howToObtain: string;
};

/** An operation that expression rules can apply to */
export type RuleHook = {
  name: "booking.create" | "booking.amend" | "payment";
  facts: RuleFact[];
};

/** What an expression rule can do */
export type RuleOutcomes = {
  /** It can refuse */
  rejects: boolean;
  /** Facts that it can write */
  writes: string[];
  /** Marks that it can leave for the operator */
  flags: string[];
};

/** Which bookings a rule concerns */
export type RuleReach = {
  /**
   * Why it concerns you
   */
  partnerScope: "all_partners" | "you" | "your_categories";
  /** All venues of the operator */
  allVenues: boolean;
  /** Otherwise these, as far as you can see them */
  venues: {
    /** Venue id */
    id: string;
  }[];
  allProducts: boolean;
  /** Otherwise the products with these slugs */
  products: {
    slug: string;
  }[];
  /** All of them must hold */
  conditions: RuleCondition[];
  /** Slugs of the packages or menus that it is about */
  items: string[] | null;
};

/** A booking rule that the booking does not meet */
export type RuleViolation = {
  /** The rule in the list of booking rules */
  ruleId: string;
  /** With expression rules: its name in reports */
  analyticsRuleId?: string;
  /** With expression rules: what the operator says about it */
  rejectMessages?: string[];
};

/** What the rules say about a booking that may be made */
export type RulesAnswer = {
  generatedAt: string;
  compositeId: string;
  operation: "booking_create";
  /**
   * By the rules alone
   */
  outcome: "accepted" | "rejected";
  /**
   * What the rules make of the booking
   */
  type: "book" | "request";
  /**
   * What it is refused with
   */
  errorCode: "AVAIL-N-007" | "AVAIL-N-008" | "BKRUL-N-001" | "BKRUL-N-002" | "BKRUL-N-003" | "BKRUL-N-004" | "BKRUL-N-005" | "BKRUL-N-006" | "BKRUL-N-100" | null;
  violations: ForeseenViolation[];
  /** Those aimed at you, the venue and the product, in the order in which they are carried out */
  rules: RuleExplanation[];
};

/** What would the rules say about this booking? */
export type RulesQuestion = {
  /** Product id */
  compositeId: string;
  /**
   * `booking_create` when absent
   */
  operation?: "booking_create";
  /**
   * What `X-Booking-Source` would say; `api` when absent
   */
  source?: "email" | "phone" | "api" | "webhook" | "js-tag" | "chatbot" | "puller" | "portal";
  booking: BookingDraft;
};

export type SendWebhookTestQuery = {
  /** Only to this subscription, which may be paused and whose types need not include this one; without it, to all that are active */
  webhookId?: string;
};

/** What happens to the booking first; empty: nothing but a new `lastUpdate` */
export type SimulatedChanges = {
  /**
   * `confirmed` takes a place in the system of the venue, the others give it back
   */
  status?: "pending" | "in_progress" | "confirmed" | "cancelled";
  /** Trading day */
  date?: string;
  /** Local time `HH:MM` */
  time?: string;
  /** Adults */
  partySize?: number;
  /** Minutes; null: left to the venue */
  duration?: number | null;
  /** Another product of the same venue */
  compositeId?: string;
  /** Changes nothing: a product keeps its name */
  productName?: string;
  /** What the guest wishes */
  notes?: string | null;
  /** The number that the system of the venue gave it */
  reference?: string | null;
  source?: "email" | "phone" | "api" | "webhook" | "js-tag" | "chatbot" | "puller" | "portal";
  /** First name of the guest */
  firstName?: string;
  /** Last name of the guest */
  lastName?: string;
  email?: string | null;
  /** Telephone: 5 to 15 digits, with a leading `+`, separators and an extension as people write them */
  phone?: string | null;
  /** How many came */
  actualGuests?: number | null;
  /** What they spent, in pence */
  actualSpend?: number | null;
  preorders?: PreorderChoice;
  preorderMenus?: MenuChoice[] | null;
};

/** A question that guests ask, and its answer, both as they were written */
export type SiteFaq = {
  /** May contain markdown */
  question: string;
  /** May contain markdown */
  answer: string;
};

/** A room or area that can be booked as such */
export type Space = {
  /** Send it as `spaceId` when booking */
  id: number;
  spaceName: string;
  description: string | null;
  floorLocation: string | null;
  facilities: string[];
  capacityStanding: Capacity;
  capacitySeated: Capacity;
  capacityCabaret: Capacity;
  capacityTheatre: Capacity;
  capacityBoardroom: Capacity;
  capacityClassroom: Capacity;
  capacityUShape: Capacity;
  capacityBanquet: Capacity;
  capacityReception: Capacity;
  policies: SpacePolicies;
};

/** What the space requires and allows */
export type SpacePolicies = {
  minimumSpend: MinimumSpend[];
  occasionTypes: string[];
  /** Guests under 18 are welcome */
  under18s: boolean;
  /** Events that are advertised to the public are welcome */
  promotedEvents: boolean;
  /** Step-free access */
  accessibility: boolean;
  servesFood: boolean;
};

/** A party, a day, and what it would like */
export type TableQuestion = {
  /** Adults */
  partySize: number;
  children?: number;
  /** Local day of the venue */
  date: string;
  /** Around this local time, an hour either way */
  time?: string;
  /** Earliest start */
  earliest?: string;
  /** Latest start; before `earliest` it is after midnight */
  latest?: string;
  /** Minutes */
  duration?: number;
  /** Never relaxed */
  city?: string;
  /** Any of them */
  areas?: string[];
  /** A point to be close to */
  near?: {
    lat: number;
    lng: number;
    /** Metres, 2000 unless given */
    radius?: number;
  };
  /** Anything else, in words: cuisine, dish, occasion, mood */
  text?: string;
  /** Slugs of venue types; all of them */
  types?: string[];
  /** Most that a guest has to spend, in pence, where the venue says; never relaxed */
  maxPrice?: number;
  /** Step-free only; never relaxed */
  accessibility?: boolean;
  /** 5 unless given */
  limit?: number;
  /** `nextCursor` of the answer before, with the same question */
  cursor?: string;
};

/** A request for a token by the grant `client_credentials` of RFC 6749 */
export type TokenRequest = {
  grant_type: "client_credentials";
  /** Here, or as the user name of HTTP Basic. */
  client_id?: string;
  /** Here, or as the password of HTTP Basic. */
  client_secret?: string;
  /** The service that the token is for, by the name you were given with your credentials. Mandatory, unless `resource` is sent. */
  audience?: string;
  /** The same by its address, or that of `/mcp` (RFC 8707); not read where `audience` is sent. */
  resource?: string;
  /** Names separated by spaces, to request fewer scopes than the client has. Scopes: venue:read, listing:read, venue-booking:create, venue-booking:read, venue-booking:update, venue-booking:delete, partner:create, agent:write, operator:write, platform:admin. */
  scope?: string;
};

/** An access token */
export type TokenResponse = {
  /** Send it as `Authorization: Bearer <access_token>`. */
  access_token: string;
  token_type: "Bearer";
  /** Seconds from now. */
  expires_in: number;
  /** What the token allows, separated by spaces. */
  scope: string;
};

/** Something that a rule looked at; null when it is not known */
export type UsedFact = {
  /** As `hooks[].facts[].name` of `GET /booking-rules` has it, or `noticeHours`: the hours from now to the start */
  name: string;
  value: (string | number | boolean | (string | number)[]) | null;
};

/** A venue */
export type Venue = {
  /** Venue group, system and venue, three segments joined by `|` */
  id: string;
  name: string;
  /** The operator */
  venueGroupName: string;
  content: VenueContent;
  phone_number: string | null;
  website: string | null;
  /** You can book here now */
  reservable: boolean;
  /** IANA zone of every local time of this venue */
  timeZone: string;
  location: Location;
  /** What kind of place it is; the `features` filter takes these slugs */
  types: VenueType[];
  photos: Photo[];
  /** Another name of `photos` */
  media: Photo[];
  /**
   * @deprecated
   * Use `reservable`
   */
  is_active: boolean;
  /** @deprecated */
  created_at: string;
  updated_at: string;
  products: Product[];
  preorders: Preorders;
  opening_times: OpeningTimes;
  /** Where your channel is narrower than the venue’s own settings */
  bookingOverrides: {
    maxPartySize: number | null;
    requestOnly: boolean;
  };
  operatorAvailabilityRules: AvailabilityRule[];
  bookingRequirements: BookingRequirements;
};

/** What the venue says about itself */
export type VenueContent = {
  summary: string | null;
  description: string | null;
  highlights: string[];
};

/** A kind of place */
export type VenueType = {
  slug: string;
  name: string;
};

/** A party on the waiting list of a venue */
export type WaitlistEntry = {
  id: string;
  /** Id of the product */
  compositeId: string;
  /** Trading day */
  date: string;
  /** The first start that would do */
  from: string;
  /** The last start that would do */
  to: string;
  /** Adults */
  partySize: number;
  children: number;
  spaceId: number | null;
  /**
   * `waiting`; `offered`: a place is kept until `offer.expiresAt`; `booked`: it was taken; `expired`: the offer was not used, or the last start is over; `removed`
   */
  status: "waiting" | "offered" | "booked" | "expired" | "removed";
  /** While the status is `offered` */
  offer: WaitlistOffer | null;
  /** Of the booking that it has become */
  bookingId: string | null;
  /** The place on the list of the venue and day, from 1; null: not waiting */
  position: number | null;
  /** Your own id for the booking it may become */
  partnerBookingId: string | null;
  /** Null: the guest was forgotten, or gave none */
  firstName: string | null;
  /** Null: the guest was forgotten */
  lastName: string | null;
  /** Of the guest */
  email: string | null;
  /** Of the guest */
  phone: string | null;
  /** When it was put on the list */
  createdAt: string;
};

/** One page */
export type WaitlistEntryPage = {
  data: WaitlistEntry[];
  meta: PageMeta;
};

/** A place that is kept for the party */
export type WaitlistOffer = {
  /** Sent as `holdId` with a booking of this slot, it makes the booking */
  holdId: string;
  /** Until when the place is kept */
  expiresAt: string;
  slot: WaitlistSlot;
};

/** The start that is kept */
export type WaitlistSlot = {
  /** Trading day */
  date: string;
  /** Local time of the start, `HH:MM` */
  time: string;
  /** The start, local time with its offset */
  dateTime: string;
  /** Minutes */
  duration: number;
};

/** A page of deliveries */
export type WebhookDeliveries = {
  /** The newest first */
  data: WebhookDelivery[];
  meta: CursorMeta;
};

/** An event on its way to one subscription */
export type WebhookDelivery = {
  /** Id of the delivery */
  id: string;
  /** What is delivered */
  eventId: string;
  eventType: "booking.updated" | "message.received" | "venue.updated" | "hold.expired" | "waitlist.offered";
  /** The subscription, which may be gone */
  webhookId: string;
  status: "pending" | "delivered" | "dropped";
  /** The first one first */
  attempts: WebhookDeliveryAttempt[];
  /** It was made by a replay */
  isReplay: boolean;
  /** When the event happened, or when the replay was requested */
  createdAt: string;
  /** Not before then; while an attempt is under way, when another is made if nothing is heard of it. Null when finished */
  nextAttemptAt: string | null;
  /** When it was delivered or given up */
  finishedAt: string | null;
};

/** One time that an event was posted */
export type WebhookDeliveryAttempt = {
  number: number;
  /** When it was posted */
  startedAt: string;
  /** Until the answer or the failure */
  durationMs: number;
  /** What the receiver answered; null when it did not */
  statusCode: number | null;
  /**
   * Why it failed, roughly
   */
  error: "timeout" | "refused" | "dns" | "tls" | "status" | null;
};

/** Something that you were told of; `body` is null once the guest was forgotten */
export type WebhookEvent = {
  /** What deliveries of it carry in the header `webhook-id` */
  id: string;
  eventType: "booking.updated" | "message.received" | "venue.updated" | "hold.expired" | "waitlist.offered";
  /** When it happened */
  occurredAt: string;
  /** Null when it is not about a booking */
  bookingId: string | null;
  /** Composite id of the venue */
  venueId: string;
  body: WebhookNotification | null;
};

/** A page of the event log */
export type WebhookEvents = {
  /** In the order of the log */
  data: WebhookEvent[];
  meta: CursorMeta;
};

/** What is posted */
export type WebhookNotification = {
  eventType: "booking.updated" | "message.received" | "venue.updated" | "hold.expired" | "waitlist.offered";
  /** When it happened */
  timestamp: string;
  /** Of `booking.updated` */
  bookings?: NotifiedBooking[];
  /** Of `message.received` */
  messages?: NotifiedMessage[];
  /** Of `venue.updated` */
  venues?: NotifiedVenue[];
  /** Of `waitlist.offered` */
  waitlist?: NotifiedWaitlistEntry[];
  /** Of `hold.expired` */
  holds?: NotifiedHold[];
};

/** What is to be delivered again: `eventId`, or `since` with what narrows it */
export type WebhookReplay = {
  /** This event; then nothing else is given */
  eventId?: string;
  /** Everything that happened then or later */
  since?: string;
  /** But before then */
  until?: string;
  /** Only these */
  eventTypes?: ("booking.updated" | "message.received" | "venue.updated" | "hold.expired" | "waitlist.offered")[];
};

/** What a replay comes to */
export type WebhookReplayed = {
  /** How many were made and are on their way */
  deliveries: number;
  /** One call could not do all: repeat it with this as `since`; null when all is done */
  continueFrom: string | null;
};

/** Where a partner or an operator is told of what happens, and of what */
export type WebhookSubscription = {
  webhookId: string;
  /** Where events are posted */
  callbackUrl: string;
  /** What is told; null: everything but `hold.expired`, also types to come */
  eventTypes: ("booking.updated" | "message.received" | "venue.updated" | "hold.expired" | "waitlist.offered")[] | null;
  label: string | null;
  /** False: paused, nothing is posted */
  active: boolean;
  /** Without meaning, always false */
  isDefault: boolean;
  createdAt: string;
  /** Of the last change; null when there was none */
  updatedAt: string | null;
};

/** What is to change; what is left out stays */
export type WebhookSubscriptionChange = {
  /** An https address of a public host, which no other subscription of yours has */
  callbackUrl?: string;
  /** Any of `booking.updated`, `message.received`, `venue.updated`, `hold.expired`, `waitlist.offered`; null: everything but `hold.expired`, also types to come */
  eventTypes?: ("booking.updated" | "message.received" | "venue.updated" | "hold.expired" | "waitlist.offered")[] | null;
  /** A few words of your own */
  label?: string | null;
  /** False pauses, true resumes */
  active?: boolean;
};

/** A subscription to be made */
export type WebhookSubscriptionRequest = {
  /** An https address of a public host, which no other subscription of yours has */
  callbackUrl: string;
  /** Any of `booking.updated`, `message.received`, `venue.updated`, `hold.expired`, `waitlist.offered`; null: everything but `hold.expired`, also types to come */
  eventTypes?: ("booking.updated" | "message.received" | "venue.updated" | "hold.expired" | "waitlist.offered")[] | null;
  /** A few words of your own */
  label?: string | null;
};

/** A subscription with the secret that was just made for it */
export type WebhookSubscriptionWithSecret = {
  webhookId: string;
  /** Where events are posted */
  callbackUrl: string;
  /** What is told; null: everything but `hold.expired`, also types to come */
  eventTypes: ("booking.updated" | "message.received" | "venue.updated" | "hold.expired" | "waitlist.offered")[] | null;
  label: string | null;
  /** False: paused, nothing is posted */
  active: boolean;
  /** Without meaning, always false */
  isDefault: boolean;
  createdAt: string;
  /** Of the last change; null when there was none */
  updatedAt: string | null;
  /** Signs what is posted: `whsec_` and 32 bytes in base64. It is not shown again */
  secretKey: string;
};

/** All subscriptions of a partner, or of an operator */
export type WebhookSubscriptions = {
  /** The oldest first */
  data: WebhookSubscription[];
};

/** An event to be sent once, for trying out receivers */
export type WebhookTest = {
  /**
   * What is sent
   */
  eventType: "booking.updated" | "message.received" | "venue.updated" | "hold.expired" | "waitlist.offered" | "webhook.ping";
  /** A booking of yours, for `booking.updated` and `message.received`; one is made up without it */
  bookingId?: string;
  /** A venue that you distribute, for `venue.updated`; one is made up without it */
  venueId?: string;
  changes?: SimulatedChanges;
  venue?: WebhookTestVenue;
  message?: WebhookTestMessage;
};

/** How a test went at one subscription */
export type WebhookTestDelivery = {
  webhookId: string;
  /** Where it was posted */
  callbackUrl: string;
  /** Whether the receiver answered with a 2xx status in time */
  delivered: boolean;
  /** What the receiver answered; null when it did not */
  statusCode: number | null;
  /** Until the answer or the failure */
  durationMs: number | null;
  /** The `X-API-Key` that was sent, to be compared with what the receiver works out */
  signature: string | null;
  /**
   * Nothing was posted: the types of the subscription do not include this one
   */
  skipped: "filtered" | null;
  /**
   * Why it was not delivered, roughly
   */
  error: "timeout" | "refused" | "dns" | "tls" | "status" | null;
};

/** What the event says of the message; nothing of it is stored */
export type WebhookTestMessage = {
  /** Id of the message */
  id?: string;
  /** What the operator says */
  text?: string;
  /** Where an answer should go */
  replyTo?: string | null;
};

/** How a test went */
export type WebhookTestReport = {
  /** The oldest subscription first */
  deliveries: WebhookTestDelivery[];
};

/** What the event says of the venue; nothing of it is stored */
export type WebhookTestVenue = {
  /** In place of the id of the venue */
  compositeId?: string;
  /** False unless it is given */
  active?: boolean;
};

/** Hours of one weekday */
export type WeeklyHours = {
  /** 1 is Monday, 7 is Sunday */
  weekday: number;
  /** English name of the weekday */
  day: string;
  /** Empty: closed */
  periods: Period[];
};

/** Every code that a partner can meet. More can come with any version. */
export type ProblemCode =
  | 'AVAIL-N-001'
  | 'AVAIL-N-002'
  | 'AVAIL-N-003'
  | 'AVAIL-N-004'
  | 'AVAIL-N-005'
  | 'AVAIL-N-006'
  | 'AVAIL-N-007'
  | 'AVAIL-N-008'
  | 'AVAIL-N-009'
  | 'AVAIL-N-010'
  | 'AVAIL-R-001'
  | 'BKRUL-N-001'
  | 'BKRUL-N-002'
  | 'BKRUL-N-003'
  | 'BKRUL-N-004'
  | 'BKRUL-N-005'
  | 'BKRUL-N-006'
  | 'BKRUL-N-100'
  | 'BOOK-N-001'
  | 'BOOK-N-002'
  | 'BOOK-N-003'
  | 'BOOK-N-004'
  | 'BOOK-N-005'
  | 'BOOK-N-006'
  | 'BOOK-N-007'
  | 'BOOK-N-008'
  | 'BOOK-N-009'
  | 'BOOK-N-010'
  | 'BOOK-N-011'
  | 'BOOK-N-012'
  | 'BOOK-N-013'
  | 'BOOK-N-014'
  | 'BOOK-N-015'
  | 'BOOK-N-016'
  | 'BOOK-N-017'
  | 'BOOK-N-018'
  | 'BOOK-N-019'
  | 'BOOK-N-020'
  | 'BOOK-R-001'
  | 'BOOK-R-002'
  | 'EVENT-N-001'
  | 'EVENT-N-002'
  | 'FSEL-N-001'
  | 'HOLD-N-001'
  | 'HOLD-N-002'
  | 'HOLD-N-003'
  | 'HOLD-N-004'
  | 'HOLD-N-005'
  | 'HOLD-N-006'
  | 'HTTP-N-403'
  | 'HTTP-N-404'
  | 'HTTP-N-406'
  | 'HTTP-N-412'
  | 'HTTP-N-413'
  | 'HTTP-N-414'
  | 'HTTP-N-415'
  | 'HTTP-N-431'
  | 'HTTP-R-500'
  | 'HTTP-R-503'
  | 'IDENT-N-001'
  | 'IDENT-N-002'
  | 'IDENT-N-003'
  | 'MANDT-N-001'
  | 'MANDT-N-002'
  | 'OPRTR-N-002'
  | 'OPRUL-N-001'
  | 'OPRUL-N-002'
  | 'OPRUL-N-003'
  | 'OPRUL-N-004'
  | 'OPRUL-N-008'
  | 'OPRUL-N-009'
  | 'ORDER-N-007'
  | 'ORDER-N-008'
  | 'ORDER-N-009'
  | 'PAYM-N-001'
  | 'PAYM-N-002'
  | 'PAYM-N-003'
  | 'PAYM-N-004'
  | 'PAYM-R-001'
  | 'PMAP-N-001'
  | 'PMAP-N-002'
  | 'PMAP-N-003'
  | 'RATE-R-001'
  | 'SBOX-N-004'
  | 'USER-N-009'
  | 'VALID-N-001'
  | 'VENUE-N-001'
  | 'VENUE-N-002'
  | 'VENUE-N-009'
  | 'WAIT-N-001'
  | 'WAIT-N-002'
  | 'WHK-N-001'
  | 'WHK-N-002'
  | 'WHK-N-003'
  | 'WHK-N-004'
  | 'WHK-N-005'
  | 'WHK-N-006'
  | 'WHK-N-007';
