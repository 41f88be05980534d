import { resolve } from 'node:path'
import { type Command, Misuse } from '../command.ts'
import { exportAudit, verifyAudit, verifyFile } from './verify.ts'

export const auditCommands: Readonly<Record<string, Command>> = {
  audit: {
    words: '<verify|export> [file]',
    does: 'verify: checks that no audit event was changed, in the database or in an exported file; export: writes that file',
    run: async (ctx, [wish = '', file]) => {
      if (wish === 'verify' && file === undefined) return said(await verifyAudit(ctx))
      if (wish === 'export' && file !== undefined) {
        const path = resolve(file)
        return `${await exportAudit(ctx, path)} audit events stand in ${path}.`
      }
      throw new Misuse('This is how it is typed: audit verify, audit verify <file>, or audit export <file>')
    },
  },
}

/** Needs no database. */
export async function verifyExport(file: string, ownKey: string | null): Promise<string> {
  const { fingerprint, ...result } = await verifyFile(resolve(file), ownKey)
  return `${said({ ...result, unsealed: 0 })} Signed by the key ${fingerprint}.`
}

function said({
  count,
  unsealed,
  problem,
}: {
  count: number
  unsealed: number
  problem: string | null
}): string {
  if (problem !== null) throw new Error(`The audit log is broken: ${problem}.`)
  const waiting = unsealed === 0 ? '' : ` ${unsealed} later ones are not sealed yet.`
  return `The audit log is whole: ${count} events.${waiting}`
}
