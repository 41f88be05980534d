/** The structured log of every process; hides secrets and must never be given a whole request body. */
import { type Logger, pino } from 'pino'

/** Fields that hold secrets, at the top and one level down: pino's `*.name` alone would leave the top one. */
const secrets = ['password', 'token', 'ticket', 'proof', 'cookie', 'secret', 'authorization'].flatMap(
  (name) => [name, `*.${name}`, `*.headers.${name}`],
)

export const createLog = (level: string, process: string): Logger =>
  pino({ level, base: { process }, redact: { paths: secrets, censor: '[hidden]' } })
