import { Type } from 'typebox';
import { callerOf } from '../../http/auth/identify.ts';
import { formatOf, render, sendLive, sendRendered } from '../../http/format/render.ts';
import { manageRoutes, venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { parseVenueId } from '../../kernel/ids.ts';
import { BulkBody, BulkResult, bulkExample, FaqsPatch, faqsExample, SiteFaqs } from './schema.ts';
import type { Faqs } from './service.ts';

const FaqsPath = Type.Object({
  venueCompositeId: Type.String({
    description: 'Venue id; the pipes may be percent-encoded or sent as they are',
    examples: ['1|house|soho-grill'],
  }),
});

/** Room for the two million characters of one venue in any script, or for the eight million of one bulk call. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

const TAG = ['Site FAQs'];
const WRITING = ['VENUE-N-001', 'OPRTR-N-002'] as const;
const FAQS = '/venues/:venueCompositeId/site-faqs';

const venueIn = ({ params }: { params: { venueCompositeId: string } }) =>
  parseVenueId(params.venueCompositeId, 'venueCompositeId');

export function faqRoutes(app: App, faqs: Faqs): void {
  app.get(
    FAQS,
    {
      config: {
        access: 'venue:read',
        problems: ['VENUE-N-001', 'PMAP-N-001', 'OPRTR-N-002'],
        example: faqsExample,
      },
      schema: {
        operationId: 'getSiteFaqs',
        tags: TAG,
        summary: 'Read the FAQs of a venue',
        description:
          'In the order in which its operator keeps them, as they were written. Empty where there are none.',
        params: FaqsPath,
        response: { 200: SiteFaqs },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const found = await faqs.get(callerOf(request), venueIn(request));
      return sendRendered(request, reply, render(found, format));
    },
  );

  app.put(
    FAQS,
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { access: 'operator:write', problems: WRITING, isLive: true, example: faqsExample },
      schema: {
        operationId: 'replaceSiteFaqs',
        tags: TAG,
        summary: 'Replace the FAQs of a venue',
        description:
          'All of them; what is not sent is gone. They can have two million characters altogether.',
        params: FaqsPath,
        body: SiteFaqs,
        response: { 200: SiteFaqs },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await faqs.replace(callerOf(request), venueIn(request), request.body), format);
    },
  );

  app.patch(
    FAQS,
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { access: 'operator:write', problems: WRITING, isLive: true, example: faqsExample },
      schema: {
        operationId: 'patchSiteFaqs',
        tags: TAG,
        summary: 'Change some FAQs of a venue',
        description:
          'A JSON Patch (RFC 6902: `add`, `remove`, `replace`) of the list that PUT takes: `/0/answer` is the answer of the first, `/-` the place after the last. All operations are applied or none is. Where there are no FAQs yet, it is applied to an empty list.',
        params: FaqsPath,
        body: FaqsPatch,
        response: { 200: SiteFaqs },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await faqs.patch(callerOf(request), venueIn(request), request.body), format);
    },
  );

  app.delete(
    FAQS,
    {
      config: { access: 'operator:write', problems: [...WRITING, 'HTTP-N-413', 'HTTP-N-415'] },
      schema: {
        operationId: 'deleteSiteFaqs',
        tags: TAG,
        summary: 'Remove the FAQs of a venue',
        description: 'All of them. Done again, it answers the same.',
        params: FaqsPath,
        response: { 204: Type.Null({ description: 'There are none' }) },
      },
    },
    async (request, reply) => {
      await faqs.remove(callerOf(request), venueIn(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/venues/site-faqs/bulk',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { access: 'operator:write', problems: WRITING, isLive: true, example: bulkExample },
      schema: {
        operationId: 'changeSiteFaqsOfVenues',
        tags: TAG,
        summary: 'Change the FAQs of many venues',
        description:
          'Replaces or patches the FAQs of up to 500 venues, each named once. If one of them is refused, nothing is changed anywhere. What it makes can have eight million characters altogether.',
        body: BulkBody,
        response: { 200: BulkResult },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await faqs.changeMany(callerOf(request), request.body.items), format);
    },
  );
}

/** The same for people who have signed in. */
export function manageFaqRoutes(app: App, faqs: Faqs): void {
  const routes = manageRoutes(app, TAG[0] as string);

  routes.get('/manage/venues/:venueId/site-faqs', {
    access: 'manage:staff',
    operationId: 'getManagedSiteFaqs',
    summary: 'Read the FAQs of your venue',
    description: 'As partners see them.',
    params: venuePath,
    problems: ['VENUE-N-001'],
    result: SiteFaqs,
    example: faqsExample,
    run: ({ params }) => faqs.read(params.venueId),
  });

  routes.put('/manage/venues/:venueId/site-faqs', {
    access: 'manage:manager',
    operationId: 'replaceManagedSiteFaqs',
    summary: 'Replace the FAQs of your venue',
    description: 'All of them; what is not sent is gone. They can have two million characters altogether.',
    params: venuePath,
    body: SiteFaqs,
    bodyLimit: BODY_LIMIT_BYTES,
    problems: ['VENUE-N-001'],
    result: SiteFaqs,
    example: faqsExample,
    run: ({ actor, params, body, ifMatch }) => faqs.write(actor, params.venueId, body, ifMatch),
  });
}
