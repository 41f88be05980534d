import { expect, test } from 'vitest'
import { agentText } from './agent.ts'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${WINDOWS} ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`, 'Chrome 131, Windows'],
  [`${WINDOWS} ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.70`, 'Edge 131, Windows'],
  [`${WINDOWS} ${WEBKIT} Chrome/130.0.0.0 YaBrowser/24.12.0.0 Safari/537.36`, 'Yandex 24, Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox 128, Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari 18, macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari 18, iOS',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; V2049A) ${WEBKIT} Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.49`,
    'WeChat 8, Android',
  ],
  ['Mozilla/5.0 (Something else)', ''],
  ['curl/8.5.0', ''],
  ['', ''],
  [undefined, ''],
  [`Mozilla/5.0 ${'('.repeat(100_000)} Chrome/131`, ''],
])('%s is %j', (header, expected) => {
  expect(agentText(header)).toBe(expected)
})
