import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeRandom, tamper } from '../../../test/audit-changes.ts'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { audit, auditEvents, auditHead, forgetAddresses } from '../audit.ts'
import { auditCommands, verifyExport } from './commands.ts'
import { keepSealed, readAnchor, sealEvents } from './seal.ts'
import { exportAudit, verifyAudit, verifyFile, verifyRows } from './verify.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await makeServer()
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-audit-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const entry = (number: number) => ({
  actor: `actor${number % 5}`,
  action: 'member.role',
  subject: `user:member${number % 7}`,
  address: `192.0.2.${number}`,
  before: { role: 0, name: null },
  after: { role: number, isNew: true },
})

class RolledBack extends Error {}

/** What the check says of a log that was changed; afterwards the log is as before. */
async function verdictAfter(change: (tx: Parameters<typeof verifyRows>[0]) => Promise<unknown>) {
  const { ctx } = server
  const anchor = await readAnchor(ctx.config.dataDir)
  let problem: string | null = null
  const work = ctx.db.transaction(async (tx) => {
    await change(tx)
    problem = (await verifyRows(tx, ctx.signer.publicKey, anchor)).problem
    throw new RolledBack()
  })
  await expect(work).rejects.toBeInstanceOf(RolledBack)
  return problem
}

describe('the audit log', () => {
  it('links events of parallel transactions into one chain without gaps', async () => {
    const { ctx } = server
    await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        ctx.db.transaction(async (tx) => {
          await audit(tx, entry(number))
          if (number % 3 === 0) await audit(tx, entry(number + 1))
        }),
      ),
    )
    await Promise.all([sealEvents(ctx), sealEvents(ctx), sealEvents(ctx)])
    expect(await verifyAudit(ctx)).toEqual({ count: 80, unsealed: 0, problem: null })
    const [head] = await ctx.db.select().from(auditHead)
    expect(head?.position).toBe(80)
    expect((await readAnchor(ctx.config.dataDir))?.position).toBeLessThanOrEqual(80)
  })

  it('is sealed by the worker once a transaction has committed', async () => {
    const { ctx } = server
    keepSealed(ctx)
    await ctx.listener.ready()
    await ctx.db.transaction((tx) => audit(tx, entry(90)))
    await expect.poll(() => ctx.db.$count(auditEvents, sql`position is null`)).toBe(0)
  })

  it('keeps what was before and after', async () => {
    const [row] = await server.ctx.db.select().from(auditEvents).where(eq(auditEvents.address, '192.0.2.9'))
    expect(row).toMatchObject({ before: { role: 0, name: null }, after: { role: 9, isNew: true } })
  })

  it('notices 60 random changes of rows', async () => {
    await sealEvents(server.ctx)
    const { count } = await verifyAudit(server.ctx)
    const random = makeRandom(7)
    const unnoticed: string[] = []
    for (let number = 0; number < 60; number += 1) {
      let change = ''
      const problem = await verdictAfter(async (tx) => {
        change = await tamper(tx, random, count)
      })
      if (problem === null) unnoticed.push(change)
    }
    expect(unnoticed).toEqual([])
    expect((await verifyAudit(server.ctx)).problem).toBeNull()
  })

  it('names the first event that was changed', async () => {
    const problem = await verdictAfter((tx) =>
      tx.execute(sql`update audit_events set action = 'member.level' where position in (12, 40)`),
    )
    expect(problem).toMatch(/^event 12 \(row \d+, member\.level\) was changed$/)
  })

  it('stays whole when the addresses of an erased member are removed', async () => {
    const { ctx } = server
    await ctx.db.transaction((tx) => forgetAddresses(tx, 'actor3'))
    await sealEvents(ctx)
    expect((await verifyAudit(ctx)).problem).toBeNull()
    const rows = await ctx.db.select().from(auditEvents).where(eq(auditEvents.actor, 'actor3'))
    expect(rows.length).toBeGreaterThan(5)
    expect(new Set(rows.map(({ address, addressSalt }) => `${address}${addressSalt ?? ''}`))).toEqual(
      new Set(['']),
    )
  })

  it('does not overwrite the end of a chain that was cut', async () => {
    const { ctx } = server
    // What the test before has written is sealed by two at once; one of them writes the end a moment later.
    const [head] = await ctx.db.select().from(auditHead)
    const positionOfAnchor = async () => (await readAnchor(ctx.config.dataDir))?.position
    await expect.poll(positionOfAnchor).toBe(head?.position)
    const before = await readAnchor(ctx.config.dataDir)
    const work = ctx.db.transaction(async (tx) => {
      await tx.execute(sql`delete from audit_events where position > 10`)
      await tx.execute(sql`
        update audit_head set position = 10, hash = (select hash from audit_events where position = 10)`)
      await audit(tx, entry(1))
      // The sealing step takes part in this transaction.
      await sealEvents({ ...ctx, db: tx })
      const anchor = await readAnchor(ctx.config.dataDir)
      expect(anchor).toEqual(before)
      expect((await verifyRows(tx, ctx.signer.publicKey, anchor)).problem).toMatch(
        /audit-head\.json says|is another one than audit-head\.json says/,
      )
      throw new RolledBack()
    })
    await expect(work).rejects.toBeInstanceOf(RolledBack)
  })
})

describe('an exported audit log', () => {
  it('is checked without the database, line by line', async () => {
    const { ctx } = server
    const path = join(folder, 'audit.jsonl')
    await audit(ctx.db, entry(91))
    const count = await exportAudit(ctx, path)
    expect(await verifyFile(path, ctx.signer.publicKey)).toMatchObject({ count, problem: null })
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    expect(lines).toHaveLength(count + 1)
    const other = join(folder, 'other.jsonl')
    const problemOf = async (changed: string[]): Promise<string | null> => {
      await writeFile(other, `${changed.join('\n')}\n`)
      return (await verifyFile(other, ctx.signer.publicKey)).problem
    }
    expect(await problemOf(lines)).toBeNull()
    expect(await problemOf(lines.slice(0, -1))).toContain('without its signed last line')
    expect(await problemOf(lines.with(4, lines[4]?.replace('member.role', 'member.rule') ?? ''))).toContain(
      'event 5',
    )
    expect(await problemOf(lines.toSpliced(6, 1))).toBe('event 7 is missing')
    expect(await problemOf(lines.toSpliced(count - 1, 1))).toContain(`the last line says ${count} events`)
    expect(await problemOf(lines.with(2, '{'))).toBe('line 3 is no event')
    expect(await problemOf([...lines, lines[0] ?? ''])).toContain('stands behind the last line')
    const forged = (lines.at(-1) ?? '').replace(/"signature":"../, '"signature":"AA')
    expect(await problemOf(lines.with(count, forged))).toBe('the signature of the last line is wrong')
  })

  it('is written and checked by the commands of an operator', async () => {
    const said = (...words: string[]) => auditCommands.audit?.run(server.ctx, words)
    const path = join(folder, 'by-command.jsonl')
    expect(await said('export', path)).toContain(path)
    expect(await verifyExport(path, null)).toMatch(
      /^The audit log is whole: \d+ events\. Signed by the key \w{16}\.$/,
    )
    expect(await said('verify')).toMatch(/^The audit log is whole: \d+ events\.$/)
    await expect(said('export')).rejects.toThrow('This is how it is typed')
    await writeFile(path, (await readFile(path, 'utf8')).replace('member.role', 'member.rule'))
    await expect(verifyExport(path, null)).rejects.toThrow('The audit log is broken: event 1 ')
  })
})
