/** What a browser says of itself, in a few words for people. A hint for owners, never a proof of anything. */

/** Browser and system, such as `Firefox 128, Windows`; empty for programs that are none. */
export function agentText(header: string | undefined): string {
  const text = (header ?? '').slice(0, READ)
  if (!text.startsWith('Mozilla/')) return ''
  const browser = browsers
    .map(({ name, sign }) => versioned(name, sign.exec(text)))
    .find((one) => one !== null)
  const system = systems.find(({ sign }) => text.includes(sign))?.name
  return [browser, system].filter((one) => one !== undefined).join(', ')
}

const READ = 1000

const versioned = (name: string, found: RegExpExecArray | null): string | null =>
  found && [name, found[1]].filter(Boolean).join(' ')

/** In this order: most browsers also name those that they are compatible with. */
const browsers: { name: string; sign: RegExp }[] = [
  { name: 'WeChat', sign: /MicroMessenger\/(\d{1,4})/ },
  { name: 'Edge', sign: /Edg(?:A|iOS)?\/(\d{1,4})/ },
  { name: 'Opera', sign: /OPR\/(\d{1,4})/ },
  { name: 'Yandex', sign: /YaBrowser\/(\d{1,4})/ },
  { name: 'Firefox', sign: /(?:Firefox|FxiOS)\/(\d{1,4})/ },
  { name: 'Chrome', sign: /(?:Chrome|CriOS)\/(\d{1,4})/ },
  { name: 'Safari', sign: /Version\/(\d{1,4})[\d.]* (?:Mobile\/\w+ )?Safari\// },
]

const systems: { name: string; sign: string }[] = [
  { name: 'iOS', sign: 'iPhone' },
  { name: 'iPadOS', sign: 'iPad' },
  { name: 'Android', sign: 'Android' },
  { name: 'HarmonyOS', sign: 'HarmonyOS' },
  { name: 'Windows', sign: 'Windows' },
  { name: 'macOS', sign: 'Mac OS X' },
  { name: 'ChromeOS', sign: 'CrOS' },
  { name: 'Linux', sign: 'Linux' },
]
