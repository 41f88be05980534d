import { describe, expect, it } from 'vitest'
import { splitPost } from './pieces.ts'

describe('the text of a post', () => {
  it('has links where the server found topics, in the spelling of its author', () => {
    expect(splitPost('On #Stroke and #MRI_3T.', ['stroke', 'mri_3t'])).toEqual([
      { kind: 'text', text: 'On ' },
      { kind: 'topic', text: '#Stroke', topic: 'stroke' },
      { kind: 'text', text: ' and ' },
      { kind: 'topic', text: '#MRI_3T', topic: 'mri_3t' },
      { kind: 'text', text: '.' },
    ])
  })

  it('has no link within a word, to the beginning of a longer one, or to a word that is no topic', () => {
    for (const text of ['a#stroke', '#strokes', '#卒中康复', '#other'])
      expect(splitPost(text, ['stroke', '卒中'])).toEqual([{ kind: 'text', text }])
  })

  it('takes the longest of topics that begin alike', () => {
    expect(splitPost('#ct_head', ['ct', 'ct_head'])).toEqual([
      { kind: 'topic', text: '#ct_head', topic: 'ct_head' },
    ])
  })

  it('keeps the sign # of an address in it', () => {
    expect(splitPost('See https://example.org/a#stroke, #stroke', ['stroke'])).toEqual([
      { kind: 'text', text: 'See ' },
      { kind: 'link', text: 'https://example.org/a#stroke' },
      { kind: 'text', text: ', ' },
      { kind: 'topic', text: '#stroke', topic: 'stroke' },
    ])
  })
})
