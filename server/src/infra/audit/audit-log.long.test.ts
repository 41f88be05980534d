import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeRandom, tamper } from '../../../test/audit-changes.ts'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { audit } from '../audit.ts'
import { readAnchor, sealEvents } from './seal.ts'
import { verifyAudit, verifyRows } from './verify.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

class RolledBack extends Error {}

it('the check of the audit log notices each of 1,000 random changes made behind its back', async () => {
  const { ctx } = server
  const size = 30
  for (let number = 0; number < size; number += 1)
    await audit(ctx.db, {
      actor: `actor${number % 3}`,
      action: `deed.${number}`,
      subject: `user:${number % 4}`,
      address: `192.0.2.${number}`,
      before: { count: number },
      after: { count: number + 1 },
    })
  await sealEvents(ctx)
  const anchor = await readAnchor(ctx.config.dataDir)
  const random = makeRandom(20_261_129)
  const unnoticed: string[] = []
  for (let number = 0; number < 1000; number += 1) {
    const work = ctx.db.transaction(async (tx) => {
      const change = await tamper(tx, random, size)
      const { problem } = await verifyRows(tx, ctx.signer.publicKey, anchor)
      if (problem === null) unnoticed.push(change)
      throw new RolledBack()
    })
    await expect(work).rejects.toBeInstanceOf(RolledBack)
  }
  expect(unnoticed).toEqual([])
  expect(await verifyAudit(ctx)).toEqual({ count: size, unsealed: 0, problem: null })
})
