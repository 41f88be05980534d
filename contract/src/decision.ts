/** By which threshold a test decided, and what it is judged by. Free of schemas, so that pages can carry it. */

/** How a threshold came to be: on validation, 0.5 for too few cases or as before, in each fold anew; or none is needed. */
export const decisionBases = ['validation', 'few', 'usual', 'folds', 'likeliest'] as const
export const decisionFigures = ['sensitivity', 'specificity', 'ppv', 'npv'] as const

/** From here on a found box is believed unless the best epoch told a better threshold. */
export const SURE_BOX = 0.5

/** Under which name the values of a predicted image, and the counts of its run, hold how many boxes of a class count. */
export const boxesCount = (classIndex: number): string => `boxes_${classIndex}`
