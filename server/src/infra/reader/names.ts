/** Names that the reading program and whoever asks it agree on. */

/** Results of a conversion are called so, with a number where there are many, and their ending. */
export const RESULT = 'result'
