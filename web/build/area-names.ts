/** What a Chinese place is called in English and Russian: customary names first, else the pinyin with its kind. */
import { pinyin } from 'pinyin-pro'
import { customaryNames, type Named } from './area-customary.ts'
import { palladius } from './palladius.ts'

export type Place = { code: string; chinese: string; level: 'province' | 'city' | 'district' }

export function namesOf({ code, chinese, level }: Place): Named {
  const customary = customaryNames[code] ?? customaryWhole[chinese]
  if (customary !== undefined) return customary
  const { stem, kind } = partsOf(chinese)
  const syllables = soundsOf(chinese).slice(0, stem.length)
  // A city of the second level is called by its name alone.
  if (level === 'city' && kind.chinese === '市') {
    return { en: inEnglish(syllables), ru: capital(palladius(syllables)) }
  }
  return {
    en: [inEnglish(syllables), kind.en].filter(Boolean).join(' '),
    ru: capital(palladius(syllables)) + (kind.ru === '' ? '' : ` (${kind.ru})`),
  }
}

/** Read with its kind, because that tells some characters' sounds. */
function soundsOf(chinese: string): string[] {
  const known = Object.entries(localSounds).find(([start]) => chinese.startsWith(start))?.[1]
  if (known !== undefined) return known.split(' ')
  const syllables = pinyin(chinese, { toneType: 'none', type: 'array' })
  // In the names of places it is never dou.
  return syllables.map((one, index) => (chinese.charAt(index) === '都' ? 'du' : one))
}

/** Places whose characters sound otherwise than elsewhere. */
const localSounds: Record<string, string> = {
  乐亭: 'lao ting',
  乐清: 'yue qing',
  乐陵: 'lao ling',
  什邡: 'shi fang',
  六合区: 'lu he',
  单县: 'shan',
  吴堡: 'wu bu',
  喀什: 'ka shi',
  大埔县: 'da bu',
  大涌: 'da chong',
  宕昌: 'tan chang',
  尉犁: 'yu li',
  曾都: 'zeng du',
  歙县: 'she',
  民乐: 'min le',
  泌阳: 'bi yang',
  洪洞: 'hong tong',
  浚县: 'xun',
  涡阳: 'guo yang',
  牟定: 'mou ding',
  穆棱: 'mu ling',
  筠连: 'jun lian',
  繁峙: 'fan shi',
  绥棱: 'sui ling',
  蔚县: 'yu',
  闵行: 'min hang',
  麻涌: 'ma chong',
  黄陂: 'huang pi',
}

type Kind = Named & { chinese: string }

const kind = (chinese: string, en: string, ru: string): Kind => ({ chinese, en, ru })

/** Longest first. */
const kinds: readonly Kind[] = [
  kind('街道办事处', 'Subdistrict', 'квартал'),
  kind('左翼前旗', 'Left Wing Front Banner', 'передний хошун левого крыла'),
  kind('左翼中旗', 'Left Wing Middle Banner', 'средний хошун левого крыла'),
  kind('左翼后旗', 'Left Wing Rear Banner', 'задний хошун левого крыла'),
  kind('右翼前旗', 'Right Wing Front Banner', 'передний хошун правого крыла'),
  kind('右翼中旗', 'Right Wing Middle Banner', 'средний хошун правого крыла'),
  kind('右翼后旗', 'Right Wing Rear Banner', 'задний хошун правого крыла'),
  kind('自治州', 'Autonomous Prefecture', 'автономный округ'),
  kind('自治县', 'Autonomous County', 'автономный уезд'),
  kind('自治旗', 'Autonomous Banner', 'автономный хошун'),
  kind('联合旗', 'United Banner', 'объединённый хошун'),
  kind('前旗', 'Front Banner', 'передний хошун'),
  kind('中旗', 'Middle Banner', 'средний хошун'),
  kind('后旗', 'Rear Banner', 'задний хошун'),
  kind('左旗', 'Left Banner', 'левый хошун'),
  kind('右旗', 'Right Banner', 'правый хошун'),
  kind('地区', 'Prefecture', 'округ'),
  kind('新区', 'New Area', 'новый район'),
  kind('街道', 'Subdistrict', 'квартал'),
  kind('盟', 'League', 'аймак'),
  kind('旗', 'Banner', 'хошун'),
  kind('县', 'County', 'уезд'),
  kind('区', 'District', 'район'),
  kind('市', 'City', 'город'),
  kind('镇', 'Town', 'посёлок'),
  kind('乡', 'Township', 'волость'),
]

const plain = kind('', '', '')

/** Whose autonomy it is makes a long name and no other place. */
const peoples = new RegExp(
  `(${[
    '蒙古族|回族|藏族|维吾尔|苗族|彝族|壮族|布依族|朝鲜族|满族|侗族|瑶族|白族|土家族|哈尼族|哈萨克族|哈萨克|傣族|黎族|傈僳族|佤族',
    '畲族|拉祜族|水族|东乡族|纳西族|景颇族|柯尔克孜族|柯尔克孜|土族|达斡尔族|仫佬族|羌族|布朗族|撒拉族|毛南族|仡佬族|锡伯族|锡伯',
    '普米族|塔吉克|怒族|鄂温克族|鄂伦春|裕固族|独龙族|保安族|蒙古|回族|各族',
  ].join('|')})+$`,
)

function partsOf(chinese: string): { stem: string; kind: Kind } {
  const found = kinds.find((one) => chinese.endsWith(one.chinese) && fits(chinese, one.chinese)) ?? plain
  const named = chinese.slice(0, chinese.length - found.chinese.length)
  const short = found.chinese.startsWith('自治') ? named.replace(peoples, '') : named
  // A people that is itself the name: 东乡族自治县, 鄂温克族自治旗.
  return { stem: short === '' ? named.replace(/族$/, '') : short, kind: found }
}

/** 大新区 is a district called Daxin: a name keeps two characters where it can. */
function fits(chinese: string, kindText: string): boolean {
  const rest = chinese.length - kindText.length
  return rest >= 2 || (rest === 1 && kindText.length === 1)
}

/** Words in place of names. */
const customaryWhole: Record<string, Named> = {
  东区: { en: 'East District', ru: 'Восточный район' },
  西区: { en: 'West District', ru: 'Западный район' },
  南区: { en: 'South District', ru: 'Южный район' },
  北区: { en: 'North District', ru: 'Северный район' },
  中区: { en: 'Central District', ru: 'Центральный район' },
  东区街道: { en: 'East Subdistrict', ru: 'Восточный квартал' },
  西区街道: { en: 'West Subdistrict', ru: 'Западный квартал' },
  南区街道: { en: 'South Subdistrict', ru: 'Южный квартал' },
  中西区: { en: 'West Central District', ru: 'Западно-Центральный район' },
  城区: { en: 'Urban District', ru: 'Городской район' },
  郊区: { en: 'Suburban District', ru: 'Пригородный район' },
  矿区: { en: 'Mining District', ru: 'Горный район' },
}

/** Xi'an, not Xian: an apostrophe before a syllable that begins with a vowel. */
function inEnglish(syllables: readonly string[]): string {
  return capital(syllables.map((one, index) => (index > 0 && /^[aoe]/.test(one) ? `'${one}` : one)).join(''))
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
