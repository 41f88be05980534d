/** The first that fits counts: browsers name their forerunners, too. */
const browsers: readonly [RegExp, string][] = [
  [/MicroMessenger/, 'WeChat'],
  [/YaBrowser/, 'Yandex'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/QQBrowser/, 'QQ'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Browser and system, as far as they say who they are; null for a program, which does not. */
export function deviceOf(agent: string): string[] | null {
  if (agent === '') return null
  const named = (list: readonly [RegExp, string][]) => list.find(([sign]) => sign.test(agent))?.[1]
  return [named(browsers), named(systems)].filter((one) => one !== undefined)
}
