/**
 * What a partner might write with a client that was generated from our document: an evening with dinner and a concert.
 * It is text, because the client that it imports is only made by the test, which compiles both.
 */
export const PROGRAM = `
import { Api, type HttpResponse, type Listing, type ListingPage, type OrderRequest, type OrderResult, type Problem } from './client.js';

const [baseUrl = '', clientSecret = '', date = ''] = process.argv.slice(2);

const api = new Api<string>({
  baseUrl,
  securityWorker: (token) => ({ headers: { authorization: 'Bearer ' + token } }),
});

const { data: token } = await api.oauth.createToken({
  grant_type: 'client_credentials',
  client_id: 'demo-partner',
  client_secret: clientSecret,
  audience: 'maitred',
});
api.setSecurityData(token.access_token);

async function firstListing(capability: Listing['capability'], venueName: string): Promise<Listing> {
  const { data } = await api.v1.listListings({ capability, venueName, pageSize: 5 });
  // Nothing was selected with \`fields\`, so everything is there.
  const page = data as ListingPage;
  const listing = page.listings[0]?.items[0]?.capabilities[0];
  if (listing === undefined) throw new Error('There is no ' + venueName);
  return listing;
}

const restaurant = await firstListing('table_reservation', 'Soho Grill');
const concert = await firstListing('event_ticket', 'Jazz Night');
const table = restaurant.bookableProducts.find(({ timeInterval }) => timeInterval === 15);
const ticket = concert.bookableProducts.find(({ price }) => price !== null && price < 5000);
if (table === undefined || ticket === undefined) throw new Error('There is nothing to book');
const isOn = concert.availabilityOccurrence.some(({ kind, startDate }) => kind === 'occurrence' && startDate === date);

const { data: { results } } = await api.v1.checkAvailabilities({
  date,
  quantity: 2,
  bookableProducts: [{ compositeId: table.compositeId, time: '18:00' }, { compositeId: ticket.compositeId }],
});
const items = results.map((result) => {
  if ('error' in result) throw new Error(result.error.detail);
  const slot = result.availability.times.find(({ type }) => type === 'book');
  if (slot === undefined) throw new Error(result.availability.noAvailabilityReason ?? 'unknown');
  return { compositeId: result.compositeId, quantity: 2, dateTime: slot.dateTime } satisfies OrderRequest['items'][0];
});

const order: OrderRequest = { partnerOrderId: 'evening-1', firstName: 'Ada', lastName: 'Lovelace', items };
const { data: made } = await api.v1.createOrder(order, { headers: { 'idempotency-key': 'evening-1' } });
const [dinner, jazz] = made.items.map(({ booking }) => booking);
if (dinner === undefined || jazz === undefined) throw new Error('Something could not be booked');

const { data: changed } = await api.v1.changeOrder(made.orderId, {
  items: [{ bookingId: dinner.id, quantity: 3, notes: 'By the window' }],
});
const { data: withoutJazz } = await api.v1.cancelOrder(made.orderId, { bookingIds: [jazz.id] });
const { data: cancelled } = await api.v1.cancelOrder(made.orderId);
const { data: read } = await api.v1.getOrder(made.orderId);

const refusal = await api.v1.getOrder(dinner.id).then(
  () => null,
  (response: HttpResponse<OrderResult, Problem>) => response.error,
);

const summary = ({ status, items }: OrderResult) => ({
  status,
  items: items.map(({ compositeId, status, booking }) => [compositeId, status, booking?.partySize]),
});
console.log(
  JSON.stringify({
    isOn,
    made: summary(made),
    changed: summary(changed),
    withoutJazz: summary(withoutJazz),
    cancelled: summary(cancelled),
    read: summary(read),
    refusal: refusal?.code,
  }),
);
`;
