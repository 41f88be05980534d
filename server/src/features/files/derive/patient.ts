/** Who a DICOM file is of, told without telling who that is. */
import { createHmac, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { DicomHead } from '../../../infra/reader/dicom/head.ts'
import { deidentificationKeys as keys } from '../patients/deidentification-tables.ts'

type PatientOf = (head: DicomHead) => string | null

/**
 * A number that is the same for all files of a patient, else of a study; null where a file says neither. What still names
 * its patient gets the very number that the member's browser would have put in its place, so that both stay together.
 */
export async function patientTeller(ctx: Context, ownerId: string): Promise<PatientOf> {
  const key = Buffer.from(await keyOf(ctx, ownerId), 'hex')
  return ({ patient, studyUid, namesPatient }) => {
    if (patient !== '') return namesPatient ? numberFor(key, patient) : patient
    return studyUid === '' ? null : `study-${mac(key, 'study', studyUid).subarray(0, 6).toString('hex')}`
  }
}

/** As in the browser: `ANON-`, twelve digits, and eight that say that the others were made with this key. */
function numberFor(key: Buffer, patient: string): string {
  const body = mac(key, 'patient', patient).subarray(0, 6)
  const seal = createHmac('sha256', key).update('patient seal\n').update(body).digest().subarray(0, 4)
  return `ANON-${Buffer.concat([body, seal]).toString('hex').toUpperCase()}`
}

const mac = (key: Buffer, purpose: string, text: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}\n${text}`).digest()

async function keyOf(ctx: Context, ownerId: string): Promise<string> {
  await ctx.db
    .insert(keys)
    .values({ ownerId, key: randomBytes(32).toString('hex') })
    .onConflictDoNothing()
  const [{ key } = { key: '' }] = await ctx.db.select().from(keys).where(eq(keys.ownerId, ownerId))
  if (key === '') throw new Error('A member has no key for new numbers')
  return key
}
