/** How our processes end: on a signal or with their supervisor, after finishing what is under way. */
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/** Exit code of a process that would fail again in the same way: wrong settings, a taken port. */
export const HOPELESS = 2
/** The whole product stops within 15 s; the database needs its share. */
const STOP_MS = 11_000

/** `begin` answers how to end in order. */
export async function runUntilStopped(
  log: FastifyBaseLogger,
  begin: () => Promise<() => Promise<void>>,
): Promise<void> {
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a defect; the supervisor starts this process again')
    process.exit(1)
  })
  const stopped = new Promise<string>((resolve) => {
    process.once('SIGINT', () => resolve('SIGINT'))
    process.once('SIGTERM', () => resolve('SIGTERM'))
    // The supervisor is gone, perhaps killed: nobody would ever stop this process.
    process.once('disconnect', () => resolve('the supervisor left'))
  })
  const end = await begin().catch((error: unknown) => {
    log.fatal({ err: error }, 'cannot start')
    process.exit(isHopeless(error) ? HOPELESS : 1)
  })
  const reason = await stopped
  log.info({ reason }, 'stopping')
  const late = Symbol('late')
  const first = await Promise.race([end().catch((error: unknown) => error), wait(STOP_MS, late)])
  if (first === late) log.warn('could not finish in time')
  else if (first instanceof Error) log.error({ err: first }, 'stopping failed')
  process.exit(first === undefined ? 0 : 1)
}

const isHopeless = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes(String(error.code))
