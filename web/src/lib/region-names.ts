/**
 * What regions are called in the lists of countries and area codes: as the browser knows them, but for three.
 *
 * For these the browser says one thing for one and another for the next ("Taiwan" beside "Hong Kong SAR China"). Here
 * each language says the same of all three. In Chinese it is the form that lists of countries in mainland China, where
 * most readers of that language are, have to use. In English and Russian, which are read everywhere, it is the short name
 * of the place, without a word about its status: the name that the areas of an address have for it as well.
 */
import { currentTag } from './i18n.ts'

const chosen: Record<string, Record<'en' | 'zh' | 'ru', string>> = {
  TW: { en: 'Taiwan', zh: '中国台湾', ru: 'Тайвань' },
  HK: { en: 'Hong Kong', zh: '中国香港', ru: 'Гонконг' },
  MO: { en: 'Macao', zh: '中国澳门', ru: 'Макао' },
}

/** Of an ISO code, in the language of a tag such as `zh-CN`; the code itself where it has no name. */
export function regionNames(tag: string = currentTag()): (region: string) => string {
  const known = new Intl.DisplayNames(tag, { type: 'region' })
  const language = languages.find((one) => tag.startsWith(one))
  return (region) => (language && chosen[region]?.[language]) ?? known.of(region) ?? region
}

const languages = ['en', 'zh', 'ru'] as const
