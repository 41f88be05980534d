/** By which recipe the training's files were prepared, in words. */
import type { Recipe, Step } from '@neuroloom/contract/recipes/recipe'
import type { Words } from './words.ts'

export function recipeSentence({ name, version = '–', steps, isClosed }: Recipe, words: Words): string {
  if (isClosed && name !== undefined) return words.say('recipe.closed', { name, version })
  const said = steps.map((step) => stepWords(step, words)).join(words.language === 'zh' ? '；' : '; ')
  return name === undefined
    ? words.say('recipe.unnamed', { version, steps: said })
    : words.say('recipe.known', { name, version, steps: said })
}

function stepWords(step: Step, words: Words): string {
  switch (step.do) {
    case 'flip':
      return words.say(`recipe.flip.${step.axis}`)
    case 'index':
    case 'grey':
    case 'fill':
    case 'remap':
      return words.say(`recipe.${step.do}`)
    case 'size':
    case 'crop':
    case 'normalise':
    case 'denoise':
    case 'grow':
    case 'pieces':
      return words.say(`recipe.${step.do}.${step.how}`, step)
    case 'pad':
    case 'rotate':
    case 'clahe':
    case 'window':
    case 'bias':
    case 'tiles':
      return words.say(`recipe.${step.do}`, step)
    default:
      return step satisfies never
  }
}
