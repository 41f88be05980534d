import { expect, it } from 'vitest'
import { findPage } from '../../src/features/site/search.ts'
import { setLanguage } from '../../src/lib/i18n.ts'

it.each([
  ['en', 'radiologist', '/scenes'],
  ['en', 'Balanced   ACCURACY', '/scenes'],
  ['en', 'ＤＩＣＯＭ', '/description'],
  ['en', 'privacy', '/about'],
  ['en', 'safetensors', '/tool'],
  ['en', 'seven steps', '/step'],
  ['en', 'what we can tell', null],
  ['en', 'Tell us what you would like', '/consult'],
  ['zh', '伤口', '/scenes'],
  ['zh', '隐私', '/about'],
  ['zh', '在线咨询', '/about'],
  ['ru', 'ЗАЖИВАЕТ', '/scenes'],
  ['ru', 'до 50 ГБ', '/tool'],
  ['ru', 'radiologist', null],
] as const)('in %s "%s" leads to %s', async (language, text, page) => {
  await setLanguage(language)
  expect(await findPage(text, language)).toBe(page)
})

it.each(['', '   ', '**', '{{looseFiles}}', '](/tool'])(
  '"%s" leads nowhere: marks are no text',
  async (text) => {
    expect(await findPage(text, 'en')).toBeNull()
  },
)

it('keeps to the order about, description, tool, scenes, step, consult', async () => {
  expect(await findPage('neuroloom', 'en')).toBe('/about')
  expect(await findPage('segmentation', 'en')).toBe('/description')
})
