import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyContextConfig, type FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { installOpenApi } from '../../src/http/openapi/openapi.ts';
import type { App } from '../../src/http/route.ts';
import { Page } from '../../src/http/validation/paging.ts';
import { CommaList } from '../../src/http/validation/query-schema.ts';
import { named, nullable, oneOf, published } from '../../src/http/validation/schema-helpers.ts';
import { validatorCompiler } from '../../src/http/validation/validation.ts';

const Dish = Type.Object(
  { name: Type.String(), course: nullable(oneOf(['main', 'dessert'])), note: nullable(Type.String()) },
  named('Dish', 'Something to eat'),
);

interface Route {
  method?: 'GET' | 'POST';
  config?: FastifyContextConfig;
  schema?: FastifySchema;
}

/** The document of an application with one route; what a test does not say is ordinary. */
async function draw({ method = 'GET', config = {}, schema = {} }: Route) {
  const app: App = Fastify().withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  await installOpenApi(app);
  app.route({
    method,
    url: '/dishes',
    config: { access: 'venue:read', ...config },
    schema: { response: { 200: Dish }, ...schema },
    handler: async () => null,
  });
  await app.ready();
  const document = JSON.parse(JSON.stringify(app.swagger()));
  await app.close();
  return { document, operation: document.paths['/dishes'][method.toLowerCase()] };
}

const codesOf = (response: { content: Record<string, { examples: object }> }) =>
  Object.keys(response.content['application/problem+json']?.examples ?? {});

test('the problems that a route declares stand beside those that every identified route shares', async () => {
  const { operation } = await draw({ config: { problems: ['VENUE-N-001', 'PMAP-N-001'] } });
  assert.deepEqual(codesOf(operation.responses[404]), ['VENUE-N-001']);
  assert.deepEqual(codesOf(operation.responses[403]), [
    'IDENT-N-002',
    'IDENT-N-003',
    'PMAP-N-001',
    'USER-N-009',
  ]);
  assert.deepEqual(codesOf(operation.responses[401]), ['IDENT-N-001']);
  assert.deepEqual(codesOf(operation.responses[429]), ['RATE-R-001']);
});

test('on the listings interface a problem is shown with the status it has there', async () => {
  const { operation } = await draw({ config: { interface: 'listings', problems: ['VENUE-N-001'] } });
  assert.equal(operation.responses[404], undefined);
  const { examples } = operation.responses[400].content['application/problem+json'];
  assert.equal(examples['VENUE-N-001'].value.status, 400);
});

test('an answer is shown in every form it can take', async () => {
  const example = { name: 'Tart', course: 'dessert', note: null };
  const { document, operation } = await draw({ config: { interface: 'listings', example } });
  const { content } = operation.responses[200];
  assert.deepEqual(content['application/json'].example, example);
  assert.deepEqual(content['text/toon'], { schema: { $ref: '#/components/schemas/Toon' } });
  const { schema } = content['application/vnd.service.toon+json'];
  assert.deepEqual(schema, { $ref: '#/components/schemas/ToonInJson' });
  assert.equal(document.components.schemas.Toon.examples.length, 1);
});

test('a route that takes a body can refuse its size and its type', async () => {
  const { operation } = await draw({ method: 'POST', schema: { body: Dish } });
  assert.deepEqual(codesOf(operation.responses[413]), ['HTTP-N-413']);
  assert.deepEqual(codesOf(operation.responses[415]), ['HTTP-N-415']);
});

test('a public route asks for no token and knows no limit', async () => {
  const { operation } = await draw({ config: { access: 'public' } });
  assert.deepEqual(operation.security, []);
  assert.equal(operation.responses[401], undefined);
  assert.deepEqual(Object.keys(operation.responses[200].headers), ['X-Correlation-ID']);
});

test('a route keeps its own headers beside the common ones', async () => {
  const headers = Type.Object({ 'Idempotency-Key': Type.Optional(Type.String({ description: 'Yours' })) });
  const { operation } = await draw({ method: 'POST', schema: { headers } });
  const names = operation.parameters.map((parameter: { name?: string; $ref?: string }) =>
    parameter.$ref ? parameter.$ref.split('/').at(-1) : parameter.name,
  );
  assert.deepEqual(names, ['Idempotency-Key', 'PartnerReference', 'CorrelationId', 'SandboxFault']);
});

