import { PassThrough } from 'node:stream'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { auditEvents } from './audit.ts'
import { openDb } from './db.ts'
import { createLog } from './log.ts'

const SECRET = 'do not print'

function makeLog() {
  const sink = new PassThrough()
  return { log: createLog('info', 'test', sink), text: () => String(sink.read()) }
}

test('secrets are hidden at the top, one level down and in headers', () => {
  const { log, text } = makeLog()
  for (const name of ['password', 'token', 'ticket', 'proof', 'cookie']) {
    log.info({ [name]: SECRET }, 'top')
    log.info({ body: { [name]: SECRET, account: 'shown' } }, 'below')
    log.info({ request: { headers: { [name]: SECRET } } }, 'headers')
  }
  const lines = text()
  expect(lines).not.toContain(SECRET)
  expect(lines).toContain('"account":"shown"')
  expect(lines.match(/\[hidden\]/g)).toHaveLength(15)
})

test('an error tells why and where, without the values and the connection of a failed statement', async () => {
  const { log, text } = makeLog()
  const pool = new pg.Pool({ connectionString: inject('postgresUrl') })
  // This database has no such table.
  const failing = openDb(pool)
    .insert(auditEvents)
    .values({ action: SECRET, subject: SECRET, address: SECRET })
  const error: unknown = await failing.then(
    () => null,
    (reason: unknown) => reason,
  )
  await pool.end()
  log.error({ err: error }, 'failed')
  const line = text()
  expect(line).not.toContain(SECRET)
  expect(JSON.parse(line)).toMatchObject({
    err: {
      message: expect.stringContaining('insert into "audit_events"'),
      stack: expect.stringContaining('    at '),
      cause: { message: 'relation "audit_events" does not exist', code: '42P01' },
    },
  })
})
