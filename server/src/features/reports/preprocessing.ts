/** What the engine does with images before the network sees them, in words: as `engine/…/tasks` does it. */
import { axesOf } from '@neuroloom/contract/task'
import type { Facts } from './facts.ts'
import { maskSentences } from './mask-words.ts'
import { recipeSentence } from './recipe-words.ts'
import type { Words } from './words.ts'

/** Of the training's own settings: a test prepares images in the same way. */
export function preprocessing(facts: Facts, words: Words): string {
  const { test, training, learned } = facts
  const { imageSize, depth } = (training ?? test).hyper
  const [height, width] = imageSize
  const window = learned?.reading.window ?? null
  const { shape, values } = steps[test.task]
  const sentences = [
    ...(facts.recipe ? [recipeSentence(facts.recipe, words)] : []),
    words.say(`preprocessing.${shape}`, { height, width, depth }),
    // Where masks are told of, the count of turned images stands there.
    ...(axesOf(test.task) === 2 && (learned?.facts?.masks?.turned ?? 0) === 0
      ? [words.say('preprocessing.turned')]
      : []),
    ...(window ? [words.say('preprocessing.window', window)] : []),
    ...(seesEightBits(facts) ? [words.say('preprocessing.deep')] : []),
    ...(test.task === 'volume_segmentation' ? [] : [words.say(`preprocessing.${colours(facts)}`)]),
    words.say(`preprocessing.${values}`),
    ...maskSentences(learned?.facts ?? {}, words),
  ]
  return words.joined(sentences)
}

/** How images are varied while the network learns. */
export function augmentation({ test, training }: Facts, words: Words): string {
  const { augment, imageSize } = (training ?? test).hyper
  const isSquare = imageSize[0] === imageSize[1]
  if (!augment) return words.say('augmentation.none')
  switch (test.task) {
    case 'classification':
    case 'multilabel':
      return words.say('augmentation.images')
    case 'segmentation':
      return words.say(isSquare ? 'augmentation.square' : 'augmentation.oblong')
    case 'volume_segmentation':
      return words.say('augmentation.volumes')
    case 'detection':
      return words.say('augmentation.boxes')
    case 'super_resolution':
    case 'denoising':
      return words.say(isSquare ? 'augmentation.pairsSquare' : 'augmentation.pairsOblong')
    default:
      return test.task satisfies never
  }
}

const steps = {
  classification: { shape: 'resized', values: 'byTraining' },
  multilabel: { shape: 'resized', values: 'byTraining' },
  segmentation: { shape: 'crops', values: 'byImage' },
  volume_segmentation: { shape: 'volumes', values: 'byVolume' },
  detection: { shape: 'fitted', values: 'byTraining' },
  super_resolution: { shape: 'pairs', values: 'byTrainingOneSpread' },
  denoising: { shape: 'pairs', values: 'byTrainingOneSpread' },
} as const satisfies Record<Facts['test']['task'], { shape: string; values: string }>

/** Volumes and pairs keep the values of their files. */
const seesEightBits = ({ test: { task } }: Facts): boolean =>
  task === 'classification' || task === 'multilabel' || task === 'segmentation' || task === 'detection'

function colours({ inputs }: Facts): 'grey' | 'colour' {
  const [image] = Object.values(inputs.plan.inputs)
  return image?.k === 'map' && image.c === 1 ? 'grey' : 'colour'
}
