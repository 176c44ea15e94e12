/**
 * What people ask, with what is right. For the demo catalogue venues are named, from 3 (what was meant) to 1 (would
 * do); for the generated one a function grades by attributes. Half of them, by a hash of the text, is for tuning; the
 * other half is looked at only as a figure.
 */
import { createHash } from 'node:crypto';
import type { GeneratedVenue, Trait } from './catalogue.ts';

export interface DemoQuery {
  query: string;
  /** Grades by the last part of the id. */
  right: Record<string, number>;
}

export interface GeneratedQuery {
  query: string;
  grade(venue: GeneratedVenue): number;
}

/** For tuning, or kept out of it. */
export const isForTuning = (query: string) => (createHash('sha256').update(query).digest()[0] ?? 0) % 2 === 0;

const demo = (query: string, right: Record<string, number>): DemoQuery => ({ query, right });

export const DEMO_QUERIES: DemoQuery[] = [
  // Names, whole and half remembered.
  demo('soho grill', { 'soho-grill': 3 }),
  demo('the lantern house greenwich', { 'lantern-house': 3 }),
  demo('lantern', { 'lantern-house': 3 }),
  demo('night owl', { 'night-owl': 3 }),
  demo('blue note', { 'blue-note': 3, 'jazz-night': 2 }),
  demo('juniper and rye', { 'juniper-and-rye': 3 }),
  demo('that bar with juniper in the name', { 'juniper-and-rye': 3 }),
  demo('chez odette', { 'chez-odette': 3 }),
  demo('odette paris', { 'chez-odette': 3 }),
  demo('comptoir bleu', { 'le-comptoir-bleu': 3 }),
  demo('atelier vert', { 'atelier-vert': 3 }),
  demo('grune gabel', { 'gruene-gabel': 3 }),
  demo('grüne gabel', { 'gruene-gabel': 3 }),
  demo('salon savigny', { 'salon-savigny': 3 }),
  demo('maison lilas', { 'maison-lilas': 3 }),
  demo('brick lane pantry', { 'brick-lane-pantry': 3 }),
  demo('number nine', { 'number-nine': 3 }),
  demo('skyline', { 'skyline-nine': 3 }),
  demo('the chorlton table', { 'chorlton-table': 3 }),
  demo('castle wynd edinburgh', { 'castle-wynd': 3 }),
  demo('orangery', { 'clifton-orangery': 3 }),
  demo('stokes croft', { 'stokes-croft-social': 3 }),
  demo('bedminster pie', { 'bedminster-pie': 3 }),
  demo('garden room', { 'garden-room': 3 }),
  // Names and places misspelt.
  demo('saltmash', { saltmarsh: 3 }),
  demo('tamarind roww', { 'tamarind-row': 3 }),
  demo('anatolya fire', { 'anatolia-fire': 3 }),
  demo('nachtshatten', { nachtschatten: 3 }),
  demo('spreblick', { spreeblick: 3 }),
  demo('brasserie voltije', { 'brasserie-voltige': 3 }),
  demo('shorditch bar', { 'night-owl': 3 }),
  demo('grenwich pub', { 'lantern-house': 3 }),
  demo('covant garden drinks', { 'juniper-and-rye': 3 }),
  demo('kensingtn tea', { 'marigold-tea-rooms': 3 }),
  demo('edinbrugh seafood', { 'the-shorehouse': 3, 'castle-wynd': 1, 'thistle-and-smoke': 1 }),
  demo('resturant in brixtn', { 'tamarind-row': 3 }),
  demo('montmatre', { 'maison-lilas': 3 }),
  demo('kreuzburg breakfast', { 'paul-und-pauline': 3 }),
  // Areas and cities.
  demo('peckham', { 'pepper-lane': 3 }),
  demo('somewhere in dalston', { 'anatolia-fire': 3 }),
  demo('canary wharf', { canopy: 3 }),
  demo('le marais', { 'chez-odette': 3 }),
  demo('saint germain', { 'le-comptoir-bleu': 3 }),
  demo('neukolln bar', { nachtschatten: 3 }),
  demo('prenzlauer berg mit garten', { kastanie: 3 }),
  demo('ancoats brunch', { 'ancoats-bakehouse': 3 }),
  demo('leith', { 'the-shorehouse': 3 }),
  demo('wedding berlin', { 'werkhalle-wedding': 3 }),
  demo('northern quarter', { 'cotton-kitchen': 3 }),
  demo('ile saint louis', { 'petit-quai': 3 }),
  // Cuisines and dishes.
  demo('oysters', { saltmarsh: 3, 'le-comptoir-bleu': 3, 'the-shorehouse': 1 }),
  demo('oysters in london', { saltmarsh: 3 }),
  demo('steak manchester', { 'skyline-nine': 3 }),
  demo('steakhouse', { 'soho-grill': 3, 'skyline-nine': 3 }),
  demo('kebab', { 'anatolia-fire': 3 }),
  demo('turkish food london', { 'anatolia-fire': 3 }),
  demo('jollof rice', { 'pepper-lane': 3 }),
  demo('west african', { 'pepper-lane': 3 }),
  demo('dosa', { 'tamarind-row': 3 }),
  demo('indian restaurant london', { 'tamarind-row': 3 }),
  demo('curry in brixton', { 'tamarind-row': 3 }),
  demo('afternoon tea', { 'marigold-tea-rooms': 3, 'clifton-orangery': 2, 'petit-quai': 1 }),
  demo('scones', { 'marigold-tea-rooms': 3, 'thistle-and-smoke': 1 }),
  demo('sunday roast', { 'lantern-house': 3, 'soho-grill': 2, 'bedminster-pie': 2, 'les-deux-merles': 1 }),
  demo('roast in greenwich', { 'lantern-house': 3 }),
  demo('bagels', { 'brick-lane-pantry': 3 }),
  demo('bbq bristol', { 'harbourside-smokehouse': 3 }),
  demo('brisket', { 'harbourside-smokehouse': 3 }),
  demo('fish restaurant', {
    saltmarsh: 3,
    'le-comptoir-bleu': 3,
    'the-shorehouse': 3,
    spreeblick: 1,
    lichthof: 1,
    'thistle-and-smoke': 1,
  }),
  demo('mussels and a pint', { 'the-shorehouse': 3 }),
  demo('schnitzel berlin', { kastanie: 3, 'gruene-gabel': 1 }),
  demo('german food', { kastanie: 3, 'gruene-gabel': 2 }),
  demo('currywurst', { 'gruene-gabel': 3, kastanie: 1 }),
  demo('creole food', { 'blue-note': 3 }),
  demo('pies', { 'bedminster-pie': 3 }),
  demo('hot chocolate paris', { 'petit-quai': 3 }),
  demo('chocolate mousse', { 'chez-odette': 3 }),
  demo('choucroute', { 'brasserie-voltige': 3 }),
  demo('tasting menu london', { 'number-nine': 3 }),
  demo('fine dining edinburgh', { 'castle-wynd': 3, 'royal-circus': 3 }),
  demo('scottish whisky', { 'castle-wynd': 3 }),
  demo('gin bar', { 'juniper-and-rye': 3 }),
  demo('real ale manchester', { viaduct: 3 }),
  demo('cider', { 'harbourside-smokehouse': 3 }),
  demo('bakery manchester', { 'ancoats-bakehouse': 3 }),
  demo('riesling', { 'salon-savigny': 3 }),
  demo('natural wine paris', { 'cave-mirabelle': 3, 'chez-odette': 3, 'la-table-du-canal': 3 }),
  demo('wine bar', { 'cave-mirabelle': 3, 'salon-savigny': 3, 'chorlton-table': 1 }),
  // Diets.
  demo('vegan berlin', { 'gruene-gabel': 3, 'paul-und-pauline': 2 }),
  demo('vegan restaurant paris', { 'atelier-vert': 3, 'la-table-du-canal': 2 }),
  demo('halal london', { 'pepper-lane': 3, 'anatolia-fire': 3, 'tamarind-row': 3, 'garden-room': 2 }),
  demo('plant based bristol', { 'stokes-croft-social': 3 }),
  demo('vegetarisch in berlin', { 'gruene-gabel': 3, 'paul-und-pauline': 2 }),
  demo('végétalien paris', { 'atelier-vert': 3, 'la-table-du-canal': 2 }),
  // Occasions.
  demo('date night paris', {
    'maison-lilas': 3,
    'ciel-de-belleville': 3,
    'cave-mirabelle': 2,
    'la-table-du-canal': 1,
  }),
  demo('business dinner with clients london', { 'soho-grill': 3, 'number-nine': 3 }),
  demo('wedding reception venue', {
    'brasserie-voltige': 3,
    'werkhalle-wedding': 2,
    spreeblick: 2,
    'clifton-orangery': 3,
    canopy: 2,
    'royal-circus': 2,
    'lantern-house': 2,
  }),
  demo('christmas party venue london', { canopy: 3, 'lantern-house': 3, 'soho-grill': 2 }),
  demo('birthday dinner manchester', { 'cotton-kitchen': 3, 'skyline-nine': 1 }),
  demo('product launch berlin', { 'werkhalle-wedding': 3, spreeblick: 2 }),
  demo('christening', { 'clifton-orangery': 3 }),
  demo('drinks before the opera', { 'juniper-and-rye': 3, 'brasserie-voltige': 1 }),
  // Features and moods.
  demo('rooftop bar london', { canopy: 3 }),
  demo('roof terrace with a view of paris', { 'ciel-de-belleville': 3 }),
  demo('dachterrasse berlin', { spreeblick: 3 }),
  demo('biergarten', { kastanie: 3 }),
  demo('beer garden for kids', { kastanie: 3 }),
  demo('pub by the river', { 'lantern-house': 3, 'the-shorehouse': 2 }),
  demo('dog friendly cafe edinburgh', { 'thistle-and-smoke': 3 }),
  demo('live music bristol', { 'stokes-croft-social': 3 }),
  demo('jazz', { 'jazz-night': 3, 'blue-note': 3 }),
  demo('wheelchair accessible seafood', { saltmarsh: 3, 'the-shorehouse': 1, 'le-comptoir-bleu': 1 }),
  demo('wheelchair access manchester', { 'skyline-nine': 3 }),
  demo('rollstuhlgerecht berlin', { lichthof: 3, spreeblick: 3, 'werkhalle-wedding': 3 }),
  demo('accessible en fauteuil roulant paris', { 'atelier-vert': 3, 'brasserie-voltige': 3 }),
  demo('open late london', { 'night-owl': 3, 'blue-note': 3, 'juniper-and-rye': 3 }),
  demo('piano bar', { nachtschatten: 3, 'blue-note': 3 }),
  demo('somewhere quiet in paris', { 'petit-quai': 3 }),
  demo('open fire and dogs', { 'lantern-house': 3 }),
  demo('bargain lunch paris', { 'les-deux-merles': 3, 'cave-mirabelle': 1 }),
  demo('frühstück berlin', { 'paul-und-pauline': 3 }),
  demo('bistrot avec terrasse', { 'le-comptoir-bleu': 3, 'les-deux-merles': 1, 'chez-odette': 1 }),
  demo('private room in soho', { 'soho-grill': 3 }),
  demo('four people in shoreditch on saturday for cocktails', { 'night-owl': 3 }),
  demo('we are eight looking for a private dining room in edinburgh', {
    'royal-circus': 3,
    'castle-wynd': 3,
  }),
];

