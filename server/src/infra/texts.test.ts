import { languages } from '@neuroloom/contract/language'
import { describe, expect, it } from 'vitest'
import { sayer } from './texts.ts'

describe('texts of counted things', () => {
  it.each([
    ['en', ['1 image', '2 images', '5 images', '1,234 images']],
    ['zh', ['1 张图像', '2 张图像', '5 张图像', '1,234 张图像']],
    ['ru', ['1 снимок', '2 снимка', '5 снимков', '1\u00a0234 снимка']],
  ] as const)('take the form of their number in %s', (language, said) => {
    const say = sayer('claim', language)
    expect([1, 2, 5, 1234].map((count) => say('counted.images', { count }))).toEqual(said)
  })

  it('say of one image and of one case what a report says of them', () => {
    const say = sayer('report', 'en')
    const heldOut = say('summary.heldOut', { count: 1, metric: 'PSNR', value: '30 dB' })
    expect(heldOut).toMatch(/^1 image was held out before the training/)
    expect(say('limit.fewCases', { count: 1 })).toMatch(/^The test had only 1 independent case\./)
  })

  it.each(languages)('are missing in %s without their number', (language) => {
    expect(() => sayer('report', language)('limit.fewCases')).toThrow('has no text limit.fewCases')
  })
})