test('a comma list is one parameter in the words of OpenAPI', async () => {
  const querystring = Type.Object({ courses: CommaList(Type.String(), { description: 'Any of them' }) });
  const { operation } = await draw({ schema: { querystring } });
  assert.deepEqual(operation.parameters[0], {
    in: 'query',
    name: 'courses',
    description: 'Any of them',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  });
});

test('what can be null says so in its type, and an enumeration lists it', async () => {
  const { document } = await draw({});
  assert.deepEqual(document.components.schemas.Dish, {
    type: 'object',
    required: ['name', 'course', 'note'],
    properties: {
      name: { type: 'string' },
      course: { type: ['string', 'null'], enum: ['main', 'dessert', null] },
      note: { type: ['string', 'null'] },
    },
    description: 'Something to eat',
  });
});

test('a named schema that can be null stays a reference', async () => {
  const Plate = Type.Object({ dish: nullable(Dish) }, named('Plate', 'A plate'));
  const { document } = await draw({ schema: { response: { 200: Plate } } });
  assert.deepEqual(document.components.schemas.Plate.properties.dish, {
    anyOf: [{ $ref: '#/components/schemas/Dish' }, { type: 'null' }],
  });
});

test('a property may have the name of a keyword, and an example may look like a schema', async () => {
  const Rule = Type.Object({ enum: nullable(Type.String()), properties: Dish }, named('Rule', 'A rule'));
  const example = { enum: null, properties: { anyOf: [{ type: 'string' }, { type: 'null' }] } };
  const { document, operation } = await draw({ config: { example }, schema: { response: { 200: Rule } } });
  assert.deepEqual(operation.responses[200].content['application/json'].example, example);
  assert.deepEqual(document.components.schemas.Rule.properties, {
    enum: { type: ['string', 'null'] },
    properties: { $ref: '#/components/schemas/Dish' },
  });
});

test('two different schemas cannot share a name', async () => {
  const Other = Type.Object({ name: Type.String() }, named('Dish', 'Another dish'));
  await assert.rejects(
    draw({ method: 'POST', schema: { body: Other } }),
    /Two different schemas are called Dish/,
  );
});

test('a route that takes `fields` may answer with everything, or with what was selected', async () => {
  const Menu = Type.Object({ dishes: Type.Array(Dish), title: Type.String() }, named('Menu', 'A menu'));
  const querystring = Type.Object({ fields: Type.Optional(Type.String({ description: 'What to return' })) });
  const { document, operation } = await draw({ schema: { querystring, response: { 200: Menu } } });
  const { schemas } = document.components;
  assert.deepEqual(operation.responses[200].content['application/json'].schema, {
    anyOf: [{ $ref: '#/components/schemas/Menu' }, { $ref: '#/components/schemas/MenuSelection' }],
  });
  assert.deepEqual(schemas.Menu.required, ['dishes', 'title']);
  assert.equal(schemas.MenuSelection.required, undefined);
  assert.equal(schemas.DishSelection.required, undefined);
  assert.deepEqual(schemas.MenuSelection.properties.dishes.items, {
    $ref: '#/components/schemas/DishSelection',
  });
});

test('of a page only the entries are selected from', async () => {
  const querystring = Type.Object({ fields: Type.Optional(Type.String({ description: 'What to return' })) });
  const { document } = await draw({ schema: { querystring, response: { 200: Page(Dish) } } });
  const { DishPageSelection, PageMetaSelection } = document.components.schemas;
  assert.deepEqual(DishPageSelection.required, ['data', 'meta']);
  assert.deepEqual(DishPageSelection.properties.meta, { $ref: '#/components/schemas/PageMeta' });
  assert.equal(PageMetaSelection, undefined);
});

test('what validation leaves to the service is published all the same', async () => {
  const body = Type.Object({ course: Type.String({ maxLength: 50, ...published({ enum: ['main'] }) }) });
  const { operation } = await draw({ method: 'POST', schema: { body } });
  const { schema } = operation.requestBody.content['application/json'];
  assert.deepEqual(schema.properties.course, { type: 'string', maxLength: 50, enum: ['main'] });
});

test('a local time is published as a pattern that every validator knows', async () => {
  const body = Type.Object({ from: Type.String({ format: 'clock-time' }) });
  const { operation } = await draw({ method: 'POST', schema: { body } });
  const { from } = operation.requestBody.content['application/json'].schema.properties;
  assert.equal(from.format, undefined);
  for (const [text, isTime] of [
    ['19:30', true],
    ['19:30:15', true],
    ['24:00', false],
    ['7:30', false],
  ] as const) {
    assert.equal(new RegExp(from.pattern).test(text), isTime, text);
  }
});
