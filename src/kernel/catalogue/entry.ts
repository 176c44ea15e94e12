/** What the catalogue says about one code; the problem page of the code is made of it. */
export interface CatalogueEntry {
  status:
    | 400
    | 401
    | 402
    | 403
    | 404
    | 405
    | 406
    | 409
    | 410
    | 412
    | 413
    | 414
    | 415
    | 416
    | 422
    | 429
    | 431
    | 500
    | 503;
  /** Short and stable: the same in every answer that carries the code. */
  title: string;
  /** For the developer of a partner: what happened. */
  meaning: string;
  /** What that developer can do about it. */
  remedy: string;
  /** Only where it differs from the letter in the code: R may be retried, N may not. */
  isRetryable?: boolean;
}

export type CodeList = Record<string, CatalogueEntry>;
