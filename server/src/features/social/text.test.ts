import { describe, expect, it } from 'vitest'
import { cleanText } from './text.ts'

describe('a text of a member', () => {
  it('keeps letters, line feeds, tabs and joined emoji as they are', () => {
    const text = 'Первая строка\n\t第二行 👩‍⚕️ <b>&amp;</b> مرحبا'
    expect(cleanText(text)).toBe(text)
  })

  it.each([
    ['NUL', 'a\0b', 'ab'],
    ['overrides of direction', 'photo\u202egnp.exe\u2066\u2069', 'photognp.exe'],
    ['line ends of other systems', 'a\r\nb\rc', 'a\nb\nc'],
    ['letters in parts', 'e\u0301', '\u00e9'],
    ['space around it', '  a b \n', 'a b'],
  ])('is rid of %s', (_what, given, clean) => expect(cleanText(given)).toBe(clean))

  it.each(['a\u0007b', 'a\u001bb', 'a\u0085b', 'a\ud800b'])(
    'is refused with control characters: %j',
    (text) =>
      expect(() => cleanText(text)).toThrow(expect.objectContaining({ fields: { text: 'form.invalid' } })),
  )

  it('is refused where nothing is left of it, unless it may be empty', () => {
    const given = '\u202e \0'
    expect(() => cleanText(given)).toThrow(expect.objectContaining({ fields: { text: 'form.required' } }))
    expect(cleanText(given, { mayBeEmpty: true })).toBe('')
  })

  it('is refused by the name of its field', () =>
    expect(() => cleanText('\u0001', { field: 'introduction' })).toThrow(
      expect.objectContaining({ fields: { introduction: 'form.invalid' } }),
    ))
})
