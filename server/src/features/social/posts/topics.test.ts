import { social as limits } from '@neuroloom/contract/limits'
import { expect, it } from 'vitest'
import { topicsOf } from './topics.ts'

it.each([
  [
    'words after #, in every script and in lower case',
    '#MRI, #Сердце (#心脏_2) #हिन्दी',
    ['mri', 'сердце', '心脏_2', 'हिन्दी'],
  ],
  ['each once, where it first stands', '#b #a #B', ['b', 'a']],
  ['none within words, entities and addresses', 'a#b &#39; ##c https://x/#d # e', []],
])('a text has as topics %s', (_what, text, topics) => expect(topicsOf(text)).toEqual(topics))

it('too long words are no topics, and of many the first count', () => {
  expect(topicsOf(`#${'x'.repeat(limits.topicLength + 1)} #fits`)).toEqual(['fits'])
  const many = Array.from({ length: limits.topics + 1 }, (_, index) => `t${index}`)
  expect(topicsOf(many.map((topic) => `#${topic}`).join(' '))).toEqual(many.slice(0, limits.topics))
})
