/** China's provinces, cities and districts for the area picker: one lazily loaded chunk for each language. */
import { areaList } from '@vant/area-data'
import type { Plugin } from 'vite'
import { namesOf, type Place } from './area-names.ts'

const languages = ['en', 'zh', 'ru'] as const
type Language = (typeof languages)[number]

/** Value, label and, where there is a lower level, what is in it. */
export type AreaNode = [value: string, label: string, children?: AreaNode[]]

const prefix = 'virtual:areas/'

/** `import('virtual:areas/en')` gives `areas`. */
export function areas(): Plugin {
  return {
    name: 'areas',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      const language = languages.find((one) => id === `\0${prefix}${one}`)
      if (language === undefined) return null
      return `export const areas = JSON.parse(${JSON.stringify(JSON.stringify(areaTree(language)))})`
    },
  }
}

export function areaTree(language: Language): AreaNode[] {
  const label = (code: string, chinese: string, level: Place['level']): string =>
    language === 'zh' ? chinese : namesOf({ code, chinese, level })[language]
  const districts = Object.entries(areaList.county_list).filter(isListed)
  const districtsOf = (beginning: string): AreaNode[] =>
    withoutRepeats(districts.filter(([code]) => code.startsWith(beginning))).map(([code, name]) => [
      code,
      label(code, name, 'district'),
    ])
  const provinces = Object.entries(areaList.province_list).map(([code, name]): AreaNode => {
    const beginning = code.slice(0, 2)
    const children = isOneCity(code)
      ? districtsOf(beginning)
      : Object.entries(areaList.city_list)
          .filter(([city]) => city.startsWith(beginning))
          .map(
            ([city, cityName]): AreaNode =>
              node(city, label(city, cityName, 'city'), districtsOf(city.slice(0, 4))),
          )
    return node(code, label(code, name, 'province'), children)
  })
  return [...provinces, [OVERSEAS, overseas[language]]]
}

/** Six digits like every other. */
const OVERSEAS = '900000'

const overseas: Record<Language, string> = { en: 'Overseas', zh: '海外', ru: 'За рубежом' }

/** Beijing, Tianjin, Shanghai and Chongqing are provinces and cities at once: districts follow directly. */
const isOneCity = (province: string): boolean => ['11', '12', '31', '50'].includes(province.slice(0, 2))

const node = (value: string, label: string, children: AreaNode[]): AreaNode =>
  children.length === 0 ? [value, label] : [value, label, children]

type Entry = [code: string, name: string]

/**
 * Left out: development zones, which lie inside the districts listed beside them; "other", which the picker adds
 * itself; a sight and an uninhabited island; two misspelt repeats.
 */
function isListed([code, name]: Entry): boolean {
  if (['711299', '712688', '710203', '712484'].includes(code)) return false
  if (name === '其它区') return false
  const isZone = /[79]\d$/.test(code) && /(区|城|会|园)$/.test(name) && !code.startsWith('7')
  return !isZone && !/(开发区|技术产业园区|管理区|管委会|行政委员会|生态园|高新区|工业园区)$/.test(name)
}

/** Townships of Taiwan that have become districts stand in the data twice; the first is today's. */
function withoutRepeats(entries: Entry[]): Entry[] {
  const stems = new Set<string>()
  return entries.filter(([code, name]) => {
    const stem = name.slice(0, -1)
    const isRepeat = code.startsWith('7') && stems.has(stem)
    stems.add(stem)
    return !isRepeat
  })
}
