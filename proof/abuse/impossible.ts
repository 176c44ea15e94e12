/** Operations that cannot succeed in every run of the fuzzer, each with what is missing where they have not. */
const VISIT =
  'takes a visit that has begun; a party that walks in starts at the next step of the grid, so a run of half an hour or more reaches it';

export const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'PUT /manage/operators/{operatorId}/bookings/{bookingId}/actuals': VISIT,
  'POST /manage/operators/{operatorId}/bookings/{bookingId}/complete': VISIT,
  'POST /manage/operators/{operatorId}/bookings/{bookingId}/no-show': VISIT,
};
