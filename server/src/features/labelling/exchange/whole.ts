import type { ExchangeRow } from './tables.ts'

export type ExchangeFailure = NonNullable<ExchangeRow['failure']>

/** Stands in the way of all of an exchange. */
export class Whole extends Error {
  readonly failure: ExchangeFailure

  constructor(failure: ExchangeFailure) {
    super(failure)
    this.failure = failure
  }
}
