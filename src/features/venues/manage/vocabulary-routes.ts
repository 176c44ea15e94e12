import { Type } from 'typebox';
import { manageRoutes, operatorPath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import { vocabularyExample as example } from './examples.ts';
import { slug } from './schema-helpers.ts';
import {
  CategoryEntries,
  ManagedCategory,
  ManagedVenueType,
  VenueTypeEntries,
  Vocabulary,
  VocabularyBody,
} from './venue-schema.ts';
import type { VocabularyKeeping } from './vocabulary.ts';

const path = Type.Object({ slug: slug('Its name in data') });
const category = { id: 1, slug: 'dinner', name: 'Dinner' };
const venueType = { slug: 'restaurant', name: 'Restaurant' };

export function manageVocabularyRoutes(app: App, vocabulary: VocabularyKeeping): void {
  const routes = manageRoutes(app, 'Manage: venues');
  const { categories, venueTypes } = vocabulary;

  routes.list('/manage/operators/:operatorId/vocabulary', {
    access: 'manage:staff',
    operationId: 'getVocabulary',
    summary: 'Read the words that venues and products are sorted by',
    description: 'The same for every operator; the platform keeps them.',
    params: operatorPath,
    result: Vocabulary,
    example,
    run: () => vocabulary.read(),
  });

  routes.list('/manage/product-categories', {
    access: 'manage:platform',
    operationId: 'listProductCategories',
    summary: 'List the categories of products',
    description: 'In the order of their ids.',
    result: CategoryEntries,
    example: { data: example.categories },
    run: async () => ({ data: await categories.list() }),
  });

  routes.get('/manage/product-categories/:slug', {
    access: 'manage:platform',
    operationId: 'getProductCategory',
    summary: 'Read a category of products',
    description: 'By its slug.',
    params: path,
    result: ManagedCategory,
    example: category,
    problems: ['HTTP-N-404'],
    run: ({ params }) => categories.get(params.slug),
  });

  routes.put('/manage/product-categories/:slug', {
    access: 'manage:platform',
    operationId: 'putProductCategory',
    summary: 'Add or rename a category of products',
    description: 'Its slug never changes: rules and filters name it.',
    params: path,
    body: VocabularyBody,
    result: ManagedCategory,
    example: category,
    run: ({ params, body, ...request }) => categories.put(request, params.slug, body.name),
  });

  routes.remove('/manage/product-categories/:slug', {
    access: 'manage:platform',
    operationId: 'removeProductCategory',
    summary: 'Remove a category of products',
    description: 'Only one that no product is in.',
    params: path,
    problems: ['HTTP-N-404'],
    run: ({ params, ...request }) => categories.remove(request, params.slug),
  });

  routes.list('/manage/venue-types', {
    access: 'manage:platform',
    operationId: 'listVenueTypes',
    summary: 'List the types of venues',
    description: 'By slug.',
    result: VenueTypeEntries,
    example: { data: example.venueTypes },
    run: async () => ({ data: await venueTypes.list() }),
  });

  routes.get('/manage/venue-types/:slug', {
    access: 'manage:platform',
    operationId: 'getVenueType',
    summary: 'Read a type of venues',
    description: 'By its slug.',
    params: path,
    result: ManagedVenueType,
    example: venueType,
    problems: ['HTTP-N-404'],
    run: ({ params }) => venueTypes.get(params.slug),
  });

  routes.put('/manage/venue-types/:slug', {
    access: 'manage:platform',
    operationId: 'putVenueType',
    summary: 'Add or rename a type of venues',
    description: 'Its slug never changes: filters name it.',
    params: path,
    body: VocabularyBody,
    result: ManagedVenueType,
    example: venueType,
    run: ({ params, body, ...request }) => venueTypes.put(request, params.slug, body.name),
  });

  routes.remove('/manage/venue-types/:slug', {
    access: 'manage:platform',
    operationId: 'removeVenueType',
    summary: 'Remove a type of venues',
    description: 'Only one that no venue is of.',
    params: path,
    problems: ['HTTP-N-404'],
    run: ({ params, ...request }) => venueTypes.remove(request, params.slug),
  });
}
