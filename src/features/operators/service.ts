/** Operators: the companies that run venues. */
export { getOperator, holdOperator, notFound, type PlatformDeps } from './context.ts';
export {
  ALL_OPERATORS,
  assertNewOperator,
  createOperators,
  type Operators,
  settingsIn,
} from './operators.ts';
export { Operator } from './schema.ts';
export { updateOperator } from './store.ts';