type Measure = (venue: GeneratedVenue) => number;

const cuisine =
  (name: string): Measure =>
  (venue) =>
    venue.cuisine === name ? 1 : 0;
/** The dish itself, or a house that would have it. */
const dish =
  (text: string, of: string): Measure =>
  (venue) =>
    venue.dishes.some((each) => each.toLowerCase().includes(text)) ? 1 : venue.cuisine === of ? 0.5 : 0;
const has =
  (...traits: Trait[]): Measure =>
  (venue) =>
    traits.some((trait) => venue.traits.has(trait)) ? 1 : 0;
const city =
  (name: string): Measure =>
  (venue) =>
    venue.city === name ? 1 : 0;
const area =
  (...names: string[]): Measure =>
  (venue) =>
    names.includes(venue.area) ? 1 : 0;
const kind =
  (name: GeneratedVenue['kind']): Measure =>
  (venue) =>
    venue.kind === name ? 1 : 0;
const named =
  (text: string): Measure =>
  (venue) =>
    venue.name.toLowerCase().includes(text) ? 1 : 0;
const not =
  (measure: Measure): Measure =>
  (venue) =>
    1 - measure(venue);
const either =
  (...measures: Measure[]): Measure =>
  (venue) =>
    Math.max(...measures.map((measure) => measure(venue)));

