/** In which order pages and reports show figures. Free of schemas: pages load it. */

const order = [
  'accuracy',
  'balancedAccuracy',
  'macroF1',
  'microF1',
  'exactMatch',
  'psnr',
  'bicubicPsnr',
  'inputPsnr',
  'ssim',
  'bicubicSsim',
  'inputSsim',
  'map50',
  'map',
  'ap50',
  'ap',
  'dice',
  'pooledDice',
  'meanIou',
  'iou',
  'precision',
  'recall',
  'f1',
  'microPrecision',
  'microRecall',
  'rocAuc',
  'averagePrecision',
  'meanSensitivity',
  'sensitivity',
  'meanSpecificity',
  'specificity',
  'confidence',
  'support',
  'boxes',
  'found',
  'loss',
]

/** In the order shown; what the engine reports beyond it follows by name. */
export const orderedFigures = (names: readonly string[]): string[] =>
  [...names].sort((one, other) => rank(one) - rank(other) || one.localeCompare(other, 'en'))

const rank = (name: string): number => {
  const index = order.indexOf(name)
  return index < 0 ? order.length : index
}
