/** The way back from a change of a booking, for as long as no other change has followed it. */
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { ApiProblem, api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';

/** `lastUpdate` is that of the change. Throws where it is not the last one any more. */
export async function takeBack<Result>(
  operatorId: number,
  { id, lastUpdate }: Pick<ManagedBooking, 'id' | 'lastUpdate'>,
  send: (ifMatch: string | null) => Promise<Result>,
): Promise<Result> {
  const address = path`/manage/operators/${operatorId}/bookings/${id}`;
  const { data, etag } = await api.getTagged<ManagedBooking>(address);
  if (data.lastUpdate !== lastUpdate)
    throw new ApiProblem(412, { code: 'HTTP-N-412', detail: t.frame.undoOvertaken });
  return send(etag);
}
