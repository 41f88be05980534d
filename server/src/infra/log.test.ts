import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('secrets are hidden at the top, one level down and in headers', () => {
  const sink = new PassThrough()
  const log = createLog('info', 'test', sink)
  const secret = 'do not print'
  for (const name of ['password', 'token', 'ticket', 'proof', 'cookie']) {
    log.info({ [name]: secret }, 'top')
    log.info({ body: { [name]: secret, account: 'shown' } }, 'below')
    log.info({ request: { headers: { [name]: secret } } }, 'headers')
  }
  const text = String(sink.read())
  expect(text).not.toContain(secret)
  expect(text).toContain('"account":"shown"')
  expect(text.match(/\[hidden\]/g)).toHaveLength(15)
})