/** All of it is 3, most of it 2, half of it 1. */
function wants(query: string, ...measures: Measure[]): GeneratedQuery {
  return {
    query,
    grade(venue) {
      const share = measures.reduce((sum, measure) => sum + measure(venue), 0) / measures.length;
      return share > 0.99 ? 3 : share > 0.74 ? 2 : share > 0.49 ? 1 : 0;
    },
  };
}

export const GENERATED_QUERIES: GeneratedQuery[] = [
  // A cuisine, or a dish of it.
  wants('italian', cuisine('italian')),
  wants('itallian food', cuisine('italian')),
  wants('japanese restaurant', cuisine('japanese')),
  wants('ramen', dish('ramen', 'japanese')),
  wants('sushi', dish('sushi', 'japanese')),
  wants('suchi place', dish('sushi', 'japanese')),
  wants('dim sum', dish('dim sum', 'chinese')),
  wants('hand pulled noodles', dish('noodles', 'chinese')),
  wants('peking duck', dish('peking duck', 'chinese')),
  wants('tapas', dish('tapas', 'spanish')),
  wants('paella', dish('paella', 'spanish')),
  wants('pizza', dish('pizza', 'italian')),
  wants('fresh pasta', dish('pasta', 'italian')),
  wants('tacos', dish('tacos', 'mexican')),
  wants('mexican', cuisine('mexican')),
  wants('mexcian', cuisine('mexican')),
  wants('burger', dish('burger', 'american')),
  wants('fried chicken', dish('fried chicken', 'american')),
  wants('pho', dish('pho', 'vietnamese')),
  wants('vietnamese', cuisine('vietnamese')),
  wants('vietnameese', cuisine('vietnamese')),
  wants('korean bbq', dish('barbecue', 'korean')),
  wants('thai curry', dish('green curry', 'thai')),
  wants('biryani', dish('biryani', 'indian')),
  wants('dosas', dish('dosas', 'indian')),
  wants('falafel', dish('falafel', 'lebanese')),
  wants('mezze to share', dish('mezze', 'lebanese')),
  wants('kebab', dish('kebab', 'turkish')),
  wants('moussaka', dish('moussaka', 'greek')),
  wants('ceviche', dish('ceviche', 'peruvian')),
  wants('schnitzel', dish('schnitzel', 'german')),
  wants('oysters', dish('oysters', 'seafood')),
  wants('lobster', dish('lobster', 'seafood')),
  wants('seafood', cuisine('seafood')),
  wants('tomahawk', dish('tomahawk', 'steak')),
  wants('steak', cuisine('steak')),
  wants('sunday roast', dish('sunday roast', 'british')),
  wants('fish and chips', dish('fish and chips', 'british')),
  wants('ethiopian injera', either(dish('injera', 'ethiopian'), cuisine('ethiopian'))),
  wants('jerk chicken', dish('jerk', 'caribbean')),
  wants('croissants', dish('croissants', 'bakery')),
  wants('cinnamon buns', dish('cinnamon', 'bakery')),
  wants('afternoon tea', kind('tea room')),
  wants('scones', dish('scones', 'tea')),
  wants('cocktail bar', cuisine('cocktails')),
  wants('negroni', dish('negroni', 'cocktails')),
  wants('craft beer', dish('craft beer', 'beer')),
  wants('wine bar', cuisine('wine')),
  wants('good coffee', cuisine('coffee')),
  wants('pancakes for brunch', dish('pancakes', 'coffee')),
  // With a place.
  wants('italian in soho', cuisine('italian'), area('Soho')),
  wants('sushi covent garden', dish('sushi', 'japanese'), area('Covent Garden')),
  wants('indian shorditch', cuisine('indian'), area('Shoreditch')),
  wants('thai food in manchester', cuisine('thai'), city('Manchester')),
  wants('chinese northern quarter', cuisine('chinese'), area('Northern Quarter')),
  wants('tapas notting hill', dish('tapas', 'spanish'), area('Notting Hill')),
  wants('korean in camden or islington', cuisine('korean'), area('Camden', 'Islington')),
  wants('turkish hackney', cuisine('turkish'), area('Hackney')),
  wants('seafood greenwich', cuisine('seafood'), area('Greenwich')),
  wants('steak mayfair', cuisine('steak'), area('Mayfair')),
  wants('cocktails in didsbury', cuisine('cocktails'), area('Didsbury')),
  wants('pub in headingley', kind('pub'), area('Headingley')),
  wants('bakery in leeds', cuisine('bakery'), city('Leeds')),
  wants('mexican leeds', cuisine('mexican'), city('Leeds')),
  wants('kings cross wine bar', cuisine('wine'), area('King’s Cross')),
  wants('coffee in clapham', cuisine('coffee'), area('Clapham')),
  wants('peruvian london', cuisine('peruvian'), city('London')),
  wants('pizza deansgate', dish('pizza', 'italian'), area('Deansgate')),
  wants('bars in brixton', kind('bar'), area('Brixton')),
  wants('manchster korean', cuisine('korean'), city('Manchester')),
  wants('islingtn pub', kind('pub'), area('Islington')),
  wants('cofee hackny', cuisine('coffee'), area('Hackney')),
  // In German and French.
  wants('italiener in kreuzberg', cuisine('italian'), area('Kreuzberg')),
  wants('japanisch essen in mitte', cuisine('japanese'), area('Mitte')),
  wants('weinbar neukölln', cuisine('wine'), area('Neukölln')),
  wants('griechisches restaurant berlin', cuisine('greek'), city('Berlin')),
  wants('vegan in friedrichshain', has('vegan'), area('Friedrichshain')),
  wants('deutsche küche in münchen', cuisine('german'), city('München')),
  wants('indian food in munich', cuisine('indian'), city('München')),
  wants('schwabing mit terrasse', has('outdoor'), area('Schwabing')),
  wants('hundefreundlich charlottenburg', has('dogs'), area('Charlottenburg')),
  wants('glutenfrei berlin', has('glutenFree'), city('Berlin')),
  wants('ruhiges restaurant in berlin', has('quiet'), city('Berlin')),
  wants('günstig essen in neukölln', has('cheap'), area('Neukölln')),
  wants('restaurant italien le marais', cuisine('italian'), area('Le Marais')),
  wants('japonais bastille', cuisine('japanese'), area('Bastille')),
  wants('bar à vin montmartre', cuisine('wine'), area('Montmartre')),
  wants('terrasse à lyon', has('outdoor'), city('Lyon')),
  wants('pas cher pigalle', has('cheap'), area('Pigalle')),
  wants('fruits de mer paris', cuisine('seafood'), city('Paris')),
  wants('sans gluten paris', has('glutenFree'), city('Paris')),
  wants('diner romantique montmartre', has('romantic'), area('Montmartre')),
  wants('salon de thé saint germain', kind('tea room'), area('Saint-Germain-des-Prés')),
  wants('concerts à paris', has('liveMusic'), city('Paris')),
  // Diets.
  wants('vegan', has('vegan')),
  wants('vegan italian', has('vegan'), cuisine('italian')),
  wants('halal burgers', has('halal'), dish('burger', 'american')),
  wants('halal indian in london', has('halal'), cuisine('indian'), city('London')),
  wants('kosher restaurant', has('kosher')),
  wants('kosher in london', has('kosher'), city('London')),
  wants('gluten free pizza', has('glutenFree'), dish('pizza', 'italian')),
  wants('coeliac friendly', has('glutenFree')),
  wants(
    'vegan brunch shoreditch',
    has('vegan'),
    either(cuisine('coffee'), cuisine('bakery')),
    area('Shoreditch'),
  ),
  wants('plant based fine dining', has('vegan'), has('fine')),
  // Features.
  wants('wheelchair accessible', has('wheelchair')),
  wants('wheelchair friendly italian in london', has('wheelchair'), cuisine('italian'), city('London')),
  wants('step free access mayfair', has('wheelchair'), area('Mayfair')),
  wants('dog friendly pub', has('dogs'), kind('pub')),
  wants('can i bring my dog manchester', has('dogs'), city('Manchester')),
  wants('kid friendly thai', has('family'), cuisine('thai')),
  wants('family lunch in didsbury', has('family'), area('Didsbury')),
  wants('rooftop cocktails', has('rooftop'), cuisine('cocktails')),
  wants('rooftop bar soho', has('rooftop'), kind('bar'), area('Soho')),
  wants('outdoor seating camden', has('outdoor'), area('Camden')),
  wants('beer garden hackney', has('outdoor'), kind('pub'), area('Hackney')),
  wants('by the water in berlin', has('waterside'), city('Berlin')),
  wants('live music bar', has('liveMusic'), kind('bar')),
  wants('jazz in london', has('liveMusic'), city('London')),
  wants('late night food shoreditch', has('late'), area('Shoreditch')),
  wants('open after midnight in soho', has('late'), area('Soho')),
  wants('private dining mayfair', has('privateRoom'), area('Mayfair')),
  wants('private room for 15 in manchester', has('privateRoom'), city('Manchester')),
  wants('natural wine kreuzberg', has('naturalWine'), area('Kreuzberg')),
  wants('venue hire for a wedding reception in london', has('events'), city('London')),
  // Occasions and moods.
  wants('date night soho', has('romantic'), area('Soho')),
  wants('romantic italian', has('romantic'), cuisine('italian')),
  wants('anniversary dinner paris', has('romantic', 'fine'), city('Paris')),
  wants('birthday dinner for a big group in london', has('groups', 'privateRoom', 'events'), city('London')),
  wants('business lunch mayfair', has('business', 'fine', 'privateRoom'), area('Mayfair')),
  wants(
    'hen do manchester',
    either(has('groups', 'lively', 'privateRoom'), cuisine('cocktails')),
    city('Manchester'),
  ),
  wants('large group in berlin', has('groups', 'privateRoom', 'events'), city('Berlin')),
  wants('quiet restaurant in islington', has('quiet'), area('Islington')),
  wants('not too loud camden', has('quiet'), area('Camden')),
  wants('somewhere lively in shoreditch', has('lively'), area('Shoreditch')),
  wants('cheap eats london', has('cheap'), city('London')),
  wants(
    'cheap noodles',
    has('cheap'),
    either(dish('noodles', 'chinese'), dish('ramen', 'japanese'), dish('udon', 'japanese')),
  ),
  wants('affordable indian in london', has('cheap'), cuisine('indian'), city('London')),
  wants('fancy french', has('fine'), cuisine('french')),
  wants('tasting menu manchester', has('fine'), city('Manchester')),
  wants('not expensive in covent garden', has('cheap'), area('Covent Garden')),
  wants('lively mexican with cocktails', has('lively'), cuisine('mexican')),
  // Sentences.
  wants(
    'somewhere quiet in Soho for four with good wine',
    has('quiet'),
    area('Soho'),
    either(cuisine('wine'), has('naturalWine')),
  ),
  wants('table for two on friday, japanese, near camden', cuisine('japanese'), area('Camden')),
  wants('looking for a cosy pub with a garden in greenwich', kind('pub'), has('outdoor'), area('Greenwich')),
  wants(
    'can you recommend a good steak place in mayfair with a private room',
    cuisine('steak'),
    area('Mayfair'),
    has('privateRoom'),
  ),
  wants(
    'vegan friendly thai place in london that takes dogs',
    has('vegan'),
    cuisine('thai'),
    city('London'),
    has('dogs'),
  ),
  wants(
    'best halal turkish restaurant in london for a family',
    has('halal'),
    cuisine('turkish'),
    city('London'),
    has('family'),
  ),
  wants('where can we eat oysters in manchester', dish('oysters', 'seafood'), city('Manchester')),
  wants(
    'i need a wheelchair accessible pub in london with outdoor seating',
    has('wheelchair'),
    kind('pub'),
    city('London'),
    has('outdoor'),
  ),
  wants('indian without music in london', cuisine('indian'), not(has('liveMusic', 'lively')), city('London')),
  // Names half remembered.
  wants('trattoria marlowe', named('trattoria marlowe')),
  wants('cantina', named('cantina')),
  wants('gasthaus', named('gasthaus')),
  wants('ocakbasi', either(named('ocakbaşı'), cuisine('turkish'))),
  wants('sakura', named('sakura')),
  wants('cedar tea rooms', named('cedar tea rooms')),
  wants('the heron', named('heron')),
  wants('cardamon', named('cardamom')),
  wants('moreau', named('moreau')),
  wants('whitlok', named('whitlock')),
];
